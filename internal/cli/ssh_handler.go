package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/safego"
	"confab/internal/sshserver"
	"confab/service"
	"confab/service/accounts"
	"confab/service/api"
	"confab/service/pictures"
	"confab/themes"
	"confab/ui/keys"
	"confab/ui/screen"
)

// sshHandler opens the screens of served users and runs their commands. It is an [sshserver.Handler]. What all
// sessions can share is made once: the keys, the themes and the operator's connection.
type sshHandler struct {
	app       *app // the operator's own
	models    []service.ModelInfo
	keyMap    keys.Map
	palettes  []themes.Palette
	styles    screen.StyleCache
	publisher pictures.Publisher
	limits    atomic.Pointer[config.SSH] // only its quotas are read; they may change while the server runs
	keep      atomic.Int64               // history.keep, the same

	mu         sync.Mutex
	users      map[string]*userState
	connection *service.Connection // the operator's, nil until it is first needed
	audit      *auditLog           // nil: none
	metrics    *userMetrics        // nil: none

	accounts *accountsDatabase
	counter  *accounts.Counter
}

// userState is what the handler knows of a user, for as long as the server runs.
type userState struct {
	id            string
	cfg           config.Config
	folder        string // holds all data of the user
	filesFolder   string // what the user can name by path, inside folder
	hasOwnService bool   // the user's own configuration says which service answers
	quota         *quota
}

// newSSHHandler loads what all sessions share.
func (a *app) newSSHHandler(ctx context.Context) (*sshHandler, error) {
	h := &sshHandler{app: a, users: map[string]*userState{}}
	h.setSettings(&a.cfg)
	h.accounts = a.userAccounts(false)
	var err error
	if h.audit, err = a.newAuditLog(); err != nil {
		return nil, err
	}
	if err = a.openBucket(); err != nil {
		return nil, err
	}
	h.models = infos(a.favouritesFirst(a.catalogue.Models()))
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
	if a.cfg.SSH.Service == "operator" { // now, so that the operator learns of a key that cannot be read
		if err := a.learnKey(ctx); err != nil {
			return nil, err
		}
	}
	h.counter = accounts.New(accounts.Options{Database: h.accounts, IsExact: true, Log: a.log})
	return h, nil
}

// openUser returns the state of a user and makes the user's folders.
func (h *sshHandler) openUser(ctx context.Context, u sshserver.User) (*userState, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.users[u.ID]; t != nil && !t.hasOwnService {
		return t, nil
	}
	t := &userState{id: u.ID, cfg: h.app.cfg, hasOwnService: h.app.cfg.SSH.Service == "own"}
	var paths config.Paths
	paths, t.folder, t.filesFolder = pathsOfUser(h.app.cfg.Paths, u.ID)
	if t.hasOwnService { // loaded at every login, because the operator may have changed it
		var err error
		if t.cfg, err = h.loadOwnConfig(ctx, t.folder); err != nil {
			return nil, err
		}
	}
	t.cfg.Paths = paths
	for _, dir := range []string{t.folder, t.filesFolder} {
		if err := config.EnsureDir(dir); err != nil {
			return nil, err
		}
	}
	if before := h.users[u.ID]; before != nil {
		t.quota = before.quota
	} else {
		t.quota = newQuota(h.counter, h.accounts, t.folder)
	}
	h.users[u.ID] = t
	return t, nil
}

// loadOwnConfig loads the configuration that the operator wrote for a user. It takes nothing from the operator's own
// configuration or from the environment of the server.
func (h *sshHandler) loadOwnConfig(ctx context.Context, folder string) (config.Config, error) {
	src := config.Sources{
		Home: folder, Dir: folder, Env: []string{"PATH=" + h.app.env.get("PATH")},
		Keyring: func(string, string) (string, error) { return "", errors.New("served users have no keyring") },
	}
	path := filepath.Join(folder, "config.toml")
	if _, err := os.Stat(path); err == nil {
		src.Path = path
	}
	cfg, err := config.Load(ctx, src)
	if err != nil {
		h.app.log.Error("A user's configuration cannot be used", "error", err)
		return config.Config{}, &api.Error{Code: api.CodeConfig, Message: "your configuration on the server is " +
			"wrong; tell its operator", Err: err}
	}
	return cfg, nil
}

// servedUser is the user that an [app] serves instead of the operator.
type servedUser struct {
	handler *sshHandler
	session sshserver.Session
	user    *userState
	quota   *serviceQuota
}

// newServedApp makes the app of a session.
func (h *sshHandler) newServedApp(ctx context.Context, v sshserver.Session, env Env) (*app, *servedUser, error) {
	t, err := h.openUser(ctx, v.User)
	if err != nil {
		return nil, nil, err
	}
	env.Environ, env.Version, env.Speed = sessionEnviron(v), h.app.env.Version, h.app.env.Speed
	env.Keyring, env.Ports = h.app.env.Keyring, h.app.env.Ports
	a := &app{
		env: env, began: time.Now(), secrets: h.app.secrets, shipped: h.app.shipped, cfg: t.cfg, loaded: true,
		settings: map[string]string{}, catalogue: h.app.catalogue,
		log: h.app.log, serving: true, engineSet: h.app.engineSet,
	}
	if t.hasOwnService {
		a.engineSet = &engineSet{}
	}
	if h.app.bucket != nil {
		own := h.app.bucket.Within("users/" + t.id)
		a.bucket = &own
	}
	a.served = &servedUser{handler: h, session: v, user: t}
	a.served.quota = t.quota.newServiceQuota(h.limits.Load, v.User, a.served.noteQuota)
	a.setColor(colorAuto)
	return a, a.served, nil
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
	o.Quota, o.MaxSamples = g.quota, g.handler.limits.Load().Samples
	o.OnAnswer, o.OnAction = g.noteAnswer, g.noteAction
	o.CheckDelete = func(ctx context.Context) error { return checkHold(ctx, g.handler.accounts, g.user.id) }
	if !g.handler.app.cfg.SSH.LocalFiles {
		o.Root = g.user.filesFolder
	}
	if !g.user.hasOwnService {
		o.Connect, o.Publish = g.handler.connect, g.handler.publisher
	}
}

// connect returns the operator's connection. All sessions share it, and [sshHandler.close] closes it.
func (h *sshHandler) connect(ctx context.Context) (service.Connection, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
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
	defer h.audit.close()
	defer h.accounts.Close()
	h.mu.Lock()
	defer h.mu.Unlock()
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
	env := Env{Stdin: s.Stdin, Stdout: s.Stdout, Stderr: s.Stderr, Signals: s.Signals}
	if v.Window != (sshserver.Window{}) {
		env.Stdin = nil // ask must not wait for input from a terminal
	}
	a, g, err := h.newServedApp(ctx, v, env)
	if err != nil {
		_, _ = s.Stderr.Write([]byte("confab: " + sentence(err) + "\n")) // the client may have gone
		return exitFailed
	}
	defer g.quota.close()
	g.noteAction(auditLogin, words[0])
	defer safego.Recover(h.app.log, "command over ssh", func(error) {
		a.info("confab: an unexpected fault ended the command (service)")
		code = exitFailed
	})
	// When the client disconnects, its answers are stored as interrupted and can be run again.
	asking, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { stop(service.ErrClosing) })()
	root := a.servedCommands()
	root.SetArgs(words)
	return a.end(root.ExecuteContext(asking))
}

// servedCommands returns the commands of a served user.
func (a *app) servedCommands() *cobra.Command {
	root := &cobra.Command{
		Use: "confab", SilenceUsage: true, SilenceErrors: true,
		PersistentPreRun: func(*cobra.Command, []string) { a.running = true },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	ask := a.askCommand()
	ask.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if a.served.handler.app.cfg.SSH.LocalFiles {
			return nil
		}
		if cmd.Flags().Changed("output") {
			return usage("-o would write on the server; redirect the answer on your own machine: ssh HOST ask … > FILE")
		}
		if system, _ := cmd.Flags().GetString("system"); strings.HasPrefix(system, "@") &&
			!strings.HasPrefix(system, "@@") {
			return usage("--system @FILE would read on the server; give the text itself")
		}
		return nil
	}
	root.AddCommand(ask, a.servedExport(), a.servedPictures())
	a.finishCommands(root)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return usage("%s; --help shows the flags", firstLine(err.Error()))
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.help(cmd) })
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	return root
}

// applySettings applies the flags of a command to the configuration of a served user. It refuses settings that are
// the operator's.
func (g *servedUser) applySettings(a *app) error {
	a.cfg = g.user.cfg
	for name, value := range a.settings {
		switch name {
		case "history.save":
			a.cfg.History.Save = a.cfg.History.Save && value != "false"
		case "service.concurrency":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return usage("--concurrency takes a number from 1")
			}
			a.cfg.Service.Concurrency = min(n, g.user.cfg.Service.Concurrency)
		default:
			return usage("%s is not yours to set here", name)
		}
	}
	a.loaded = true
	return nil
}
