package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/metrics"
	"confab/internal/safego"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/engine/route"
	"confab/service/server"
)

// serveFlags are those of serve.
type serveFlags struct {
	addr    string
	keys    []string
	keyFile string
	quiet   bool
}

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the embedded service over HTTP, for other programs",
		Long: `Serve the embedded service over HTTP until ctrl+c. The engines of the configuration answer; without any, and for models without a route, the offline engine simulates.

Keys are made with confab serve keys add. Without a key it serves only you: on loopback, with any key that is not empty. Keys on the command line can be read by every user of this machine; --key-file holds one per line, of 16 characters at least, and must be readable by its owner only. One line per request goes to standard error. [serve] of the configuration holds everything else: limits, TLS, proxies, metrics, the cache of pictures.`,
		Example: "confab serve\nconfab serve keys add laptop\nconfab serve --addr 0.0.0.0:4141",
		Args:    a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			more := map[string]string{}
			if cmd.Flags().Changed("addr") {
				more["serve.addr"] = f.addr
			}
			if _, _, err := net.SplitHostPort(f.addr); err != nil {
				return usage("--addr takes host:port, such as 127.0.0.1:4141")
			}
			if err := a.begin(cmd.Context(), cmd, more); err != nil {
				return err
			}
			return a.runServe(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.addr, "addr", "127.0.0.1:4141", "listen on this `HOST:PORT`; port 0 takes a free one")
	fl.StringArrayVar(&f.keys, "key", nil, "accept this `KEY` (repeatable)")
	fl.StringVar(&f.keyFile, "key-file", "", "accept the keys in this `FILE`, one per line")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "print no line per request")
	cmd.AddCommand(a.serveKeysCommand())
	return cmd
}

// runServe serves until a signal ends it.
func (a *app) runServe(ctx context.Context, f serveFlags) error {
	keys, err := f.accepted()
	if err != nil {
		return err
	}
	a.secrets.add(keys...)
	set := a.cfg.Serve
	clients, err := a.clients()
	if err != nil {
		return err
	}
	local := server.Loopback(set.Addr)
	ownerOnly := len(keys) == 0 && clients == nil
	const makeKey = "make a key with confab serve keys add, or give it one with --key-file"
	switch {
	case ownerOnly && !local:
		return usage("%s can be reached from other machines, and there is no key; %s", termtext.Line(set.Addr), makeKey)
	case ownerOnly && len(set.TrustedProxies) > 0:
		return usage("serve.trusted_proxies is set, so others may reach it, and there is no key; %s", makeKey)
	}
	log, endLog := a.accessLog(f.quiet)
	defer endLog()
	floor := a.garbageFloor()
	defer runtime.KeepAlive(floor)
	router, err := a.engines(log)
	if err != nil {
		return err
	}
	o, err := a.serveOptions(log, router, local, clients, len(floor))
	if err != nil {
		return err
	}
	o.Keys = keys
	o.OwnerOnly, o.Fetch.AllowLoopback = ownerOnly, ownerOnly // loopback is the owner's alone, others get public addresses
	srv, err := server.New(o)
	if err != nil {
		return fmt.Errorf("make the service: %w", err)
	}
	ctx, stop := a.interruptible(ctx)
	defer stop()
	l, err := a.listen(ctx, set.Addr)
	if err != nil {
		return err
	}
	closeOperations, err := a.operations(ctx, log, srv)
	if err != nil {
		_ = l.Close() // nothing was served on it
		return err
	}
	defer closeOperations()
	watching := make(chan struct{})
	safego.Go(log, "engine checks", func() { defer close(watching); router.Watch(ctx, set.HealthInterval) }, nil)
	a.greet(l, o, local)
	err = srv.Serve(ctx, l)
	stop()
	<-watching
	if err != nil {
		return &api.Error{Code: api.CodeService, Message: "serving ended unexpectedly", Err: err}
	}
	return nil
}

// serveOptions are those of the server, as configured.
func (a *app) serveOptions(log *slog.Logger, router *route.Router, local bool, clients *server.Keys, floor int) (server.Options, error) {
	set := a.cfg.Serve
	catalogue, err := a.catalogue()
	if err != nil {
		return server.Options{}, err
	}
	limits, said := withinFiles(server.Limits{
		Body: set.MaxBody, Connections: set.MaxConnections, Texts: set.MaxTexts, Working: set.MaxPictures, Waiting: set.MaxWaiting,
		Drain: set.Drain, Shutdown: set.Shutdown,
	}, openFiles())
	if said != "" {
		a.warn("%s", said)
	}
	o := server.Options{
		Log: log, Engine: router, Catalogue: catalogue, Clients: clients, Rate: set.Rate, Quota: set.Quota,
		UsageFolder: filepath.Join(a.cfg.Paths.ServeKeys, "usage"),
		CacheFolder: a.cfg.Paths.ServeCache, CacheSize: set.CacheSize, Metrics: metrics.New(),
		LocalMetrics: local && set.MetricsAddr == "" && len(set.TrustedProxies) == 0,
		Limits:       limits,
		Ready:        func() error { return a.readiness(router) },
	}
	for _, p := range set.TrustedProxies {
		network, err := netip.ParsePrefix(p)
		if one, wrong := netip.ParseAddr(p); wrong == nil {
			network, err = one.Prefix(one.BitLen())
		}
		if err != nil {
			return o, &api.Error{Code: api.CodeConfig, Message: "serve.trusted_proxies holds what is no network", Err: err}
		}
		o.Proxies = append(o.Proxies, network)
	}
	engineFigures(o.Metrics, router, floor)
	o.TLS, err = certificate(set.TLSCert, set.TLSKey, o.Log)
	return o, err
}

// clients are the keys made for others; nil when there are none.
func (a *app) clients() (*server.Keys, error) {
	keys := server.NewKeys(a.cfg.Paths.ServeKeys)
	all, err := keys.List()
	if err != nil {
		return nil, &api.Error{Code: api.CodeConfig, Message: "the keys of confab serve cannot be read", Err: err}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return keys, nil
}

// readiness says why no request should be sent here: no engine is up. The
// offline one is always up, so it counts only where it is meant to answer for
// others, or is alone. Only health checks tell: a request that failed may have
// been the fault of its prompt, and would stop all others.
func (a *app) readiness(router *route.Router) error {
	offline := len(a.cfg.Routes) == 0 || slices.ContainsFunc(a.cfg.Routes, func(r config.Route) bool { return r.Fallback == config.Offline || r.Engine == config.Offline })
	for _, s := range router.States() {
		if (s.Engine != config.Offline || offline) && s.Ill == "" {
			return nil
		}
	}
	return errors.New("no engine is up")
}

// engineFigures adds what is known of the engines and the process to the
// metrics. floor is what garbageFloor took.
func engineFigures(r *metrics.Registry, router *route.Router, floor int) {
	read := func(value func(route.State) float64) func() []metrics.Sample {
		return func() []metrics.Sample {
			var all []metrics.Sample
			for _, s := range router.States() {
				all = append(all, metrics.Sample{Values: []string{s.Engine, s.Address}, Value: value(s)})
			}
			return all
		}
	}
	labels := []string{"engine", "replica"}
	r.Func("confab_engine_up", "Whether a replica of an engine is up.", labels, read(func(s route.State) float64 {
		if s.Up {
			return 1
		}
		return 0
	}))
	r.Func("confab_engine_in_flight", "Requests that a replica works on.", labels, read(func(s route.State) float64 { return float64(s.Busy) }))
	r.CounterFunc("confab_engine_answers_total", "Requests that a replica answered.", labels, read(func(s route.State) float64 { return float64(s.Done) }))
	r.CounterFunc("confab_engine_failures_total", "Requests that failed for a replica's own reasons.", labels, read(func(s route.State) float64 { return float64(s.Failed) }))
	r.Func("confab_goroutines", "Goroutines of the process.", nil, func() []metrics.Sample { return []metrics.Sample{{Value: float64(runtime.NumGoroutine())}} })
	r.Func("confab_heap_bytes", "Bytes of live memory.", nil, func() []metrics.Sample {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return []metrics.Sample{{Value: float64(m.HeapAlloc - uint64(floor))}}
	})
}

func (a *app) listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, &api.Error{Code: api.CodeNetwork, Message: fmt.Sprintf("cannot listen on %s; it may be taken already, or not be of this machine", termtext.Line(addr)), Err: err}
	}
	return l, nil
}

// operations serves metrics and health on their own address, where one is
// configured, until what it returns is called.
func (a *app) operations(ctx context.Context, log *slog.Logger, srv *server.Server) (end func(), err error) {
	addr := a.cfg.Serve.MetricsAddr
	if addr == "" {
		return func() {}, nil
	}
	l, err := a.listen(ctx, addr)
	if err != nil {
		return nil, err
	}
	h := &http.Server{Handler: srv.Operations(), ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	over := make(chan struct{})
	safego.Go(log, "metrics", func() { defer close(over); _ = h.Serve(l) }, nil) // it ends when it is closed
	a.say(fmt.Sprintf("metrics and health on http://%s", l.Addr()))
	return func() { _ = h.Close(); <-over }, nil
}

// greet says what is served where, and what to think of.
func (a *app) greet(l net.Listener, o server.Options, local bool) {
	what, scheme := "its engines", "http"
	if simulated(a.answerers()) {
		what = "simulated answers"
	}
	if o.TLS != nil {
		scheme = "https"
	}
	a.say(fmt.Sprintf("confab serves %s on %s://%s; ctrl+c ends it", what, scheme, l.Addr()))
	if o.OwnerOnly {
		a.say("there is no key, so it serves only you: requests to localhost and loopback addresses, with any key that is not empty")
	}
	if !local && o.TLS == nil && len(o.Proxies) == 0 {
		a.warn("prompts and keys travel readable by anyone between: set serve.tls_cert and serve.tls_key, or put a proxy with TLS in front")
	}
}

// accepted returns the keys of the flags.
func (f serveFlags) accepted() ([]string, error) {
	keys := f.keys
	if f.keyFile != "" {
		if err := judgeSecretFile("--key-file", f.keyFile); err != nil {
			return nil, err
		}
		b, err := readBounded(f.keyFile, 1<<20)
		if err != nil {
			return nil, err
		}
		n := len(keys)
		for line := range strings.SplitSeq(string(b), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				keys = append(keys, line)
			}
		}
		if len(keys) == n {
			return nil, usage("the key file %s holds no key", termtext.Line(filepath.Base(f.keyFile)))
		}
	}
	for _, k := range keys {
		if len(strings.TrimSpace(k)) < server.MinKeyLength {
			return nil, usage("a key is shorter than %d characters and could be guessed; confab serve keys add makes one that cannot", server.MinKeyLength)
		}
	}
	return keys, nil
}
