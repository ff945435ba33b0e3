package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/internal/atomicfile"
	"confab/internal/config"
	"confab/internal/sshserver"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/themes"
	"confab/ui"
	"confab/ui/keys"
)

// house makes the screens of served users and carries out their commands. It is
// an [sshserver.House]. What all can share is made once: catalogue, keys, themes
// and the operator's connection.
type house struct {
	a         *app // the operator's
	catalogue api.Catalogue
	models    []service.ModelInfo
	bindings  keys.Map
	palettes  []themes.Palette
	publisher service.Publisher

	mu      sync.Mutex
	quotas  config.SSH // of which only the quotas count; they may change while the server runs
	tenants map[string]*tenant
	link    *service.Connection // of the operator, when it was first needed
}

// tenant is a user as long as the server runs.
type tenant struct {
	id     string
	cfg    config.Config
	folder string // all that is the user's
	files  string // what the user can name by path
	own    bool   // asks with a service of their own
	quota  *quota
}

// newHouse makes ready what all screens share.
func (a *app) newHouse(ctx context.Context) (*house, error) {
	catalogue, err := a.catalogue()
	if err != nil {
		return nil, err
	}
	h := &house{a: a, catalogue: catalogue, tenants: map[string]*tenant{}, quotas: a.cfg.SSH}
	h.models = infos(a.favouritesFirst(catalogue.Models()))
	if h.bindings, err = a.keys(); err != nil {
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
	if a.cfg.SSH.Service == "operator" && !a.endpoint().Embedded {
		// Found out now, it is masked in everything from the first login on, and
		// what is wrong with it is the operator's to know.
		key, _, err := a.cfg.APIKey(ctx)
		if err != nil {
			return nil, err
		}
		a.secrets.add(key)
	}
	return h, nil
}

// tenant returns a user, whose folders it makes.
func (h *house) tenant(ctx context.Context, u sshserver.User) (*tenant, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.tenants[u.ID()]; t != nil && !t.own {
		return t, nil
	}
	t := &tenant{id: u.ID(), cfg: h.a.cfg, own: h.a.cfg.SSH.Service == "own"}
	var paths config.Paths
	paths, t.folder, t.files = userPaths(h.a.cfg.Paths, u.ID())
	if t.own { // read at every login, as the operator may have changed it
		var err error
		if t.cfg, err = h.ownConfig(ctx, t.folder); err != nil {
			return nil, err
		}
	}
	t.cfg.Paths = paths
	for _, dir := range []string{t.folder, t.files} {
		if err := config.EnsureDir(dir); err != nil {
			return nil, err
		}
	}
	if before := h.tenants[u.ID()]; before != nil {
		t.quota = before.quota
	} else {
		t.quota = newQuota(h.quotas, t.folder, h.a.log)
	}
	h.tenants[u.ID()] = t
	return t, nil
}

// hasData tells whether a user of that name has a folder.
func (h *house) hasData(name string) bool {
	_, folder, _ := userPaths(h.a.cfg.Paths, name)
	_, err := os.Stat(folder)
	return err == nil
}

// ownConfig loads the configuration that the operator wrote for a user. Of the
// operator's own and of the server's environment nothing is in it.
func (h *house) ownConfig(ctx context.Context, folder string) (config.Config, error) {
	src := config.Sources{Home: folder, Dir: folder, Env: []string{"PATH=" + h.a.env.get("PATH")}, Keyring: func(string, string) (string, error) {
		return "", errors.New("no keyring is a user's")
	}}
	path := filepath.Join(folder, "config.toml")
	if _, err := os.Stat(path); err == nil {
		src.Path = path
	}
	cfg, err := config.Load(ctx, src)
	if err != nil {
		h.a.log.Error("A user's configuration cannot be used", "error", err)
		return config.Config{}, &api.Error{Code: api.CodeConfig, Message: "your configuration on the server is wrong; tell its operator", Err: err}
	}
	return cfg, nil
}

// guest is the program as a served user has it.
type guest struct {
	house  *house
	tenant *tenant
	share  *share
}

// guest makes the program of a visit.
func (h *house) guest(ctx context.Context, v sshserver.Visit, env Env) (*app, *guest, error) {
	t, err := h.tenant(ctx, v.User)
	if err != nil {
		return nil, nil, err
	}
	env.Environ, env.Version, env.Speed = guestEnviron(v), h.a.env.Version, h.a.env.Speed
	env.Keyring, env.Ports = h.a.env.Keyring, h.a.env.Ports
	a := &app{env: env, began: time.Now(), secrets: h.a.secrets, shipped: h.a.shipped, cfg: t.cfg, loaded: true, log: h.a.log, serving: true, answers: h.a.answers}
	if t.own {
		a.answers = &engineSet{}
	}
	a.guest = &guest{house: h, tenant: t, share: t.quota.share()}
	a.setColour(colourAuto)
	return a, a.guest, nil
}

// guestEnviron returns the environment of a visit: how to draw, and that the
// terminal is elsewhere.
func guestEnviron(v sshserver.Visit) []string {
	env := append([]string{}, v.Environ...)
	remote, rport, err := net.SplitHostPort(v.Remote.String())
	local, lport, err2 := net.SplitHostPort(v.Local.String())
	if err != nil || err2 != nil {
		remote, rport, local, lport = "unknown", "0", "unknown", "0"
	}
	return append(env, fmt.Sprintf("SSH_CONNECTION=%s %s %s %s", remote, rport, local, lport), "SSH_TTY=/dev/ssh")
}

// limit makes the options of a service those of a served user.
func (g *guest) limit(o *service.Options) {
	o.Quota, o.MaxSamples = g.share, g.house.currentQuotas().Samples
	if !g.house.a.cfg.SSH.LocalFiles {
		o.Root = g.tenant.files
	}
	if !g.tenant.own {
		o.Connect, o.Publish = g.house.connect, g.house.publisher
	}
}

// connect returns the operator's connection, which is reached once for all and
// ends with the house.
func (h *house) connect(ctx context.Context) (service.Connection, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.link == nil {
		link, err := h.a.connect(h.catalogue)(context.WithoutCancel(ctx))
		if err != nil {
			return service.Connection{}, err
		}
		h.link = &link
	}
	shared := *h.link
	shared.Close = nil
	return shared, nil
}

// close ends what is shared.
func (h *house) close(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWait)
	defer cancel()
	if h.link != nil && h.link.Close != nil {
		if err := h.link.Close(ctx); err != nil {
			h.a.log.Warn("Could not close the connection in good order", "error", err)
		}
	}
}

// Screen implements [sshserver.House].
func (h *house) Screen(ctx context.Context, v sshserver.Visit) (sshserver.Screen, error) {
	a, g, err := h.guest(ctx, v, Env{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		return sshserver.Screen{}, h.told(err)
	}
	if err := g.tenant.quota.room(0); err != nil {
		h.a.log.Info("A user has no room left", "user", v.User.String()) // who may still delete
	}
	svc, err := a.service(h.catalogue, serviceWish{save: a.cfg.History.Save})
	if err != nil {
		return sshserver.Screen{}, h.told(err)
	}
	left := g.pickUp()
	o, err := a.guestScreen(ctx, svc, left)
	if err != nil {
		a.closeService(ctx, svc)
		return sshserver.Screen{}, h.told(err)
	}
	screen, leave := context.WithCancelCause(context.WithoutCancel(ctx))
	gd := &guard{model: ui.New(screen, o), fault: &crash{}}
	options := []tea.ProgramOption{tea.WithColorProfile(max(o.Colours, colorprofile.ASCII)), tea.WithEnvironment(a.env.Environ)}
	if fps := a.cfg.UI.FPS; fps != 0 {
		options = append(options, tea.WithFPS(min(fps, remoteFPS)))
	}
	return sshserver.Screen{
		Model: ui.NewFrameThrottle(gd, time.Second/remoteFPS, time.Now), Options: options,
		Started: func(p *tea.Program) { gd.quit = p.Quit },
		Left: func(why sshserver.Leaving) (string, bool) {
			gd.keepDraft()
			leave(service.ErrClosing)
			return a.left(ctx, svc, gd, why), gd.fault.happened()
		},
	}, nil
}

// told returns an error as the user may see it.
func (h *house) told(err error) error { return errors.New(sentence(err)) }

// guestScreen gathers what a served screen is made of, sharing what can be.
func (a *app) guestScreen(ctx context.Context, svc *service.Service, left *leftOff) (ui.Options, error) {
	h := a.guest.house
	o, err := a.screenOptions(ctx, svc, h.catalogue, screenFlags{})
	if err != nil {
		return ui.Options{}, err
	}
	o.Desktop, o.Models, o.Keys = guestDesktop{}, h.models, a.guestKeys()
	if !a.guest.tenant.own {
		o.Palettes, o.Warnings = h.palettes, nil // what is wrong with them is the operator's to know
	}
	o.Colours = profileOf(a.env)
	if a.env.get("NO_COLOR") != "" {
		o.Colours = colorprofile.ASCII
	}
	if o.NextSteps != "" {
		o.NextSteps = "Answers are simulated: the operator of this server has set up no service." + o.Keys.Phrase(keys.Everywhere, keys.Commands, " %s lists what can be done.")
	}
	if left != nil {
		if _, err := svc.Session(ctx, left.Session); err == nil {
			o.Session, o.NextSteps = left.Session, left.how()
		}
	}
	return o, nil
}

// guestKeys returns the keys of a served screen: the user's own, else those of the server.
func (a *app) guestKeys() keys.Map {
	if a.guest.tenant.own {
		if own, err := a.keys(); err == nil {
			return own
		}
	}
	return a.guest.house.bindings
}

// left ends the service of a screen and says how to come back.
func (a *app) left(ctx context.Context, svc *service.Service, gd *guard, why sshserver.Leaving) string {
	ctx = context.WithoutCancel(ctx)
	var session service.Session
	if m, ok := gd.model.(interface{ Session() service.Session }); ok {
		session = m.Session()
	}
	if !svc.Saving() {
		session = service.Session{} // its number would be that of another one
	}
	if why != sshserver.ByUser && session.ID != 0 {
		a.guest.leave(leftOff{Session: session.ID, Why: why})
	}
	a.closeService(ctx, svc)
	svc.LeaveDraft()
	a.guest.share.close()
	if gd.fault.happened() {
		a.guest.house.a.report(gd.fault)
		return "confab: an unexpected fault ended this screen; what you wrote is kept. Log in again to go on."
	}
	reason := map[sshserver.Leaving]string{
		sshserver.ByServer: "The server is being stopped; what was still being answered is interrupted and can be run again.",
		sshserver.ByIdling: "Nothing was typed for long, so the screen was closed.",
		sshserver.ByTime:   "The login was as long as one may be.",
	}[why]
	if why == sshserver.ByKey {
		return "Your key is not authorised here any more, so the screen was closed. What you wrote is kept."
	}
	if session.ID == 0 {
		return lines(reason)
	}
	if reason != "" {
		return lines(reason, "Log in again to go on with session "+termtext.Line(session.Name)+".")
	}
	found := a.guestKeys().Phrase(keys.Everywhere, keys.Sessions, "; %s finds it after the next login")
	return "Session " + termtext.Line(session.Name) + " is kept" + found + "."
}

// leftOff is where a screen was that did not end by its user's wish.
type leftOff struct {
	Session int64             `json:"session"`
	Why     sshserver.Leaving `json:"why"`
}

// how says why the session is open that is.
func (l leftOff) how() string {
	switch l.Why {
	case sshserver.ByServer:
		return "The server was restarted while you were here: this is the session you were in. r runs an interrupted answer again."
	case sshserver.ByLine:
		return "The line was lost last time: this is the session you were in. r runs an interrupted answer again."
	}
	return "This is the session you were in when the screen was closed."
}

const leftFile = "left.json"

// leave notes where the user was.
func (g *guest) leave(l leftOff) {
	b, err := json.Marshal(l)
	if err == nil {
		err = atomicfile.Write(filepath.Join(g.tenant.folder, leftFile), b, 0o600)
	}
	if err != nil {
		g.house.a.log.Warn("Could not note where a user was", "error", err)
	}
}

// pickUp returns where the user was, once; nil when they left by themselves.
func (g *guest) pickUp() *leftOff {
	path := filepath.Join(g.tenant.folder, leftFile)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var l leftOff
	if json.Unmarshal(b, &l) != nil || l.Session == 0 {
		return nil
	}
	return &l
}
