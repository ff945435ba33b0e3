package cli

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"confab/history"
	"confab/internal/config"
	"confab/service"
	"confab/service/api"
	"confab/service/problem"
	"confab/ui"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/screen"
	"confab/ui/sessions"
)

type screenFlags struct {
	models  []string
	system  string
	persona string
	session string
	last    bool
	noSave  bool
}

// A key waits half a frame on average; a slow line is better off with fewer frames.
const (
	localFPS  = 120
	remoteFPS = 30
)

// The largest screen that is drawn, in cells.
const (
	maxColumns = 1000
	maxRows    = 500
)

// canShow returns an error where a full screen cannot be drawn.
func (a *app) canShow() error {
	switch {
	case !isTerminal(a.env.Stdin) || !isTerminal(a.env.Stdout):
		return problem.Usage("the screen needs a terminal as its input and output; confab ask works without one")
	case a.env.Get("TERM") == "dumb":
		return problem.Usage("this terminal (TERM=dumb) cannot show a screen; confab ask works in it")
	case a.env.Get("TERM") == "" && os.PathSeparator == '/':
		return problem.Usage("TERM is not set, so how to draw is not known; set it, or use confab ask")
	}
	// Bubble Tea makes its first frame as large as the terminal says it is, before any filter.
	if f, ok := a.env.Stdout.(*os.File); ok {
		if w, h, err := term.GetSize(f.Fd()); err == nil && (w > maxColumns || h > maxRows) {
			return problem.Usage("the terminal says that it is %dx%d cells large; a screen is drawn on up to %dx%d", w,
				h, maxColumns, maxRows)
		}
	}
	return nil
}

// screenOptions returns the options of the screen. It opens no history.
func (a *app) screenOptions(ctx context.Context, svc *service.Service, f screenFlags) (ui.Options, error) {
	bindings, err := a.keys()
	if err != nil {
		return ui.Options{}, err
	}
	list := a.readThemes()
	marked, err := a.matchModels(ctx, f.models)
	if err != nil {
		return ui.Options{}, err
	}
	first, err := a.firstSession(svc, f)
	if err != nil {
		return ui.Options{}, err
	}
	o := ui.Options{
		Service: svc, Desktop: a.desktop(), Mask: a.secrets.Masker(), Keys: bindings,
		Theme: screen.Theme{Palettes: list.palettes, Name: a.config.UI.Theme, Dark: a.config.UI.ThemeDark,
			Light: a.config.UI.ThemeLight, KeepsBackground: a.config.UI.Background == "terminal",
			ScreenReader: a.config.UI.ScreenReader,
			NoItalics:    strings.HasPrefix(a.env.Get("TERM"), "screen"),
			Profile:      max(a.out.profile, colorprofile.ASCII)},
		Start: ui.Start{Models: modelInfos(a.catalogue().Models()), Marked: marked, Session: first,
			Remembers:  a.config.Models.Context,
			SideBySide: a.config.UI.SideBySide == "auto" && !a.config.UI.ScreenReader,
			Warnings:   append(slices.Clone(a.config.Warnings), a.themeWarnings(list)...)},
		Terminal: ui.Terminal{Mouse: a.config.UI.Mouse, Notify: a.config.UI.Notify, ReducesMotion: a.reducesMotion(),
			Pictures: graphics.Protocol(a.config.UI.Pictures)},
	}
	if o.Theme.ScreenReader {
		o.Terminal.Pictures = graphics.Off
	}
	if svc.Endpoint().IsEmbedded {
		if a.sshUser == nil { // what runs beside the server is its operator's
			o.LocalEngines = localEngines{a}
		}
		o.Start.NextSteps = "Simulated answers." +
			bindings.Phrase(keys.Everywhere, keys.TakeEngines, " %s finds model servers.")
	}
	return o, nil
}

// reducesMotion reports whether progress is shown without motion, which would be traffic on a remote line.
func (a *app) reducesMotion() bool {
	ui := a.config.UI
	return ui.ScreenReader || ui.Motion == "off" || ui.Motion != "on" && (a.env.IsRemote() || a.sshUser != nil)
}

// firstSession returns the session that the screen starts with. One that a flag names by its id must exist.
func (a *app) firstSession(svc *service.Service, f screenFlags) (sessions.First, error) {
	switch {
	case f.session != "" && f.last:
		return sessions.First{}, problem.Usage("--session and --continue exclude each other")
	case f.session != "":
		return sessions.First{Find: func(ctx context.Context) (history.Session, error) {
			if s, err := a.sessionOrNew(ctx, svc, f.session); s.ID != 0 || err != nil || svc.StoreProblem() == nil {
				return s, err
			}
			return history.Session{}, svc.StoreProblem()
		}}, nil
	case f.last:
		return sessions.First{Find: func(ctx context.Context) (history.Session, error) {
			return a.lastSession(ctx, svc)
		}}, nil
	}
	return sessions.First{Last: a.config.UI.Start == "last"}, nil
}

// keys returns the key bindings of the configuration.
func (a *app) keys() (keys.Map, error) {
	m := ui.Keys()
	if a.config.UI.Editing == "vi" {
		m = m.WithVi()
	}
	wanted := map[string][]string{}
	if k := a.config.UI.SendKey; k != "enter" {
		others := []string{"enter"}
		for _, e := range m.Entries(keys.Prompt) {
			if e.Command == "new_line" {
				others = append(others,
					slices.DeleteFunc(slices.Clone(e.Keys), func(have string) bool { return have == k })...)
			}
		}
		wanted["send"], wanted["new_line"] = []string{k}, others
	}
	maps.Copy(wanted, a.config.Keys)
	if len(wanted) == 0 {
		return m, nil
	}
	m, err := m.Rebind(wanted)
	if err != nil {
		return keys.Map{}, a.wrongKeys(err)
	}
	return m, nil
}

// wrongKeys adds the place of a wrong key binding to its error.
func (a *app) wrongKeys(err error) *api.Error {
	message := err.Error()
	var wrong *keys.BindingError
	if errors.As(err, &wrong) {
		for _, name := range wrong.Names {
			if from := a.config.Origin("keys." + name); from.Source != config.FromDefault {
				message = strings.TrimPrefix(from.String(), string(config.FromFile)+" ") + ": " + message
				break
			}
		}
	}
	return &api.Error{Code: api.CodeConfig, Message: message, Err: err}
}
