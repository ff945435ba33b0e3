package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/fileio"
	"confab/internal/format"
	"confab/internal/netaddr"
	"confab/internal/safego"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/engine"
	"confab/service/problem"
	"confab/service/server"
)

// serveFlags holds the flags of confab serve.
type serveFlags struct {
	keys    []string
	keyFile string
}

// serveCommand returns confab serve.
func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := a.command("serve", "Serve the embedded service over HTTP, for other programs", a.noCommand,
		func(ctx context.Context, _ []string) error { return a.runServe(ctx, f) })
	fl := cmd.Flags()
	a.settingFlag(fl, "addr", "serve.addr",
		"listen on this `HOST:PORT` (default 127.0.0.1:4141); port 0 takes a free one")
	fl.StringArrayVar(&f.keys, "key", nil, "accept this `KEY` (repeatable)")
	fl.StringVar(&f.keyFile, "key-file", "", "accept the keys in this `FILE`, one per line")
	a.quietFlag(fl, "print no line per request")
	cmd.AddCommand(a.serveKeysCommand())
	return cmd
}

// serveGCPercent is how much the heap may grow, in percent of what is live, before it is collected. With the usual
// 100 a server this small collects many times a second, a sixth of its work.
const serveGCPercent = 400

// runServe serves until a signal ends it.
func (a *app) runServe(ctx context.Context, f serveFlags) error {
	keys, err := f.readKeys()
	if err != nil {
		return err
	}
	a.secrets.Add(keys...)
	settings := a.config.Serve
	clients, err := a.loadClients()
	if err != nil {
		return err
	}
	isLoopback := server.IsLoopbackAddress(settings.Addr)
	isOwnerOnly := len(keys) == 0 && clients == nil
	const makeKey = "make a key with confab serve keys add, or give it one with --key-file"
	switch {
	case isOwnerOnly && !isLoopback:
		return problem.Usage("%s can be reached from other machines, and there is no key; %s",
			termtext.Line(settings.Addr), makeKey)
	case isOwnerOnly && len(settings.TrustedProxies)+len(settings.ProxyProtocolFrom) > 0:
		return problem.Usage("serve.trusted_proxies or serve.proxy_protocol_from is set, so others may reach it, and "+
			"there is no key; %s", makeKey)
	}
	log, closeLog := a.newAccessLog()
	defer closeLog()
	defer a.tuneCollector(serveGCPercent)()
	router, err := a.routerWith(log)
	if err != nil {
		return err
	}
	o := a.serveOptions(log, router, clients)
	o.Access.Keys = keys
	// Addresses on loopback may be fetched for the owner alone; others get public addresses.
	o.Access.IsOwnerOnly, o.Fetch.AllowsLoopback, o.TakesExtra = isOwnerOnly, isOwnerOnly, isOwnerOnly
	srv, err := server.New(o)
	if err != nil {
		return fmt.Errorf("make the service: %w", err)
	}
	ctx, stop := a.untilSignal(ctx, nil)
	defer stop()
	l, err := listenTCP(ctx, settings.Addr, settings.ProxyProtocolFrom...)
	if err != nil {
		return err
	}
	checksEnded := make(chan struct{})
	safego.Go(log, "engine checks", func() {
		defer close(checksEnded)
		router.Watch(ctx, settings.HealthInterval.Duration)
	},
		nil)
	a.printGreeting(l, o, isLoopback)
	err = srv.Serve(ctx, l)
	stop()
	<-checksEnded
	if err != nil {
		return &api.Error{Code: api.CodeService, Message: "serving ended unexpectedly", Err: err}
	}
	return nil
}

// serveOptions returns the options of the server that the configuration sets.
func (a *app) serveOptions(log *slog.Logger, router *engine.Router, clients *server.Keys) server.Options {
	settings := a.config.Serve
	limits := server.DefaultLimits()
	limits.Body, limits.Connections = int64(settings.MaxBody), settings.MaxConnections
	limits.Texts, limits.Working, limits.Waiting = settings.MaxTexts, settings.MaxPictures, settings.MaxWaiting
	limits.Drain, limits.Shutdown = settings.Drain.Duration, settings.Shutdown.Duration
	limits, warning := limitToOpenFiles(limits, maxOpenFiles())
	if warning != "" && clients != nil { // one person does not ask for as many
		a.warn("%s", warning)
	}
	return server.Options{
		Engine: router, Catalogue: a.catalogue, Limits: limits,
		Access: server.Access{Clients: clients, Rate: settings.Rate, Parallel: settings.Parallel,
			Proxies: netaddr.Networks(settings.TrustedProxies)},
		Ready: func() error { return a.checkReady(router) }, Log: log,
	}
}

// loadClients returns the keys that were made with confab serve keys, and nil when there are none.
func (a *app) loadClients() (*server.Keys, error) {
	keys := server.NewKeys(a.config.Paths.ServeKeys)
	all, err := keys.List()
	if err != nil {
		return nil, &api.Error{Code: api.CodeConfig, Message: "the keys of confab serve cannot be read", Err: err}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return keys, nil
}

// printGreeting says what is served where, and warns of prompts that travel unencrypted.
func (a *app) printGreeting(l net.Listener, o server.Options, isLoopback bool) {
	what := "its engines"
	if a.endpoint().IsSimulated {
		what = "simulated answers"
	}
	a.info(fmt.Sprintf("confab serves %s on http://%s; ctrl+c ends it", what, l.Addr()))
	if o.Access.IsOwnerOnly {
		a.info("there is no key, so it serves only you: requests to localhost and loopback addresses, with any key " +
			"that is not empty")
	}
	if !isLoopback && len(o.Access.Proxies) == 0 {
		a.warn("prompts and keys travel readable by anyone between: put a proxy with TLS in front")
	}
}

// readKeys returns the API keys of --key and --key-file.
func (f serveFlags) readKeys() ([]string, error) {
	keys := f.keys
	if f.keyFile != "" {
		if err := checkSecretFile(f.keyFile); err != nil {
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
			return nil, problem.Usage("the key file %s holds no key", termtext.Line(filepath.Base(f.keyFile)))
		}
	}
	for _, k := range keys {
		if len(strings.TrimSpace(k)) < server.MinKeyLength {
			return nil, problem.Usage("a key is shorter than %d characters and could be guessed; confab serve keys "+
				"add makes one that cannot", server.MinKeyLength)
		}
	}
	return keys, nil
}

// checkSecretFile refuses the file of --key-file when others on this machine can use it. A missing file is not an error
// here: reading it will be.
func checkSecretFile(path string) error {
	info, err := os.Stat(path)
	if err != nil || !fileio.OthersMay(0o077, info) {
		return nil
	}
	return &api.Error{Code: api.CodeConfig, Err: fs.ErrPermission, Message: fmt.Sprintf(
		"--key-file: the file %s can be read by others on this machine: run chmod 600 on it", termtext.Line(path))}
}

// reservedFiles is how many open files are kept for what is neither a client nor an engine: the keys, the log, health
// checks.
const reservedFiles = 64

// limitToOpenFiles lowers limits so that the files the process may open (most; 0 when unknown) are enough: one for
// each connection and one more for the engine that answers on it. Connections beyond that wait to be accepted;
// without this engines would seem unreachable. warning is not empty when a configured limit cannot be met.
func limitToOpenFiles(l server.Limits, most int) (limited server.Limits, warning string) {
	if most <= 0 {
		return l, ""
	}
	limited = l
	available := max(most-reservedFiles, 2)
	limited.Connections = min(l.Connections, available/2)
	if l.Texts > available-limited.Connections {
		limited.Texts = available - limited.Connections
		warning = fmt.Sprintf("%d texts are written at a time, not the %d of serve.max_texts, because this system "+
			"lets a program open %s; ulimit -n %d before it, or LimitNOFILE= of systemd, raises that",
			limited.Texts, l.Texts, format.Count(most, "file"), 2*l.Texts+reservedFiles)
	}
	return limited, warning
}

// checkReady returns an error when no engine is up, so that load balancers send requests elsewhere. The offline
// engine is always up, so it counts only where a route names it or where there is no other. Only health checks
// decide: a failed request may have been the fault of its prompt, and would keep all others away.
func (a *app) checkReady(router *engine.Router) error {
	countsOffline := len(a.config.Routes) == 0 || slices.ContainsFunc(a.config.Routes, func(r config.Route) bool {
		return r.Engine == config.Offline
	})
	for _, s := range router.Statuses() {
		if (s.Engine != config.Offline || countsOffline) && s.CheckFailure == "" {
			return nil
		}
	}
	return errors.New("no engine is up")
}
