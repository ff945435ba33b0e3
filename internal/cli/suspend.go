package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/internal/safego"
	"confab/ui/action"
	"confab/ui/part"
)

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

// resume is the message of a program that has taken the terminal again.
func resume(error) tea.Msg { return tea.ResumeMsg{} }

// terminalCommand is what Bubble Tea does while it has let go of the terminal. Then it takes it again, in raw mode and
// with all that was switched on.
type terminalCommand func()

// Run implements [tea.ExecCommand].
func (c terminalCommand) Run() error { c(); return nil }

// SetStdin implements [tea.ExecCommand].
func (terminalCommand) SetStdin(io.Reader) {}

// SetStdout implements [tea.ExecCommand].
func (terminalCommand) SetStdout(io.Writer) {}

// SetStderr implements [tea.ExecCommand].
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
