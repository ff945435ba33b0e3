package app

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"confab/internal/cli/console"
	"confab/internal/config"
	"confab/service"
	"confab/service/api"
	"confab/service/problem"
	"confab/ui"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/sessions"
)

// ScreenFlags are those of the screen.
type ScreenFlags struct {
	Models  []string
	System  string
	Session string
	Last    bool
	NoSave  bool
}

// How often the screen is painted at most: half of what a key costs is waiting
// for the next frame, but a slow line is better off with fewer.
const (
	LocalFPS  = 120
	RemoteFPS = 30
)

// The largest screen that is drawn, in cells: many times what a display shows, and still in memory without harm.
const (
	MaxColumns = 1000
	MaxRows    = 500
)

// CanShow refuses where a full screen cannot be drawn.
func (a *App) CanShow() error {
	switch {
	case !console.IsTerminal(a.Env.Stdin) || !console.IsTerminal(a.Env.Stdout):
		return problem.Usage("the screen needs a terminal as its input and output; confab ask works without one")
	case a.Env.Get("TERM") == "dumb":
		return problem.Usage("this terminal (TERM=dumb) cannot show a screen; confab ask works in it")
	case a.Env.Get("TERM") == "" && os.PathSeparator == '/':
		return problem.Usage("TERM is not set, so how to draw is not known; set it, or use confab ask")
	}
	// Bubble Tea makes its first frame as large as the terminal says it is, before any filter.
	if f, ok := a.Env.Stdout.(*os.File); ok {
		if w, h, err := term.GetSize(f.Fd()); err == nil && (w > MaxColumns || h > MaxRows) {
			return problem.Usage("the terminal says that it is %dx%d cells large; a screen is drawn on up to %dx%d", w,
				h, MaxColumns, MaxRows)
		}
	}
	return nil
}

// ScreenOptions gathers what the screen is made of. The history is opened for it only when flags ask for an earlier
// session.
func (a *App) ScreenOptions(ctx context.Context, svc *service.Service, f ScreenFlags) (ui.Options, error) {
	bindings, err := a.Keys()
	if err != nil {
		return ui.Options{}, err
	}
	list := a.ReadThemes()
	marked, err := a.MatchModels(f.Models)
	if err != nil {
		return ui.Options{}, err
	}
	first, err := a.firstSession(ctx, svc, f)
	if err != nil {
		return ui.Options{}, err
	}
	o := ui.Options{
		Warnings: append(slices.Clone(a.Config.Warnings), a.ThemeWarnings(list)...),
		Service:  svc, Desktop: a.Desktop(), Mask: a.Secrets.Masker(), Keys: bindings,
		Palettes: list.Palettes, Theme: a.Config.UI.Theme, Dark: a.Config.UI.ThemeDark, Light: a.Config.UI.ThemeLight,
		Models: ModelInfos(a.FavouritesFirst(a.Catalogue.Models())), Default: marked, First: first,
		SideBySide:   a.Config.UI.SideBySide == "auto" && !a.Config.UI.ScreenReader,
		ScreenReader: a.Config.UI.ScreenReader,
		Mouse:        a.Config.UI.Mouse, Notify: a.Config.UI.Notify, ReducesMotion: a.reducesMotion(),
		NoItalics: strings.HasPrefix(a.Env.Get("TERM"), "screen"),
		Colors:    max(a.Out.Profile, colorprofile.ASCII), Pictures: graphics.Protocol(a.Config.UI.Pictures),
	}
	if o.ScreenReader {
		o.Pictures = graphics.Off
	}
	if svc.Endpoint(ctx).IsEmbedded {
		if a.SSHUser == nil { // what runs beside the server is its operator's
			o.LocalEngines = localEngines{a}
		}
		o.NextSteps = "Simulated answers. Real ones: confab config init." +
			bindings.Phrase(keys.Everywhere, keys.TakeEngines, " Models here: %s.")
	}
	return o, nil
}

// reducesMotion tells whether signs of work stand still: over a line each step is traffic.
func (a *App) reducesMotion() bool {
	ui := a.Config.UI
	return ui.ScreenReader || ui.Motion == "off" || ui.Motion != "on" && (a.Env.IsRemote() || a.SSHUser != nil)
}

// firstSession returns which session the screen starts with. One that a flag asks for has to be there.
func (a *App) firstSession(ctx context.Context, svc *service.Service, f ScreenFlags) (sessions.First, error) {
	switch {
	case f.Session != "" && f.Last:
		return sessions.First{}, problem.Usage("--session and --continue exclude each other")
	case f.Session != "":
		s, err := a.Session(ctx, svc, f.Session)
		return sessions.First{ID: s.ID}, err
	case f.Last:
		s, err := a.LastSession(ctx, svc)
		return sessions.First{ID: s.ID}, err
	}
	return sessions.First{Last: a.Config.UI.Start == "last"}, nil
}

// Keys returns the keys of the screen as the configuration binds them.
func (a *App) Keys() (keys.Map, error) {
	m := keys.Default()
	wanted := map[string][]string{}
	if k := a.Config.UI.SendKey; k != "enter" {
		others := []string{"enter"}
		for _, e := range m.Entries(keys.Prompt) {
			if e.Command == "new_line" {
				others = append(others,
					slices.DeleteFunc(slices.Clone(e.Keys), func(have string) bool { return have == k })...)
			}
		}
		wanted["send"], wanted["new_line"] = []string{k}, others
	}
	maps.Copy(wanted, a.Config.Keys)
	if len(wanted) == 0 {
		return m, nil
	}
	m, err := m.Rebind(wanted)
	if err != nil {
		return keys.Map{}, a.wrongKeys(err)
	}
	return m, nil
}

// wrongKeys names the place of what is wrong with the keys, as errors of other settings do.
func (a *App) wrongKeys(err error) *api.Error {
	message := err.Error()
	var wrong *keys.BindingError
	if errors.As(err, &wrong) {
		for _, name := range wrong.Names {
			if from := a.Config.Origin("keys." + name); from.Source != config.FromDefault {
				message = strings.TrimPrefix(from.String(), string(config.FromFile)+" ") + ": " + message
				break
			}
		}
	}
	return &api.Error{Code: api.CodeConfig, Message: message, Err: err}
}
