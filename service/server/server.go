package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/sync/semaphore"

	"confab/internal/fetch"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/engine"
)

// Options say what a [Server] serves. Engine is required, and so is one of Keys, Clients and IsOwnerOnly of Access: a
// server without any of them is not made, so that forgotten keys never mean that every key is accepted.
type Options struct {
	Engine    engine.Engine
	Catalogue func() api.Catalogue // of the moment; nil: the default one
	Access    Access
	Limits    Limits        // none: those of [DefaultLimits]
	Fetch     fetch.Options // how the sources of edits are fetched
	// LocalPictures may be sources as well, for clients in this process; nil = none.
	LocalPictures *LocalPictures
	// TellsEngineErrors has clients read what an engine says itself where it fails: for the owner of the engines.
	TellsEngineErrors bool
	// TakesExtra lets clients set any field of a request to an engine: for the owner of the engines.
	TakesExtra bool
	// PartInterval is how far apart parts of an answer are written at least; 0 writes each as soon as it comes. The
	// first after a pause is never held back.
	PartInterval time.Duration
	Ready        func() error // why it is not ready, in a sentence; nil: it always is
	Log          *slog.Logger // nil discards it; no prompt and no key is written to it
}

// Access says who may ask, and how often.
type Access struct {
	Keys     []string // accepted keys, each of at least [MinKeyLength] bytes
	Clients  *Keys    // more accepted keys, each with its limits; nil: none
	Rate     int      // requests a minute of clients without a rate of their own, 0 for no limit
	Parallel int      // requests at a time, the same

	Proxies []netip.Prefix // of proxies that are believed about their clients' addresses

	// IsOwnerOnly serves the person who runs the server: every key that is not empty is accepted, but only in requests
	// that name this machine in the Host header and that no proxy passed on. A web page can have its name resolve to a
	// loopback address, and a proxy makes everybody look local. It excludes Keys, Clients and Proxies.
	IsOwnerOnly bool
}

// Limits bound what a request may cost. Change those of [DefaultLimits]: a zero here is a limit of zero.
type Limits struct {
	Body        int64         // bytes of a request
	Header      int           // bytes of its header
	ReadHeader  time.Duration // for a client to send its header
	ReadBody    time.Duration // for it to send its body
	Write       time.Duration // for it to take an answer
	Idle        time.Duration // for a connection between two requests
	Shutdown    time.Duration // for what runs to end after the server was told to
	Connections int           // at a time
	Working     int           // pictures and edits that engines work on at a time
	Texts       int           // texts, the same
	Drain       time.Duration // for load balancers to look away before the shutdown begins
	Waiting     int           // requests that wait for that; more are refused
	Cache       int64         // bytes of pictures kept by nonce
}

// DefaultLimits suit one person or a small group.
func DefaultLimits() Limits {
	return Limits{
		Body: 4 << 20, Header: 64 << 10,
		ReadHeader: 10 * time.Second, ReadBody: 10 * time.Second, Write: 60 * time.Second, Idle: 60 * time.Second,
		Shutdown:    5 * time.Second,
		Connections: 512, Working: 64, Texts: 512, Waiting: 256, Cache: 64 << 20,
	}
}

// Server answers the service contract. It is safe for concurrent use.
type Server struct {
	Options              // complete: with defaults for what was not set
	keys      [][32]byte // hashes, so that the time of comparing them reveals nothing
	guesses   *guessLimiter
	fetcher   *fetch.Fetcher
	memory    *semaphore.Weighted // for the sources of all requests together
	cache     *cache
	pictures  *requestLimiter
	texts     *requestLimiter
	strangers *semaphore.Weighted // long bodies whose key is not known yet
	clients   *clientLimiter
	draining  atomic.Bool
}

// New returns a [Server].
func New(o Options) (*Server, error) {
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("new server: %w", err)
	}
	if o.Catalogue == nil {
		o.Catalogue = sync.OnceValue(api.Default)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Ready == nil {
		o.Ready = func() error { return nil }
	}
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	s := &Server{
		Options: o, fetcher: fetch.New(o.Fetch),
		memory: semaphore.NewWeighted(sourceMemory), guesses: newGuessLimiter(),
		pictures:  newRequestLimiter(o.Limits.Working, o.Limits.Waiting),
		texts:     newRequestLimiter(o.Limits.Texts, o.Limits.Waiting),
		strangers: semaphore.NewWeighted(maxStrangers),
		clients:   &clientLimiter{rate: o.Access.Rate, parallel: o.Access.Parallel, states: map[string]*clientState{}},
		cache:     newCache(o.Limits.Cache, o.Log),
	}
	for _, k := range o.Access.Keys {
		s.keys = append(s.keys, hashOf(k))
	}
	return s, nil
}

// validate refuses options that would serve nothing, or people who were not meant.
func (o Options) validate() error {
	a := o.Access
	withKeys := len(a.Keys) > 0 || a.Clients != nil
	switch {
	case o.Engine == nil:
		return errors.New("no engine")
	case !withKeys && !a.IsOwnerOnly:
		return errors.New("no keys, and not for the owner only")
	case a.IsOwnerOnly && (withKeys || len(a.Proxies) > 0):
		return errors.New("for the owner only, and yet with keys or proxies")
	}
	for _, k := range a.Keys {
		if len(k) < MinKeyLength {
			return fmt.Errorf("an accepted key has fewer than %d bytes", MinKeyLength)
		}
	}
	return nil
}

// Handler serves the contract below /api/, and /healthz, /readyz and /openapi.json.
func (s *Server) Handler() http.Handler { return http.HandlerFunc(s.serve) }

// farewellTime is how long requests that are cut off have to say so.
const farewellTime = time.Second

// Serve answers on l until ctx ends, lets what runs finish for as long as [Limits] allow, then stops it. It closes l.
// The error is nil after such an end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	h := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: s.Limits.ReadHeader,
		IdleTimeout:       s.Limits.Idle,
		MaxHeaderBytes:    s.Limits.Header,
		BaseContext:       func(net.Listener) context.Context { return base },
		// Nothing may reach the terminal past the log.
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	ended := make(chan struct{})
	closed := make(chan struct{})
	safego.Go(s.Log, "server shutdown", func() {
		defer close(closed)
		select {
		case <-ctx.Done():
		case <-ended:
			return
		}
		s.draining.Store(true)
		select { // /readyz says that the server is going, for as long as load balancers need to notice
		case <-time.After(s.Limits.Drain):
		case <-base.Done():
		}
		grace, cancel := context.WithTimeout(base, s.Limits.Shutdown)
		defer cancel()
		if err := h.Shutdown(grace); err != nil {
			s.Log.Warn("Cut off what still ran", "error", err)
			stop(goingDown())
			farewell, cancel := context.WithTimeout(context.WithoutCancel(base), farewellTime)
			defer cancel()
			if h.Shutdown(farewell) != nil {
				_ = h.Close() // the listener is closed already; nothing can be done about the rest
			}
		}
	}, nil)
	err := h.Serve(netutil.LimitListener(l, s.Limits.Connections))
	close(ended)
	<-closed
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}
