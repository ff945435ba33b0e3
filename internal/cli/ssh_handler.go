package cli

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/safego"
	"confab/internal/sshserver"
	"confab/service"
	"confab/service/pictures"
	"confab/service/problem"
	"confab/themes"
	"confab/ui/keys"
	"confab/ui/screen"
)

// sshHandler opens the screens of served users and runs their commands. It is an [sshserver.Handler]. What all
// sessions can share is made once: the keys, the themes and the operator's connection.
type sshHandler struct {
	app       *app // the operator's own
	keyMap    keys.Map
	palettes  []themes.Palette
	styles    screen.StyleCache
	publisher pictures.Publisher
	limits    atomic.Pointer[config.SSH] // only its quotas are read; they may change while the server runs

	mu    sync.Mutex // held for no longer than the map is used
	users map[string]*sharedUser

	connecting sync.Mutex          // held while the operator's service is connected to
	connection *service.Connection // nil until it is first needed

	database databaseWatch
}

// newSSHHandler loads what all sessions share.
func (a *app) newSSHHandler(ctx context.Context) (*sshHandler, error) {
	h := &sshHandler{app: a, users: map[string]*sharedUser{}}
	h.setSettings(&a.config)
	err := a.openBucket()
	if err != nil {
		return nil, err
	}
	if h.keyMap, err = a.keys(); err != nil {
		return nil, err
	}
	list := a.readThemes()
	h.palettes = list.palettes
	for _, w := range a.themeWarnings(list) {
		a.warn("%s", w)
	}
	if h.publisher, err = a.publisher(); err != nil {
		return nil, err
	}
	if a.config.SSH.Service == "operator" { // now, so that the operator learns of a key that cannot be read
		if err := a.learnKey(ctx); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// setSettings takes over the settings that may change while the server runs.
func (h *sshHandler) setSettings(cfg *config.Config) {
	ssh := cfg.SSH // the next reading of the configuration changes cfg
	h.limits.Store(&ssh)
}

// servedUser is a session of a user: the app that serves the user instead of the operator, and its limits.
type servedUser struct {
	*app
	handler *sshHandler
	session sshserver.Session
	user    *userState
	quota   sessionQuota
}

// serveUser makes the app of a session.
func (h *sshHandler) serveUser(ctx context.Context, v sshserver.Session, env Env) (*servedUser, error) {
	t, err := h.openUser(ctx, v.User)
	if err != nil {
		return nil, err
	}
	env.Environ, env.Version, env.Speed = sessionEnviron(v), h.app.env.Version, h.app.env.Speed
	env.Keyring, env.Ports = h.app.env.Keyring, h.app.env.Ports
	a := newApp(env)
	a.secrets, a.shipped, a.configured, a.log = h.app.secrets, h.app.shipped, h.app.configured, h.app.log
	a.config, a.isLoaded, a.servesOthers = t.cfg, true, true
	if !t.hasOwnService {
		a.engineSet = h.app.engineSet
	}
	if h.app.bucket != nil {
		own := h.app.bucket.Within("users/" + t.id)
		a.bucket = &own
	}
	g := &servedUser{app: a, handler: h, session: v, user: t,
		quota: sessionQuota{t.quota, h.app.log.With("user", t.id, "from", v.RemoteAddr.String())}}
	a.sshUser = &sshUser{operator: h.app, user: t.id, applySettings: g.applySettings, limit: g.limitService}
	return g, nil
}

// end ends a session.
func (g *servedUser) end() {
	if err := g.user.endSession(); err != nil {
		g.handler.app.log.Warn("Could not end a session in good order", "user", g.user.id, "error", err)
	}
}

// sessionEnviron returns the environment of a session: the client's variables that say how to draw, and those that
// mark the terminal as remote.
func sessionEnviron(v sshserver.Session) []string {
	env := append([]string{}, v.Environ...)
	remote, rport, err := net.SplitHostPort(v.RemoteAddr.String())
	local, lport, err2 := net.SplitHostPort(v.LocalAddr.String())
	if err != nil || err2 != nil {
		remote, rport, local, lport = "unknown", "0", "unknown", "0"
	}
	return append(env, fmt.Sprintf("SSH_CONNECTION=%s %s %s %s", remote, rport, local, lport), "SSH_TTY=/dev/ssh")
}

// limitService restricts a service to what a served user may use.
func (g *servedUser) limitService(o *service.Options) {
	o.Limits.IsServed = true
	o.Limits.Quota, o.Limits.MaxSamples = g.quota, g.handler.limits.Load().Samples
	o.Limits.MaxConcurrency = min(o.Limits.Concurrency, g.handler.app.config.Service.Concurrency)
	o.Pictures.CacheBytes, o.Pictures.OtherCopies = int64(g.handler.app.config.Pictures.CacheSize), g.otherCopies
	if !g.handler.app.config.SSH.LocalFiles {
		o.Limits.Root = g.user.filesFolder
	}
	if !g.user.hasOwnService {
		o.Backend.Connect, o.Pictures.Publisher = g.handler.connect, g.handler.publisher
	}
}

// otherCopies returns where the other users of this host have copies of pictures in the bucket.
func (g *servedUser) otherCopies() (all []pictures.Copies) {
	a := g.handler.app
	ids, err := a.userIDs()
	if err != nil {
		a.log.Warn("Could not list the copies of pictures", "error", err)
	}
	for _, id := range ids {
		if id != g.user.id {
			paths, _, _ := pathsOfUser(a.config.Paths, id)
			own := a.bucket.Within("users/" + id)
			all = append(all, pictures.Copies{Folder: paths.Pictures, Bucket: own.Address("")})
		}
	}
	return all
}

// connect returns the operator's connection. All sessions share it, and [sshHandler.close] closes it.
func (h *sshHandler) connect(ctx context.Context) (service.Connection, error) {
	h.connecting.Lock()
	defer h.connecting.Unlock()
	if h.connection == nil {
		link, err := h.app.connect(context.WithoutCancel(ctx))
		if err != nil {
			return service.Connection{}, err
		}
		h.connection = &link
	}
	shared := *h.connection
	shared.Close = nil
	return shared, nil
}

func (h *sshHandler) close(ctx context.Context) {
	h.connecting.Lock()
	defer h.connecting.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
	defer cancel()
	if h.connection != nil && h.connection.Close != nil {
		if err := h.connection.Close(ctx); err != nil {
			h.app.log.Warn("Could not close the connection in good order", "error", err)
		}
	}
}

// RunCommand implements [sshserver.Handler]. Commands use the streams of the connection.
func (h *sshHandler) RunCommand(ctx context.Context, v sshserver.Session, words []string,
	s sshserver.Streams) (code int) {
	env := Env{Stdin: s.Stdin, Stdout: s.Stdout, Stderr: s.Stderr, Signals: s.Signals, Scripts: h.app.env.Scripts}
	if v.Window != (sshserver.Window{}) {
		env.Stdin = nil // ask must not wait for input from a terminal
	}
	g, err := h.serveUser(ctx, v, env)
	if err != nil {
		_, _ = s.Stderr.Write([]byte("confab: " + sentence(err) + "\n")) // the client may have gone
		return ExitFailed
	}
	defer g.end()
	defer safego.Recover(h.app.log, "command over ssh", func(error) {
		g.info("confab: an unexpected fault ended the command (service)")
		code = ExitFailed
	})
	// When the client disconnects, its answers are stored as interrupted and can be run again.
	asking, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(service.ErrClosing) })()
	root := g.commands()
	root.SetArgs(words)
	return g.reportEnd(root.ExecuteContext(asking))
}

// commands returns the commands of a served user.
func (g *servedUser) commands() *cobra.Command {
	root := &cobra.Command{
		Use: "confab", SilenceUsage: true, SilenceErrors: true,
		PersistentPreRun: func(*cobra.Command, []string) { g.isRunning = true },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	ask := g.askCommand()
	ask.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if g.handler.app.config.SSH.LocalFiles {
			return nil
		}
		if output, _ := cmd.Flags().GetString("output"); output != "" && output != "-" {
			return problem.Usage(
				"-o would write on the server; redirect the answer on your own machine: ssh HOST ask … > FILE")
		}
		system, _ := cmd.Flags().GetString("system")
		variants, _ := cmd.Flags().GetStringArray("variant")
		values, _ := cmd.Flags().GetStringArray("var")
		for _, text := range append(variants, system) {
			values = append(values, "="+text)
		}
		for _, one := range values {
			_, text, _ := strings.Cut(one, "=")
			if strings.HasPrefix(text, "@") && !strings.HasPrefix(text, "@@") {
				return problem.Usage("@FILE would be read on the server; give the text itself")
			}
		}
		return nil
	}
	root.AddCommand(fetchCommands(g.app, g.session.Window != (sshserver.Window{}))...)
	root.AddCommand(ask)
	g.finishCommands(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return problem.Usage("%s --help shows the flags", flagProblem(cmd, err))
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { g.help(cmd) })
	root.SetIn(g.env.Stdin)
	root.SetOut(g.env.Stdout)
	root.SetErr(g.env.Stderr)
	return root
}

// applySettings applies the flags of a command to the configuration of a served user. It refuses settings that are
// the operator's.
func (g *servedUser) applySettings(a *app) error {
	a.config = g.user.cfg
	atOnce := &a.config.Service.Concurrency
	*atOnce = min(*atOnce, g.handler.app.config.Service.Concurrency)
	for name, value := range a.settings {
		switch name {
		case "history.save":
			a.config.History.Save = a.config.History.Save && value != "false"
		case "service.concurrency":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return problem.Usage("--concurrency takes a number from 1")
			}
			*atOnce = min(n, *atOnce)
		default:
			return problem.Usage("%s is not yours to set here", name)
		}
	}
	a.isLoaded = true
	return nil
}
