package cli

import (
	"context"
	"errors"
	"io"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/desktop"
	"confab/internal/sshserver"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/ui"
	"confab/ui/keys"
)

// closeServedScreen closes the service of a screen and returns the text that is printed after it: why it ended and
// how to come back.
func (g *servedUser) closeServedScreen(
	ctx context.Context, svc *service.Service, gd *panicGuard, reason sshserver.ExitReason,
) string {
	ctx = context.WithoutCancel(ctx)
	var session history.Session
	if m, ok := gd.model.(interface{ Session() history.Session }); ok {
		session = m.Session()
	}
	if !svc.IsSaving() {
		session = history.Session{} // the ids of a history in memory mean something else in the next login
	}
	if reason == sshserver.ExitByUser && session.ID != 0 {
		g.forgetSession(ctx, svc, session.ID)
	}
	g.closeService(ctx, svc)
	svc.LeaveDraft()
	g.end()
	if gd.fault.hasHappened() {
		g.handler.app.report(gd.fault)
		return "confab: an unexpected fault ended this screen; what you wrote is kept. Log in again to go on."
	}
	sentence := map[sshserver.ExitReason]string{
		sshserver.ExitServerStopped: "The server is being stopped; what was still being answered is interrupted " +
			"and can be run again.",
		sshserver.ExitIdle: "Nothing was typed for long, so the screen was closed.",
		sshserver.ExitKeyRevoked: "Your key is not authorised here any more, so the screen was closed. " +
			"What you wrote is kept.",
	}[reason]
	switch {
	case reason == sshserver.ExitKeyRevoked, session.ID == 0:
		return sentence
	case sentence != "":
		return sentence + "\nLog in again to continue session " + termtext.Line(session.Name) + "."
	}
	found := g.servedKeys().Phrase(keys.Everywhere, keys.Sessions, "; %s finds it after the next login")
	return "Session " + termtext.Line(session.Name) + " is kept" + found + "."
}

// forgetSession stores that a session is not open any more, unless another screen of the user has opened another one.
func (g *servedUser) forgetSession(ctx context.Context, svc *service.Service, session int64) {
	ctx, cancel := context.WithTimeout(ctx, closeWait)
	defer cancel()
	open, err := svc.Setting(ctx, service.OpenSessionSetting)
	if err == nil && open == strconv.FormatInt(session, 10) {
		err = svc.SetSetting(ctx, service.OpenSessionSetting, "")
	}
	if err != nil {
		g.handler.app.log.Warn("Could not store that a user has left a session", "user", g.user.id, "error", err)
	}
}

// servedDesktop is the desktop of a served screen. It can only use the user's terminal: the clipboard, the programs
// and the editor of this machine are not the user's.
type servedDesktop struct{ name func(path string) string } // as the user names it

// Copy implements [desktop.Machine] of the screen.
func (servedDesktop) Copy(_ context.Context, text string) (where string, terminal bool, err error) {
	if len(text) > desktop.MaxTerminalText {
		return "", false, &api.Error{Code: api.CodeTooLarge, Message: "This is too large for a terminal's " +
			"clipboard (70 KB); copy a part of it, or ask for it with ssh HOST ask and redirect the answer."}
	}
	return "sent to the terminal", true, nil
}

// Paste implements [desktop.Machine] of the screen.
func (servedDesktop) Paste(context.Context) (text string, picture []byte, err error) {
	return "", nil, &api.Error{Code: api.CodeUsage, Message: "Over SSH the clipboard is on your own machine: " +
		"paste text with your terminal."}
}

// Open implements [desktop.Machine] of the screen.
func (d servedDesktop) Open(_ context.Context, target string) (hint string, err error) {
	return "nothing is opened on the server; it is " + d.name(target), nil
}

// Editor implements [desktop.Machine] of the screen.
func (servedDesktop) Editor(context.Context, string) (func(in io.Reader, out io.Writer) (became, kept string,
	err error), error) {
	return nil, &api.Error{Code: api.CodeConfig, Message: "There is no editor in a screen that is served over " +
		"SSH: it would run on the server."}
}

// Saved implements [desktop.Machine] of the screen: no editor runs that could save anything.
func (servedDesktop) Saved(string) (string, error) { return "", errors.ErrUnsupported }

// OpenScreen implements [sshserver.Handler].
func (h *sshHandler) OpenScreen(ctx context.Context, v sshserver.Session) (sshserver.Program, error) {
	g, err := h.serveUser(ctx, v, Env{Stdout: io.Discard, Stderr: io.Discard, Scripts: h.app.env.Scripts})
	if err != nil {
		return sshserver.Program{}, errors.New(sentence(err))
	}
	svc, err := g.service(recordsTurns)
	if err != nil {
		g.end()
		return sshserver.Program{}, errors.New(sentence(err))
	}
	o, err := g.servedScreen(ctx, svc)
	if err != nil {
		g.closeService(ctx, svc)
		g.end()
		return sshserver.Program{}, errors.New(sentence(err))
	}
	screenCtx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	o.Terminal.FPS = remoteFPS
	gd := &panicGuard{model: ui.New(screenCtx, o), fault: &panicRecord{}}
	options := []tea.ProgramOption{
		tea.WithColorProfile(max(o.Theme.Profile, colorprofile.ASCII)), tea.WithEnvironment(g.env.Environ),
	}
	if fps := g.config.UI.FPS; fps != 0 {
		options = append(options, tea.WithFPS(min(fps, remoteFPS)))
	}
	return sshserver.Program{
		Model: gd, Options: options,
		OnStart: func(p *tea.Program) { gd.quit = p.Quit },
		OnExit: func(reason sshserver.ExitReason) (string, bool) {
			gd.keepDraft()
			cancel(service.ErrClosing)
			return g.closeServedScreen(ctx, svc, gd, reason), gd.fault.hasHappened()
		},
	}, nil
}

// servedScreen returns the options of a served screen. Models, themes and keys are shared where the user has none of
// their own.
func (g *servedUser) servedScreen(ctx context.Context, svc *service.Service) (ui.Options, error) {
	h := g.handler
	o, err := g.screenOptions(ctx, svc, screenFlags{})
	if err != nil {
		return ui.Options{}, err
	}
	o.Desktop = servedDesktop{svc.Paths().Name}
	o.Keys, o.Theme.Cache = g.servedKeys(), &h.styles
	if !g.user.hasOwnService {
		o.Theme.Palettes, o.Start.Warnings = h.palettes, nil // the warnings about themes are for the operator
	}
	o.Start.Session.Resumes = true
	o.Theme.Profile = profileOf(g.env)
	if g.env.Get("NO_COLOR") != "" {
		o.Theme.Profile = colorprofile.ASCII
	}
	if o.Start.NextSteps != "" {
		o.Start.NextSteps = "Answers are simulated: the operator of this server has set up no " +
			"service." + o.Keys.Phrase(keys.Everywhere, keys.Commands, " %s lists what can be done.")
	}
	return o, nil
}

// servedKeys returns the key map of a served screen: the user's own, or that of the server.
func (g *servedUser) servedKeys() keys.Map {
	if g.user.hasOwnService {
		if own, err := g.keys(); err == nil {
			return own
		}
	}
	return g.handler.keyMap
}

// Fetch implements [desktop.Machine] of the screen: files of the server are not the user's to fetch.
func (servedDesktop) Fetch(...string) (line string, ok bool) { return "", false }
