package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/metrics"
	"confab/internal/safego"
	"confab/internal/sshserver"
	"confab/internal/termtext"
	"confab/service/api"
)

// sshGrace is how long screens and commands have to end when the server does.
const sshGrace = 4 * time.Second

// sshGarbage is how much the memory may grow, in percent of what is in use,
// before it is collected.
const sshGarbage = 50

// sshFlags are those of ssh.
type sshFlags struct {
	listen  string
	keys    string
	hostKey string
	metrics string
	quiet   bool
}

func (a *app) sshCommand() *cobra.Command {
	var f sshFlags
	cmd := &cobra.Command{
		Use:   "ssh",
		Short: "Serve the screen over SSH, to people who only have ssh",
		Long: `Serve the screen over SSH until ctrl+c. Everybody whose key is authorised gets a screen with a history, pictures and drafts of their own; docs/ssh.md says how to set it up and what it costs.

Who may log in stands in a file like OpenSSH's authorized_keys, or in a folder with one such file for each user. There is no password, nothing is forwarded, no file is served, and nothing is run but ask, where ssh.commands allows it. SIGHUP reads the keys and the limits again. The log goes to standard error.`,
		Example: "confab ssh --authorized-keys ~/.ssh/authorized_keys\nconfab ssh --listen 0.0.0.0:2222 --authorized-keys /etc/confab/keys",
		Args:    a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings := map[string]string{}
			for flag, s := range map[string]struct{ name, value string }{
				"listen": {"ssh.listen", f.listen}, "authorized-keys": {"ssh.authorized_keys", f.keys},
				"host-key": {"ssh.host_key", f.hostKey}, "metrics-listen": {"ssh.metrics_listen", f.metrics},
			} {
				if cmd.Flags().Changed(flag) {
					settings[s.name] = s.value
				}
			}
			if err := a.begin(cmd.Context(), cmd, settings); err != nil {
				return err
			}
			return a.runSSH(cmd.Context(), f, func(ctx context.Context) (config.Config, error) {
				again := newApp(a.env)
				again.flags = a.flags
				err := again.load(ctx, a.settings(cmd, settings))
				return again.cfg, err
			})
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.listen, "listen", "", "listen on this `HOST:PORT` (default 127.0.0.1:2222); port 0 takes a free one")
	fl.StringVar(&f.keys, "authorized-keys", "", "let in the keys of this `FILE|FOLDER`")
	fl.StringVar(&f.hostKey, "host-key", "", "be known by the key of this `FILE`, made when it is not there")
	fl.StringVar(&f.metrics, "metrics-listen", "", "serve /metrics and /healthz on this `HOST:PORT` of loopback")
	fl.BoolVarP(&f.quiet, "quiet", "q", false, "log only what is wrong")
	return cmd
}

// runSSH serves until a signal ends it. load computes the configuration again.
func (a *app) runSSH(ctx context.Context, f sshFlags, load func(context.Context) (config.Config, error)) error {
	o := a.cfg.SSH
	level := slog.LevelInfo
	_ = level.UnmarshalText([]byte(a.cfg.Log.Level)) // "off" is no level
	if f.quiet {
		level = max(level, slog.LevelWarn)
	}
	a.log = slog.New(slog.NewTextHandler(maskedWriter{a}, &slog.HandlerOptions{Level: level}))
	if a.cfg.Log.Level == "off" {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.serving = true
	if a.env.get("GOGC") == "" {
		// Hundreds of screens that mostly wait: memory is dearer than the time to
		// look through it.
		defer debug.SetGCPercent(debug.SetGCPercent(sshGarbage))
	}
	house, err := a.newHouse(ctx)
	if err != nil {
		return err
	}
	defer house.close(ctx)
	counts := metrics.New()
	srv, err := sshserver.New(sshserver.Options{
		House: house, Keys: a.authorizedKeys(), HostKey: a.hostKey(), Commands: o.Commands, Log: a.log, Metrics: counts,
		HasData: house.hasData,
		Limits:  sshLimits(o),
	})
	if err != nil {
		return &api.Error{Code: api.CodeConfig, Message: err.Error(), Err: err}
	}
	unlock, err := a.lockServer()
	if err != nil {
		return err
	}
	defer unlock()
	reload := sshReload{app: a, load: load, server: srv, house: house, running: a.cfg, terminals: terminalsOf(a.env)}
	ctx, stop := a.untilSignal(ctx, reload.hangup)
	defer stop()
	l, err := listen(ctx, o.Listen)
	if err != nil {
		return err
	}
	if err := a.serveFacts(ctx, srv, o.MetricsListen); err != nil {
		return errors.Join(err, l.Close())
	}
	for _, note := range srv.Notes() {
		a.warn("%s", note)
	}
	a.say(fmt.Sprintf("confab serves screens by ssh on %s; ctrl+c ends it. The host key is %s", l.Addr(), srv.Fingerprint()))
	if host, _, err := net.SplitHostPort(l.Addr().String()); err == nil && !net.ParseIP(host).IsLoopback() {
		a.say("it can be reached from other machines")
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		a.say("no memory limit is set; GOMEMLIMIT=1600MiB, for example, lets the collector keep below it")
	}
	if err := srv.Serve(ctx, l, sshGrace); err != nil {
		return &api.Error{Code: api.CodeService, Message: "serving ended unexpectedly", Err: err}
	}
	return nil
}

// listen opens a port.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, &api.Error{Code: api.CodeNetwork, Message: fmt.Sprintf("cannot listen on %s; it may be taken already, or not be of this machine", termtext.Line(addr)), Err: err}
	}
	return l, nil
}

// serveFacts serves metrics and health in the background, where asked for.
func (a *app) serveFacts(ctx context.Context, srv *sshserver.Server, addr string) error {
	if addr == "" {
		return nil
	}
	l, err := listen(ctx, addr)
	if err != nil {
		return err
	}
	a.say(fmt.Sprintf("metrics are on http://%s/metrics, health on /healthz", l.Addr()))
	ctx = context.WithoutCancel(ctx) // they can be read until the very end
	safego.Go(a.log, "metrics", func() {
		if err := srv.ServeFacts(ctx, l); err != nil {
			a.log.Error("Metrics are not served any more", "error", err)
		}
	}, nil)
	return nil
}

// authorizedKeys returns where the keys of users are.
func (a *app) authorizedKeys() string {
	if path := a.cfg.SSH.AuthorizedKeys; path != "" {
		return path
	}
	return filepath.Join(filepath.Dir(a.cfg.Paths.ConfigFile), "authorized_keys")
}

// hostKey returns where the host key is or will be.
func (a *app) hostKey() string {
	if path := a.cfg.SSH.HostKey; path != "" {
		return path
	}
	return filepath.Join(a.cfg.Paths.State, "ssh_host_key")
}

// userPaths are where the things of a served user are kept: below one folder,
// of which only files can be named by the user.
func userPaths(of config.Paths, id string) (p config.Paths, folder, files string) {
	folder = filepath.Join(of.Data, "users", id)
	files = filepath.Join(folder, "files")
	p = of
	p.Data = folder
	p.History = filepath.Join(folder, "history.db")
	p.Drafts = filepath.Join(folder, "drafts")
	p.State = filepath.Join(folder, "state")
	p.Pictures = filepath.Join(files, "pictures")
	p.Exports = filepath.Join(files, "exports")
	return p, folder, files
}

// lines joins sentences to the user with line breaks.
func lines(texts ...string) string {
	var all []string
	for _, t := range texts {
		if t != "" {
			all = append(all, t)
		}
	}
	return strings.Join(all, "\n")
}
