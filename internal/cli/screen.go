package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/cli/panicguard"
	"confab/internal/safego"
	"confab/internal/terminput"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/ui"
	"confab/ui/screen"
)

// killAfter is how long a screen that was told to end by a signal has to do so by itself.
const killAfter = 300 * time.Millisecond

// runScreen shows the screen until the person leaves.
func (a commands) runScreen(ctx context.Context, f app.ScreenFlags) error {
	// Reading the themes is half of all there is to do before the first frame.
	safego.Go(nil, "themes", func() { a.Shipped() }, nil)
	if f.NoSave {
		a.Settings["history.save"] = "false"
	}
	if err := a.Load(ctx); err != nil {
		return err
	}
	if err := a.CanShow(); err != nil {
		return err
	}
	a.PrintWarnings()
	system, err := console.TextOrFile(f.System)
	if err != nil {
		return err
	}
	svc, err := a.Service(app.ServiceNeeds{Save: a.Config.History.Save})
	if err != nil {
		return err
	}
	defer a.CloseService(ctx, svc)
	o, err := a.ScreenOptions(ctx, svc, f)
	if err != nil {
		return err
	}
	screen, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	o.System = system
	model := ui.New(screen, o)
	return a.runProgram(ctx, svc, model, o, func() { leave(service.ErrClosing) })
}

// boundSize bounds the size of the terminal.
func boundSize(msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		return tea.WindowSizeMsg{Width: min(size.Width, app.MaxColumns), Height: min(size.Height, app.MaxRows)}
	}
	return msg
}

// runProgram runs the screen and tells on leaving how to come back. leave ends what the screen started and still runs.
func (a commands) runProgram(ctx context.Context, svc *service.Service, model tea.Model, o ui.Options,
	leave func()) error {
	fault := &panicguard.Fault{}
	fps := cmp.Or(a.Config.UI.FPS, app.LocalFPS)
	if a.Config.UI.FPS == 0 && a.Env.IsRemote() {
		fps = app.RemoteFPS
	}
	g := &panicguard.Guard{Model: model, Fault: fault, Ask: a.askTmux(ctx, o.Colors), Drawn: make(chan struct{})}
	a.Drawn = g.Drawn
	// Drawn as often as it is painted, not after every message: a paste without
	// brackets, or a wheel that is flung, is hundreds of them.
	paced := screen.NewThrottled(g, time.Second/time.Duration(fps), time.Now)
	in := terminput.New(a.Env.Stdin, a.Log)
	stops := newSuspender()
	filter := func(_ tea.Model, msg tea.Msg) tea.Msg { return stops.filter(boundSize(msg)) }
	p := tea.NewProgram(paced, tea.WithContext(ctx), tea.WithFPS(fps), tea.WithColorProfile(o.Colors),
		in.Input(), tea.WithFilter(filter), tea.WithOutput(a.Env.Stdout), tea.WithEnvironment(a.Env.Environ),
		tea.WithoutSignalHandler())
	in.SendTo(p)
	g.Quit = p.Quit
	// Bubble Tea would die of SIGHUP at once; a closed terminal, too, is a reason to store what runs.
	signals, release := a.Signals(screenSignals()...)
	defer release()
	uncapture := captureStderr(a.Log, a.Env.Stderr)
	defer uncapture()
	ended := make(chan struct{})
	told := make(chan os.Signal, 1)
	stops.follow(a.App, p, ended)
	safego.Go(a.Log, "signals", func() {
		select {
		case s := <-signals:
			told <- s
			endScreen(p, s, ended, uncapture)
		case <-ended:
		}
	}, nil)
	_, err := p.Run()
	close(ended)
	uncapture()
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
		a.CloseService(ctx, svc)
		return console.ExitCode(a.Report(fault))
	case signalled != nil:
		return console.ExitCode(console.ExitInterrupted)
	case err != nil && ctx.Err() == nil:
		return &api.Error{Code: api.CodeService, Message: "the screen could not be shown", Err: err}
	}
	a.printResumeHint(ctx, svc, g.Model, o.First.ID)
	return nil
}

// endScreen ends the program of a screen because of a signal. One that asks for the stacks gets them once the terminal
// is restored, also from a program that hangs. uncapture gives standard error back.
func endScreen(p *tea.Program, s os.Signal, ended <-chan struct{}, uncapture func()) {
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
		uncapture()
		raise(s)
	}
}

// printResumeHint names the session that was left and how to continue it.
func (a commands) printResumeHint(ctx context.Context, svc *service.Service, model tea.Model, opened int64) {
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
	} else if !last.Updated.Before(a.Began) || last.ID == opened {
		s = last
	}
	if s.ID == 0 {
		return
	}
	flag := "-C"
	if last.ID != s.ID {
		flag = fmt.Sprintf("--session s%d", s.ID)
	}
	a.Info(fmt.Sprintf("Session %s. Continue with: confab %s", termtext.Line(s.Name), flag))
}
