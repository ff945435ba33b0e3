package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/internal/safego"
	"confab/internal/terminput"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/part"
)

// killAfter is how long a screen that was told to end by a signal has to do so by itself.
const killAfter = 300 * time.Millisecond

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
	svc, err := a.service(recordsTurns)
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
	o.Start.System = system
	o.Terminal.FPS = cmp.Or(a.config.UI.FPS, localFPS)
	if a.config.UI.FPS == 0 && a.env.IsRemote() {
		o.Terminal.FPS = remoteFPS
	}
	model := ui.New(screen, o)
	return a.runProgram(ctx, svc, model, o, func() { leave(service.ErrClosing) })
}

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
	g := &panicGuard{model: model, fault: fault, ask: a.askTmux(ctx, o.Theme.Profile), drawn: make(chan struct{})}
	a.drawn = g.drawn
	in := terminput.New(a.env.Stdin, a.log)
	stops := newSuspender()
	filter := func(_ tea.Model, msg tea.Msg) tea.Msg { return stops.filter(boundSize(msg)) }
	p := tea.NewProgram(g, tea.WithContext(ctx), tea.WithFPS(o.Terminal.FPS), tea.WithColorProfile(o.Theme.Profile),
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
	case refusalOf(g.model) != nil:
		return refusalOf(g.model)
	case err != nil && ctx.Err() == nil:
		return &api.Error{Code: api.CodeService, Message: "the screen could not be shown", Err: err}
	}
	a.printResumeHint(ctx, svc, g.model)
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

// refusalOf returns why a screen has ended by itself, nil where the person left.
func refusalOf(model tea.Model) error {
	if m, ok := model.(interface{ Refusal() error }); ok {
		return m.Refusal()
	}
	return nil
}

// printResumeHint names the session that was left and how to continue it.
func (a *app) printResumeHint(ctx context.Context, svc *service.Service, model tea.Model) {
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
	} else if !last.Updated.Before(a.began) {
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

// suspender suspends the program of a screen when the process is told to stop, and has it take the terminal again when
// the process goes on after SIGSTOP, which no program can act on.
//
// Bubble Tea v2.0.9 can suspend a program itself, but a process that is stopped at once does not always draw again: see
// [releaseWait]. So this does it as a command that the program runs with the terminal released.
type suspender struct {
	state     atomic.Int32  // one of the suspend states
	continued chan struct{} // of one element: the process goes on
}

// The suspend states of a screen.
const (
	running   = int32(iota)
	releasing // the terminal, to stop then
	released
)

// releaseWait is how long a command waits that does nothing else with the terminal. The goroutine that Bubble Tea has
// told to end still stops the ticker of the drawing, which may have been started again by then; nothing would be drawn.
const releaseWait = 20 * time.Millisecond

func newSuspender() *suspender { return &suspender{continued: make(chan struct{}, 1)} }

// follow acts on signals until the program has ended.
func (s *suspender) follow(a *app, p *tea.Program, ended <-chan struct{}) {
	which := stopSignals()
	if len(which) == 0 {
		return
	}
	// The program takes no message while it is suspended, and this goroutine has to take signals then.
	send := func(msg tea.Msg) { safego.Go(a.log, "message of a stop signal", func() { p.Send(msg) }, nil) }
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, which...)
	safego.Go(a.log, "stop signals", func() {
		defer signal.Stop(signals)
		for {
			select {
			case got := <-signals:
				switch {
				case isContinue(got) && s.state.CompareAndSwap(released, running):
					s.continued <- struct{}{}
				case isContinue(got) && s.state.Load() == running:
					send(tea.Exec(terminalCommand(pause), resume)())
				case isContinue(got):
				case s.state.Load() == released:
					stopProcess()
				case s.state.Load() == running:
					send(tea.SuspendMsg{})
				}
			case <-ended:
				return
			}
		}
	}, nil)
}

// filter returns the message in place of msg. A program that nothing would wake is not suspended.
func (s *suspender) filter(msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.SuspendMsg:
		if !canSuspend() {
			return part.Do(action.Notify{Severity: action.Info, Text: "There is no shell here to go back to."})
		}
		s.state.Store(releasing)
		return tea.Exec(terminalCommand(s.suspend), resume)()
	case tea.ResumeMsg:
		s.state.Store(running) // also when the terminal could not be released
	}
	return msg
}

// suspend stops the process, and those that the shell started with it, until they are continued. The effect of a signal
// that Go was asked for once is not the system's any more (sigdisable in Go's runtime leaves its handler), so the
// process stops itself when it gets the signal.
func (s *suspender) suspend() {
	pause()
	s.state.Store(released)
	if stopJob() == nil {
		<-s.continued
	}
}

func pause() { time.Sleep(releaseWait) }

func resume(error) tea.Msg { return tea.ResumeMsg{} }

// terminalCommand is a [tea.ExecCommand]: what Bubble Tea does while it has let go of the terminal. Then it takes it
// again, in raw mode and with all that was switched on.
type terminalCommand func()

func (c terminalCommand) Run() error { c(); return nil }

func (terminalCommand) SetStdin(io.Reader)  {}
func (terminalCommand) SetStdout(io.Writer) {}
func (terminalCommand) SetStderr(io.Writer) {}

// askTmux returns a command that tells a screen of the colors that tmux draws,
// nil where there is nothing to ask. Nothing waits for it.
func (a *app) askTmux(ctx context.Context, have colorprofile.Profile) tea.Cmd {
	if a.env.Get("TMUX") == "" || have < colorprofile.ANSI || have == colorprofile.TrueColor {
		return nil
	}
	return func() tea.Msg {
		if !a.tmuxDraws24(ctx) {
			return nil
		}
		// Cells that stay the same are not recolored by themselves.
		return tea.Sequence(func() tea.Msg { return tea.ColorProfileMsg{Profile: colorprofile.TrueColor} },
			tea.ClearScreen)()
	}
}
