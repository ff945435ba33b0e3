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
	"confab/internal/safego"
	"confab/internal/terminput"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/ui"
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
	svc, err := a.service(serviceNeeds{save: a.config.History.Save})
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
	o.FPS = cmp.Or(a.config.UI.FPS, localFPS)
	if a.config.UI.FPS == 0 && a.env.IsRemote() {
		o.FPS = remoteFPS
	}
	model := ui.New(screen, o)
	return a.runProgram(ctx, svc, model, o, func() { leave(service.ErrClosing) })
}

// boundSize bounds the size of the terminal.
func boundSize(msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		return tea.WindowSizeMsg{Width: min(size.Width, maxColumns), Height: min(size.Height, maxRows)}
	}
	return msg
}

// runProgram runs the screen and tells on leaving how to come back. leave ends what the screen started and still runs.
func (a *app) runProgram(ctx context.Context, svc *service.Service, model tea.Model, o ui.Options,
	leave func()) error {
	fault := &panicRecord{}
	g := &panicGuard{model: model, fault: fault, ask: a.askTmux(ctx, o.Colors), drawn: make(chan struct{})}
	a.drawn = g.drawn
	in := terminput.New(a.env.Stdin, a.log)
	stops := newSuspender()
	filter := func(_ tea.Model, msg tea.Msg) tea.Msg { return stops.filter(boundSize(msg)) }
	p := tea.NewProgram(g, tea.WithContext(ctx), tea.WithFPS(o.FPS), tea.WithColorProfile(o.Colors),
		in.Input(), tea.WithFilter(filter), tea.WithOutput(a.env.Stdout), tea.WithEnvironment(a.env.Environ),
		tea.WithoutSignalHandler())
	in.SendTo(p)
	g.quit = p.Quit
	// Bubble Tea would die of SIGHUP at once; a closed terminal, too, is a reason to store what runs.
	signals, release := a.signals(screenSignals()...)
	defer release()
	uncapture := captureStderr(a.log, a.env.Stderr)
	defer uncapture()
	ended := make(chan struct{})
	told := make(chan os.Signal, 1)
	stops.follow(a, p, ended)
	safego.Go(a.log, "signals", func() {
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
	g.keepDraft()
	leave()
	switch {
	case fault.hasHappened(), errors.Is(err, tea.ErrProgramPanic):
		if !fault.hasHappened() {
			fault.catch(err)
		}
		a.closeService(ctx, svc)
		return exitCode(a.report(fault))
	case signalled != nil:
		return exitCode(ExitInterrupted)
	case err != nil && ctx.Err() == nil:
		return &api.Error{Code: api.CodeService, Message: "the screen could not be shown", Err: err}
	}
	a.printResumeHint(ctx, svc, g.model, o.First.ID)
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
