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

// killAfter is how long a screen may take to end after a signal.
const killAfter = 300 * time.Millisecond

func (a *app) runScreen(ctx context.Context, f screenFlags) error {
	// Reading the themes is half of the work before the first frame.
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
	given := service.Prompt{System: system, Models: o.Start.Marked}
	if err := a.applyPersona(ctx, svc, &given, f.persona); err != nil {
		return err
	}
	o.Start.Marked = given.Models
	o.Start.Given = history.Setup{Models: given.Models, System: given.System, Params: given.Params}
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

// runProgram runs the screen and prints how to continue the session. leave stops what the screen started.
func (a *app) runProgram(ctx context.Context, svc *service.Service, model *ui.Model, o ui.Options,
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
	// Bubble Tea would end at once on SIGHUP; confab first stores what runs.
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
	case model.Refusal() != nil:
		return model.Refusal()
	case err != nil && ctx.Err() == nil:
		return &api.Error{Code: api.CodeService, Message: "the screen could not be shown", Err: err}
	}
	a.printResumeHint(ctx, svc, model.Session())
	return nil
}

// endScreen ends the screen because of a signal. A signal that asks for stacks is raised again when the terminal is
// restored, also if the program hangs. uncapture restores standard error.
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

// printResumeHint prints how to continue the session that was left.
func (a *app) printResumeHint(ctx context.Context, svc *service.Service, s history.Session) {
	if s.ID == 0 || !svc.IsSaving() {
		return
	}
	last, err := svc.LastSession(ctx)
	if err != nil {
		return // nothing was ever kept
	}
	flag := "-C"
	if last.ID != s.ID {
		flag = fmt.Sprintf("--session s%d", s.ID)
	}
	a.info(fmt.Sprintf("Session %s. Continue with: confab %s", termtext.Line(s.Name), flag))
}

// suspender suspends the screen when the process is told to stop, and restores the terminal when it continues. Bubble
// Tea v2.0.9 does not always draw again then (see [releaseWait]), so a command suspends it instead.
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

// releaseWait is how long a command waits with the terminal released. Until then Bubble Tea may still stop the ticker
// of the drawing, even if it was started again.
const releaseWait = 20 * time.Millisecond

func newSuspender() *suspender { return &suspender{continued: make(chan struct{}, 1)} }

// follow acts on signals until the program has ended.
func (s *suspender) follow(a *app, p *tea.Program, ended <-chan struct{}) {
	which := stopSignals()
	if len(which) == 0 {
		return
	}
	// A suspended program takes no messages, but this goroutine must still take signals.
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

// filter replaces a message. It refuses to suspend a program that nothing would wake.
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

// suspend stops the process and its job until they are continued. Go keeps its handler of a signal that it once asked
// for, so the process stops itself when it gets the signal.
func (s *suspender) suspend() {
	pause()
	s.state.Store(released)
	if stopJob() == nil {
		<-s.continued
	}
}

func pause() { time.Sleep(releaseWait) }

func resume(error) tea.Msg { return tea.ResumeMsg{} }

// terminalCommand is a [tea.ExecCommand]: Bubble Tea runs it with the terminal released.
type terminalCommand func()

func (c terminalCommand) Run() error { c(); return nil }

func (terminalCommand) SetStdin(io.Reader)  {}
func (terminalCommand) SetStdout(io.Writer) {}
func (terminalCommand) SetStderr(io.Writer) {}

// askTmux returns a command that tells the screen of the colors that tmux draws; nil if there is nothing to ask.
func (a *app) askTmux(ctx context.Context, have colorprofile.Profile) tea.Cmd {
	if a.env.Get("TMUX") == "" || have < colorprofile.ANSI || have == colorprofile.TrueColor {
		return nil
	}
	return func() tea.Msg {
		if !a.tmuxDraws24(ctx) {
			return nil
		}
		// Unchanged cells are not redrawn in new colors by themselves.
		return tea.Sequence(func() tea.Msg { return tea.ColorProfileMsg{Profile: colorprofile.TrueColor} },
			tea.ClearScreen)()
	}
}
