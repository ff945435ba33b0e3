package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/sshserver"
	"confab/internal/termtext"
	"confab/service/api"
)

// sshShutdownTimeout is how long screens and commands may take to end when the server stops.
const sshShutdownTimeout = 4 * time.Second

// sshGCPercent is how much the heap may grow, in percent of what is live, before it is collected. Hundreds of screens
// mostly wait, so memory matters more than the time that the collector takes.
const sshGCPercent = 40

// sshCommand returns confab ssh.
func (a *app) sshCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "ssh",
		Short: "Serve the screen over SSH, to people who only have ssh",
		Args:  a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if check {
				return a.checkSSH(cmd.Context())
			}
			if err := a.begin(cmd.Context()); err != nil {
				return err
			}
			return a.runSSH(cmd.Context())
		},
	}
	fl := cmd.Flags()
	a.settingFlag(fl, "listen", "ssh.listen",
		"listen on this `HOST:PORT` (default 127.0.0.1:2222); port 0 takes a free one")
	a.settingFlag(fl, "authorized-keys", "ssh.authorized_keys", "let in the keys of this `FILE|FOLDER`")
	a.settingFlag(fl, "host-key", "ssh.host_key", "be known by the key of this `FILE`, made when it is not there")
	a.settingFlag(fl, "health-listen", "ssh.health_listen",
		"serve /healthz and /readyz on this `HOST:PORT`")
	cmd.AddCommand(a.sshUsersCommand())
	fl.BoolVar(&check, "check", false, "serve nothing: say whether everything is as it must be")
	a.quietFlag(fl, "log only what is wrong")
	return cmd
}

// runSSH serves until a signal ends it.
func (a *app) runSSH(ctx context.Context) error {
	settings := a.config.SSH
	level := a.config.Log.Level
	if a.flags.quiet && (level == "debug" || level == "info") {
		level = "warn"
	}
	a.useLog(newLog(level, maskedLogWriter{a}))
	a.servesOthers = true
	defer a.tuneCollector(sshGCPercent)()
	handler, err := a.newSSHHandler(ctx)
	if err != nil {
		return err
	}
	defer handler.close(ctx)
	options := a.sshOptions(handler)
	srv, err := sshserver.New(options)
	if err != nil {
		return &api.Error{Code: api.CodeConfig, Message: err.Error(), Err: err}
	}
	unlock, err := a.lockSSHServer()
	if err != nil {
		return err
	}
	defer unlock()
	reload := sshReload{
		app: a, server: srv, handler: handler, current: a.config, startTerminals: terminalsOf(a.env),
	}
	ctx, stop := a.untilSignal(ctx, reload.handleSignal, drainSignals()...)
	defer stop()
	l, err := listenTCP(ctx, settings.Listen, settings.ProxyProtocolFrom...)
	if err != nil {
		return err
	}
	stopHealth, err := a.serveHealth(ctx, a.log, settings.HealthListen, srv.HealthHandler())
	if err != nil {
		return errors.Join(err, l.Close())
	}
	defer stopHealth()
	defer handler.database.start(ctx, handler)()
	a.printSSHGreeting(srv, l.Addr())
	if err := srv.Serve(ctx, l, sshShutdownTimeout); err != nil {
		return &api.Error{Code: api.CodeService, Message: "serving ended unexpectedly", Err: err}
	}
	return nil
}

// sshOptions returns the options of the server as the configuration sets them.
func (a *app) sshOptions(handler *sshHandler) sshserver.Options {
	return sshserver.Options{
		Handler: handler, Keys: a.config.Paths.AuthorizedKeys, HostKey: a.config.Paths.HostKey,
		Commands: a.config.SSH.Commands, Log: a.log, Limits: sshLimits(a.config.SSH),
		TrustedUserCAKeys: a.config.SSH.TrustedUserCAKeys, Ready: handler.database.ready,
	}
}

// printSSHGreeting says where the server listens and what the operator should know about its keys and limits.
func (a *app) printSSHGreeting(srv *sshserver.Server, address net.Addr) {
	for _, note := range srv.Notes() {
		a.warn("%s", note)
	}
	a.info(fmt.Sprintf("confab serves screens by ssh on %s; ctrl+c ends it. The host key is %s", address,
		srv.Fingerprint()))
	if host, _, err := net.SplitHostPort(address.String()); err == nil && !net.ParseIP(host).IsLoopback() {
		a.info("it can be reached from other machines")
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		a.info("no memory limit is set; GOMEMLIMIT=1600MiB, for example, lets the collector keep below it")
	}
}

// pathsOfUser returns where the data of a served user is kept: everything below folder, of which the user can name
// only what is below files.
func pathsOfUser(operator config.Paths, id string) (p config.Paths, folder, files string) {
	folder = filepath.Join(operator.Data, "users", id)
	files = filepath.Join(folder, "files")
	p = operator
	p.Data = folder
	p.History = filepath.Join(folder, "history.db")
	p.Drafts = filepath.Join(folder, "drafts")
	p.State = filepath.Join(folder, "state")
	p.Pictures = filepath.Join(files, "pictures")
	p.Exports = filepath.Join(files, "exports")
	return p, folder, files
}

// sshLockFile is locked in the data folder while a server uses it. The system releases the lock when the server dies
// in any way; the file stays.
const sshLockFile = "ssh.lock"

// lockSSHServer ensures that no other server uses the same users or the same host key: the quotas would be counted
// twice, and clients could not tell the servers apart.
func (a *app) lockSSHServer() (unlock func(), err error) {
	data := a.config.Paths.Data
	if err := config.EnsureDir(data); err != nil {
		return nil, err
	}
	locks := []*flock.Flock{
		flock.New(filepath.Join(data, sshLockFile)), flock.New(a.config.Paths.HostKey, flock.SetFlag(os.O_RDONLY)),
	}
	messages := []string{
		fmt.Sprintf("another confab ssh serves the data folder %s already; stop it, or choose another folder with "+
			"--data-dir", termtext.Line(data)),
		fmt.Sprintf("another confab ssh uses the host key %s already; stop it, or choose another file with "+
			"--host-key", termtext.Line(a.config.Paths.HostKey)),
	}
	unlock = func() {
		for _, l := range slices.Backward(locks) {
			if err := l.Close(); err != nil {
				a.log.Warn("Could not unlock a file", "path", l.Path(), "error", err)
			}
		}
	}
	for i, l := range locks {
		locked, err := l.TryLock()
		switch {
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
			continue // this file system has no locks, so nothing can be checked
		case err != nil:
			err = &api.Error{Code: api.CodeDisk, Message: "cannot lock " + termtext.Line(l.Path()), Err: err}
		case !locked:
			err = &api.Error{Code: api.CodeConfig, Message: messages[i]}
		}
		if err != nil {
			unlock()
			return nil, err
		}
	}
	return unlock, nil
}

// sshReload reloads the keys and the configuration of a running confab ssh on SIGHUP. Only the goroutine of the
// signals uses it.
type sshReload struct {
	app            *app
	server         *sshserver.Server
	handler        *sshHandler
	current        config.Config // as last loaded
	startTerminals []any         // the streams that were terminals at the start
}

// terminalsOf returns the streams that are terminals. Standard output does not count: the server writes nothing there.
func terminalsOf(e Env) []any {
	return slices.DeleteFunc([]any{e.Stdin, e.Stderr}, func(stream any) bool { return !isTerminal(stream) })
}

// handleSignal handles a signal and reports whether the server continues.
func (r *sshReload) handleSignal(ctx context.Context, s os.Signal) (continues bool) {
	switch {
	case slices.Contains(drainSignals(), s):
		r.server.Drain()
		return true
	case s == syscall.SIGHUP:
		return r.handleHangup(ctx)
	}
	return false
}

// handleHangup handles SIGHUP. It reports false when the server must stop, because its terminal was closed.
func (r *sshReload) handleHangup(ctx context.Context) (continues bool) {
	if slices.ContainsFunc(r.startTerminals, func(stream any) bool { return !isTerminal(stream) }) {
		return false
	}
	r.reload(ctx)
	return true
}

// reload reads the authorised keys and the configuration again. When the configuration has an error, all of it stays
// as it was; the keys are read anyway.
func (r *sshReload) reload(ctx context.Context) {
	log := r.app.log
	fresh := newApp(r.app.env)
	fresh.flags, fresh.settings = r.app.flags, r.app.settings
	err := fresh.load(ctx)
	cfg := fresh.config
	if err != nil {
		log.Error("The configuration cannot be read again; it stays as it was", "error", sentence(err))
		r.apply(r.current.SSH)
		return
	}
	var changed, needRestart []string
	for _, name := range cfg.Changed(r.current) {
		if slices.Contains(reloadedSettings(), name) {
			changed = append(changed, name)
		} else {
			needRestart = append(needRestart, name)
		}
	}
	r.current = cfg
	r.apply(cfg.SSH)
	r.handler.setSettings(&r.current)
	log.Info("Read the configuration again", "changed", strings.Join(changed, " "))
	if len(needRestart) > 0 {
		log.Warn("Some settings have changed that need a restart", "settings", strings.Join(needRestart, " "))
	}
}

// apply gives settings to the server.
func (r *sshReload) apply(o config.SSH) {
	if err := r.server.Reload(sshLimits(o), o.TrustedUserCAKeys, o.Commands); err != nil {
		r.app.log.Error("The authorities stay as they were", "error", termtext.Line(err.Error()))
	}
}

// reloadedSettings returns the settings that take effect without a restart.
func reloadedSettings() []string {
	return []string{
		"ssh.connections", "ssh.per_user", "ssh.idle", "ssh.commands",
		"ssh.trusted_user_ca_keys", "ssh.answers_a_day", "ssh.samples", "ssh.disk",
	}
}

// sshLimits returns the limits that the configuration sets.
func sshLimits(o config.SSH) sshserver.Limits {
	limits := sshserver.DefaultLimits()
	limits.MaxConnections, limits.MaxPerUser, limits.IdleTimeout = o.Connections, o.PerUser, o.Idle.Duration
	return limits
}
