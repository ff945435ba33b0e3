package servers

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"confab/internal/cli/app"
	"confab/internal/cli/askcmd"
	"confab/internal/cli/console"
	"confab/internal/cli/historycmd"
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
	app       *app.App // the operator's own
	models    []service.ModelInfo
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
func (a commands) newSSHHandler(ctx context.Context) (*sshHandler, error) {
	h := &sshHandler{app: a.App, users: map[string]*sharedUser{}}
	h.setSettings(&a.Config)
	err := a.OpenBucket()
	if err != nil {
		return nil, err
	}
	h.models = app.ModelInfos(a.FavouritesFirst(a.Catalogue.Models()))
	if h.keyMap, err = a.Keys(); err != nil {
		return nil, err
	}
	list := a.ReadThemes()
	h.palettes = list.Palettes
	for _, w := range a.ThemeWarnings(list) {
		a.Warn("%s", w)
	}
	if h.publisher, err = a.Publisher(); err != nil {
		return nil, err
	}
	if a.Config.SSH.Service == "operator" { // now, so that the operator learns of a key that cannot be read
		if err := a.LearnKey(ctx); err != nil {
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
	*app.App
	handler *sshHandler
	session sshserver.Session
	user    *userState
	quota   *serviceQuota
}

// serveUser makes the app of a session.
func (h *sshHandler) serveUser(ctx context.Context, v sshserver.Session, env console.Env) (*servedUser, error) {
	t, err := h.openUser(ctx, v.User)
	if err != nil {
		return nil, err
	}
	env.Environ, env.Version, env.Speed = sessionEnviron(v), h.app.Env.Version, h.app.Env.Speed
	env.Keyring, env.Ports = h.app.Env.Keyring, h.app.Env.Ports
	a := app.New(env)
	a.Secrets, a.Shipped, a.Catalogue, a.Log = h.app.Secrets, h.app.Shipped, h.app.Catalogue, h.app.Log
	a.Config, a.Loaded, a.ServesOthers = t.cfg, true, true
	if !t.hasOwnService {
		a.EngineSet = h.app.EngineSet
	}
	if h.app.Bucket != nil {
		own := h.app.Bucket.Within("users/" + t.id)
		a.Bucket = &own
	}
	g := &servedUser{App: a, handler: h, session: v, user: t}
	log := h.app.Log.With("user", t.id, "from", v.RemoteAddr.String())
	g.quota = t.quota.newServiceQuota(h.limits.Load,
		func(turn int64, answers int) { log.Info("Asked", "turn", turn, "answers", answers) },
		func(err error) { log.Warn("Could not count the answers of a user", "error", err) })
	a.SSHUser = &app.SSHUser{Operator: h.app, User: t.id, ApplySettings: g.applySettings, Limit: g.limitService}
	return g, nil
}

// end ends a session.
func (g *servedUser) end() {
	if err := g.user.endSession(); err != nil {
		g.handler.app.Log.Warn("Could not end a session in good order", "user", g.user.id, "error", err)
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
	o.Limits.Quota, o.Limits.MaxSamples = g.quota, g.handler.limits.Load().Samples
	o.Limits.MaxConcurrency = min(o.Limits.Concurrency, g.handler.app.Config.Service.Concurrency)
	o.Pictures.CacheBytes, o.Pictures.OtherCopies = g.handler.app.Config.Pictures.CacheSize, g.otherCopies
	if !g.handler.app.Config.SSH.LocalFiles {
		o.Limits.Root = g.user.filesFolder
	}
	if !g.user.hasOwnService {
		o.Backend.Connect, o.Pictures.Publisher = g.handler.connect, g.handler.publisher
	}
}

// otherCopies returns where the other users of this host have copies of pictures in the bucket.
func (g *servedUser) otherCopies() (all []pictures.Copies) {
	a := commands{g.handler.app}
	ids, err := a.userIDs()
	if err != nil {
		a.Log.Warn("Could not list the copies of pictures", "error", err)
	}
	for _, id := range ids {
		if id != g.user.id {
			paths, _, _ := pathsOfUser(a.Config.Paths, id)
			own := a.Bucket.Within("users/" + id)
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
		link, err := h.app.Connect(context.WithoutCancel(ctx))
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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), app.CloseWait)
	defer cancel()
	if h.connection != nil && h.connection.Close != nil {
		if err := h.connection.Close(ctx); err != nil {
			h.app.Log.Warn("Could not close the connection in good order", "error", err)
		}
	}
}

// RunCommand implements [sshserver.Handler]. Commands use the streams of the connection.
func (h *sshHandler) RunCommand(ctx context.Context, v sshserver.Session, words []string,
	s sshserver.Streams) (code int) {
	env := console.Env{Stdin: s.Stdin, Stdout: s.Stdout, Stderr: s.Stderr, Signals: s.Signals}
	if v.Window != (sshserver.Window{}) {
		env.Stdin = nil // ask must not wait for input from a terminal
	}
	g, err := h.serveUser(ctx, v, env)
	if err != nil {
		_, _ = s.Stderr.Write([]byte("confab: " + console.Sentence(err) + "\n")) // the client may have gone
		return console.ExitFailed
	}
	defer g.end()
	defer safego.Recover(h.app.Log, "command over ssh", func(error) {
		g.Info("confab: an unexpected fault ended the command (service)")
		code = console.ExitFailed
	})
	// When the client disconnects, its answers are stored as interrupted and can be run again.
	asking, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(service.ErrClosing) })()
	root := g.commands()
	root.SetArgs(words)
	return g.End(root.ExecuteContext(asking))
}

// commands returns the commands of a served user.
func (g *servedUser) commands() *cobra.Command {
	root := &cobra.Command{
		Use: "confab", SilenceUsage: true, SilenceErrors: true,
		PersistentPreRun: func(*cobra.Command, []string) { g.Running = true },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	ask := askcmd.Command(g.App)
	ask.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if g.handler.app.Config.SSH.LocalFiles {
			return nil
		}
		if output, _ := cmd.Flags().GetString("output"); output != "" && output != "-" {
			return problem.Usage(
				"-o would write on the server; redirect the answer on your own machine: ssh HOST ask … > FILE")
		}
		if system, _ := cmd.Flags().GetString("system"); strings.HasPrefix(system, "@") &&
			!strings.HasPrefix(system, "@@") {
			return problem.Usage("--system @FILE would read on the server; give the text itself")
		}
		return nil
	}
	root.AddCommand(historycmd.FetchCommands(g.App, g.session.Window != (sshserver.Window{}))...)
	root.AddCommand(ask)
	g.FinishCommands(root)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return problem.Usage("%s; --help shows the flags", console.FirstLine(err.Error()))
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { g.Help(cmd) })
	root.SetIn(g.Env.Stdin)
	root.SetOut(g.Env.Stdout)
	root.SetErr(g.Env.Stderr)
	return root
}

// applySettings applies the flags of a command to the configuration of a served user. It refuses settings that are
// the operator's.
func (g *servedUser) applySettings(a *app.App) error {
	a.Config = g.user.cfg
	atOnce := &a.Config.Service.Concurrency
	*atOnce = min(*atOnce, g.handler.app.Config.Service.Concurrency)
	for name, value := range a.Settings {
		switch name {
		case "history.save":
			a.Config.History.Save = a.Config.History.Save && value != "false"
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
	a.Loaded = true
	return nil
}
