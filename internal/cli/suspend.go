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

	"confab/internal/cli/app"
	"confab/internal/safego"
	"confab/ui/action"
	"confab/ui/part"
)

// suspender suspends the program of a screen when the process is told to stop, and has it take the terminal again when
// the process goes on after SIGSTOP, which no program can act on.
//
// Bubble Tea suspends a program by restoring the terminal and sending SIGTSTP to the group of the process. The effect
// of a signal that Go was asked for once is not the system's any more (sigdisable in Go's runtime leaves its handler),
// so the process stops itself then.
type suspender struct{ isSuspending atomic.Bool }

// follow acts on signals until the program has ended.
func (s *suspender) follow(a *app.App, p *tea.Program, ended <-chan struct{}) {
	which := stopSignals()
	if len(which) == 0 {
		return
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, which...)
	safego.Go(a.Log, "stop signals", func() {
		defer signal.Stop(signals)
		stopped := false
		for {
			select {
			case got := <-signals:
				switch {
				case isContinue(got) && stopped: // Bubble Tea waits for it too
					stopped = false
					// Not only with the ResumeMsg, which comes after the screen was drawn: the next signal to stop
					// would stop the process with the terminal still taken.
					s.isSuspending.Store(false)
				case isContinue(got):
					p.Send(tea.Exec(emptyCommand{}, func(error) tea.Msg { return tea.ResumeMsg{} })())
				case s.isSuspending.Load():
					stopped = true
					stopProcess()
				default:
					p.Send(tea.SuspendMsg{})
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
		s.isSuspending.Store(true)
	case tea.ResumeMsg:
		s.isSuspending.Store(false)
	}
	return msg
}

// emptyCommand is a command that does nothing. To run it, Bubble Tea lets go of the terminal and takes it again, in raw
// mode and with all that was switched on.
type emptyCommand struct{}

// Run implements [tea.ExecCommand]. It waits a moment: the renderer that Bubble Tea v2.0.9 has told to end still stops
// the ticker that the next one is started with.
func (emptyCommand) Run() error {
	time.Sleep(20 * time.Millisecond)
	return nil
}

// SetStdin implements [tea.ExecCommand].
func (emptyCommand) SetStdin(io.Reader) {}

// SetStdout implements [tea.ExecCommand].
func (emptyCommand) SetStdout(io.Writer) {}

// SetStderr implements [tea.ExecCommand].
func (emptyCommand) SetStderr(io.Writer) {}

// askTmux returns a command that tells a screen of the colors that tmux draws,
// nil where there is nothing to ask. Nothing waits for it.
func (a commands) askTmux(ctx context.Context, have colorprofile.Profile) tea.Cmd {
	if a.Env.Get("TMUX") == "" || have < colorprofile.ANSI || have == colorprofile.TrueColor {
		return nil
	}
	return func() tea.Msg {
		if !a.TmuxDraws24(ctx) {
			return nil
		}
		// Cells that stay the same are not recolored by themselves.
		return tea.Sequence(func() tea.Msg { return tea.ColorProfileMsg{Profile: colorprofile.TrueColor} },
			tea.ClearScreen)()
	}
}
