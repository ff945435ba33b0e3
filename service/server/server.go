package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"confab/internal/safe"
	"confab/service/api"
	"confab/service/engine"
)

// Options say what a [Server] serves. Engine is required.
type Options struct {
	Engine    engine.Engine
	Catalogue api.Catalogue // none: the default one
	Keys      []string      // accepted keys; none: any that is not empty
	Log       *slog.Logger  // nil discards it; no prompt and no key is written to it
	Limits    Limits        // zero fields are those of [DefaultLimits]
	Files     *Files        // published pictures; nil publishes none
	Fetch     Fetch         // how the sources of edits are fetched
}

// Limits bound what a request may cost.
type Limits struct {
	Body        int64         // bytes of a request
	Header      int           // bytes of its header
	ReadHeader  time.Duration // for a client to send its header
	ReadBody    time.Duration // for it to send its body
	Write       time.Duration // for it to take an answer
	Idle        time.Duration // for a connection between two requests
	Shutdown    time.Duration // for what runs to end after the server was told to
	Connections int           // at a time
	Working     int           // requests that an engine works on at a time
	Waiting     int           // requests that wait for that; more are refused
	Cache       int64         // bytes of pictures kept by nonce
}

// DefaultLimits suit one person or a small group.
func DefaultLimits() Limits {
	return Limits{
		Body: 1 << 20, Header: 64 << 10,
		ReadHeader: 10 * time.Second, ReadBody: 10 * time.Second, Write: 60 * time.Second, Idle: 60 * time.Second, Shutdown: 5 * time.Second,
		Connections: 512, Working: 64, Waiting: 256, Cache: 64 << 20,
	}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	set(&l.Body, d.Body)
	set(&l.Header, d.Header)
	set(&l.ReadHeader, d.ReadHeader)
	set(&l.ReadBody, d.ReadBody)
	set(&l.Write, d.Write)
	set(&l.Idle, d.Idle)
	set(&l.Shutdown, d.Shutdown)
	set(&l.Connections, d.Connections)
	set(&l.Working, d.Working)
	set(&l.Waiting, d.Waiting)
	set(&l.Cache, d.Cache)
	return l
}

func set[T comparable](field *T, fallback T) {
	var zero T
	if *field == zero {
		*field = fallback
	}
}

// Server answers the service contract. It is safe for concurrent use.
type Server struct {
	engine    engine.Engine
	catalogue api.Catalogue
	keys      [][32]byte // hashes, so that comparing them tells nothing
	log       *slog.Logger
	limits    Limits
	files     *Files
	fetch     *fetcher
	cache     *cache
	work      *gate
}

// New returns a [Server].
func New(o Options) (*Server, error) {
	if o.Engine == nil {
		return nil, errors.New("new server: no engine")
	}
	if len(o.Catalogue.Models()) == 0 {
		o.Catalogue = api.Default()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	limits := o.Limits.orDefault()
	s := &Server{
		engine: o.Engine, catalogue: o.Catalogue, log: o.Log, limits: limits, files: o.Files,
		fetch: newFetcher(o.Fetch),
		work:  newGate(limits.Working, limits.Waiting),
	}
	s.cache = newCache(limits.Cache, o.Log)
	for _, k := range o.Keys {
		if k == "" {
			return nil, errors.New("new server: an accepted key is empty")
		}
		s.keys = append(s.keys, hashOf(k))
	}
	return s, nil
}

// Handler serves the contract below /api/ and the published pictures below
// /pictures/.
func (s *Server) Handler() http.Handler { return http.HandlerFunc(s.serve) }

// Serve answers on l until ctx ends, lets what runs finish for as long as
// [Limits] allow, then stops it. It closes l. The error is nil after such an
// end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	h := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: s.limits.ReadHeader,
		IdleTimeout:       s.limits.Idle,
		MaxHeaderBytes:    s.limits.Header,
		BaseContext:       func(net.Listener) context.Context { return base },
		// Nothing may reach the terminal past the log.
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	ended := make(chan struct{})
	closed := make(chan struct{})
	safe.Go(s.log, "server shutdown", func() {
		defer close(closed)
		select {
		case <-ctx.Done():
		case <-ended:
			return
		}
		grace, cancel := context.WithTimeout(base, s.limits.Shutdown)
		defer cancel()
		if err := h.Shutdown(grace); err != nil {
			s.log.Warn("Cut off what still ran", "error", err)
			stop()
			_ = h.Close() // the listener is closed already; nothing can be done about the rest
		}
	}, nil)
	err := h.Serve(netutil.LimitListener(l, s.limits.Connections))
	close(ended)
	<-closed
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}
