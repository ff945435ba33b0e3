package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"confab/service/problem"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"confab/history"
	"confab/internal/cli/panicguard"
	"confab/internal/safego"
	"confab/internal/terminput"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/ui"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/screen"
)

// screenFlags are those of the screen.
type screenFlags struct {
	models  []string
	system  string
	session string
	last    bool
	noSave  bool
}

// How often the screen is painted at most: half of what a key costs is waiting
// for the next frame, but a slow line is better off with fewer.
const (
	localFPS  = 120
	remoteFPS = 30
)

// killAfter is how long a screen that was told to end by a signal has to do so by itself.
const killAfter = 300 * time.Millisecond

// runScreen shows the screen until the person leaves.
func (a *app) runScreen(ctx context.Context, f screenFlags) error {
	// Reading the themes is half of all there is to do before the first frame.
	safego.Go(nil, "themes", func() { a.shipped() }, nil)
	if f.noSave {
		a.settings["history.save"] = "false"
	}
	if err := a.load(ctx); err != nil {
		return err
	}
	if err := a.canShow(); err != nil {
		return err
	}
	a.printWarnings()
	system, err := textOrFile(f.system)
	if err != nil {
		return err
	}
	svc, err := a.service(serviceNeeds{save: a.cfg.History.Save})
	if err != nil {
		return err
	}
	defer a.closeService(ctx, svc)
	o, err := a.screenOptions(ctx, svc, f)
	if err != nil {
		return err
	}
	screen, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	o.System = system
	model := ui.New(screen, o)
	return a.runProgram(ctx, svc, model, o, func() { leave(service.ErrClosing) })
}

// The largest screen that is drawn, in cells: many times what a display shows, and still in memory without harm.
const (
	maxColumns = 1000
	maxRows    = 500
)

// boundSize bounds the size of the terminal.
func boundSize(msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		return tea.WindowSizeMsg{Width: min(size.Width, maxColumns), Height: min(size.Height, maxRows)}
	}
	return msg
}

// canShow refuses where a full screen cannot be drawn.
func (a *app) canShow() error {
	switch {
	case !isTerminal(a.env.Stdin) || !isTerminal(a.env.Stdout):
		return problem.Usage("the screen needs a terminal as its input and output; confab ask works without one")
	case a.env.get("TERM") == "dumb":
		return problem.Usage("this terminal (TERM=dumb) cannot show a screen; confab ask works in it")
	case a.env.get("TERM") == "" && os.PathSeparator == '/':
		return problem.Usage("TERM is not set, so how to draw is not known; set it, or use confab ask")
	}
	// Bubble Tea makes its first frame as large as the terminal says it is, before any filter.
	if f, ok := a.env.Stdout.(*os.File); ok {
		if w, h, err := term.GetSize(f.Fd()); err == nil && (w > maxColumns || h > maxRows) {
			return problem.Usage("the terminal says that it is %dx%d cells large; a screen is drawn on up to %dx%d", w, h,
				maxColumns, maxRows)
		}
	}
	return nil
}

// screenOptions gathers what the screen is made of. The history is opened for
// it only when an earlier session was asked for.
func (a *app) screenOptions(ctx context.Context, svc *service.Service, f screenFlags) (ui.Options, error) {
	bindings, err := a.keys()
	if err != nil {
		return ui.Options{}, err
	}
	list := a.readThemes()
	marked, err := a.matchModels(f.models)
	if err != nil {
		return ui.Options{}, err
	}
	session, err := a.sessionToOpen(ctx, svc, f)
	if err != nil {
		return ui.Options{}, err
	}
	o := ui.Options{
		Warnings: append(slices.Clone(a.cfg.Warnings), a.themeWarnings(list)...),
		Service:  svc, Desktop: a.desktop(), Keys: bindings,
		Palettes: list.palettes, Theme: a.cfg.UI.Theme, Dark: a.cfg.UI.ThemeDark, Light: a.cfg.UI.ThemeLight,
		Models: infos(a.favouritesFirst(a.catalogue.Models())), Default: marked, Session: session,
		SideBySide:   a.cfg.UI.SideBySide == "auto" && !a.cfg.UI.ScreenReader,
		ScreenReader: a.cfg.UI.ScreenReader,
		Mouse:        a.cfg.UI.Mouse, Notify: a.cfg.UI.Notify, ReducesMotion: a.reducesMotion(),
		NoItalics: strings.HasPrefix(a.env.get("TERM"), "screen"),
		Colors:    max(a.out.profile, colorprofile.ASCII), Pictures: graphics.Protocol(a.cfg.UI.Pictures),
	}
	if o.ScreenReader {
		o.Pictures = graphics.Off
	}
	if svc.Endpoint(ctx).IsEmbedded {
		if a.served == nil { // what runs beside the server is its operator's
			o.LocalEngines = localEngines{a}
		}
		o.NextSteps = "Answers are simulated.  A real service: confab config init" +
			bindings.Phrase(keys.Everywhere, keys.TakeEngines, "  Models here: %s")
	}
	return o, nil
}

// reducesMotion tells whether signs of work stand still: over a line each step is traffic.
func (a *app) reducesMotion() bool {
	ui := a.cfg.UI
	return ui.ScreenReader || ui.Motion == "off" || ui.Motion != "on" && (a.env.isRemote() || a.served != nil)
}

// sessionToOpen returns the session to continue, 0 for a new one.
func (a *app) sessionToOpen(ctx context.Context, svc *service.Service, f screenFlags) (int64, error) {
	if f.session != "" && f.last {
		return 0, problem.Usage("--session and --continue exclude each other")
	}
	if f.session != "" {
		s, err := a.session(ctx, svc, f.session)
		return s.ID, err
	}
	if !f.last && a.cfg.UI.Start != "last" {
		return 0, nil
	}
	s, err := a.lastSession(ctx, svc)
	if !f.last {
		return s.ID, nil // the screen itself tells of a history that cannot be used
	}
	return s.ID, err
}

// runProgram runs the screen and tells on leaving how to come back. leave ends what the screen started and still runs.
func (a *app) runProgram(ctx context.Context, svc *service.Service, model tea.Model, o ui.Options, leave func()) error {
	fault := &panicguard.Fault{}
	fps := cmp.Or(a.cfg.UI.FPS, localFPS)
	if a.cfg.UI.FPS == 0 && a.env.isRemote() {
		fps = remoteFPS
	}
	g := &panicguard.Guard{Model: model, Fault: fault, Ask: a.askTmux(ctx, o.Colors), Drawn: make(chan struct{})}
	a.drawn = g.Drawn
	// Drawn as often as it is painted, not after every message: a paste without
	// brackets, or a wheel that is flung, is hundreds of them.
	paced := screen.NewThrottled(g, time.Second/time.Duration(fps), time.Now)
	in := terminput.New(a.env.Stdin, a.log)
	stops := &suspender{}
	filter := func(_ tea.Model, msg tea.Msg) tea.Msg { return stops.filter(boundSize(msg)) }
	p := tea.NewProgram(paced, tea.WithContext(ctx), tea.WithFPS(fps), tea.WithColorProfile(o.Colors),
		in.Input(), tea.WithFilter(filter), tea.WithOutput(a.env.Stdout), tea.WithEnvironment(a.env.Environ),
		tea.WithoutSignalHandler())
	in.SendTo(p)
	g.Quit = p.Quit
	// Bubble Tea would die of SIGHUP at once; a closed terminal, too, is a reason to store what runs.
	signals, release := a.signals(screenSignals()...)
	defer release()
	ended := make(chan struct{})
	told := make(chan os.Signal, 1)
	stops.follow(a, p, ended)
	safego.Go(a.log, "signals", func() {
		select {
		case s := <-signals:
			told <- s
			endScreen(p, s, ended)
		case <-ended:
		}
	}, nil)
	_, err := p.Run()
	close(ended)
	var signalled os.Signal
	if len(told) > 0 {
		signalled = <-told
	}
	if slices.Contains(dumpSignals(), signalled) {
		raise(signalled)
	}
	g.KeepDraft()
	leave()
	switch {
	case fault.HasHappened(), errors.Is(err, tea.ErrProgramPanic):
		if !fault.HasHappened() {
			fault.Catch(err)
		}
		a.closeService(ctx, svc)
		return exitCode(a.report(fault))
	case signalled != nil:
		return exitCode(exitInterrupted)
	case err != nil && ctx.Err() == nil:
		return &api.Error{Code: api.CodeService, Message: "the screen could not be shown", Err: err}
	}
	a.printResumeHint(ctx, svc, g.Model, o.Session)
	return nil
}

// endScreen ends the program of a screen because of a signal. One that asks for the stacks gets them once the terminal
// is restored, also from a program that hangs.
func endScreen(p *tea.Program, s os.Signal, ended <-chan struct{}) {
	if !slices.Contains(dumpSignals(), s) {
		t := time.AfterFunc(killAfter, p.Kill)
		defer t.Stop()
		p.Quit()
		<-ended
		return
	}
	p.Kill()
	select {
	case <-ended:
	case <-time.After(killAfter):
		raise(s)
	}
}

// printResumeHint names the session that was left and how to continue it.
func (a *app) printResumeHint(ctx context.Context, svc *service.Service, model tea.Model, opened int64) {
	if !svc.IsSaving() {
		return
	}
	last, err := svc.LastSession(ctx)
	if err != nil {
		return // nothing was ever kept
	}
	var s history.Session
	if m, ok := model.(interface{ Session() history.Session }); ok {
		s = m.Session()
	} else if !last.Updated.Before(a.began) || last.ID == opened {
		s = last
	}
	if s.ID == 0 {
		return
	}
	flag := "-C"
	if last.ID != s.ID {
		flag = fmt.Sprintf("--session s%d", s.ID)
	}
	a.info(fmt.Sprintf("Session %s. Continue with: confab %s", termtext.Line(s.Name), flag))
}
