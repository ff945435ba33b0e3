package sshserver

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/safego"
	"confab/internal/terminput"
)

// framesPerSecond is how often a screen is painted at most.
const framesPerSecond = 30

// killDelay is how long a program may take to end by itself before it is killed.
const killDelay = 2 * time.Second

// runScreen runs the program of a login until it ends, and returns the exit code.
func (s *Server) runScreen(sess ssh.Session, ch *channel, v Session, lease *accessLease, log *slog.Logger) int {
	pty, _, ok := sess.Pty()
	switch {
	case !ok:
		ch.writeNotice("the screen needs a terminal; ssh -t asks for one")
		return 2
	case pty.Term == "dumb":
		ch.writeNotice("this terminal (TERM=dumb) cannot show a screen")
		return 2
	}
	v.Environ = append(v.Environ, "TERM="+pty.Term)
	v.Window = Window{pty.Window.Width, pty.Window.Height}
	got, err := s.handler.OpenScreen(sess.Context(), v)
	if err != nil {
		log.Error("Could not open a screen", "error", err)
		ch.writeNotice(strings.TrimSuffix(err.Error(), "."))
		return 1
	}
	f := &noticeModel{Model: got.Model}
	in := terminput.New(sess, log)
	p := tea.NewProgram(f, append(append(bubbletea.MakeOptions(sess), in.Input(),
		tea.WithEnvironment(v.Environ), tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler()), got.Options...)...)
	in.SendTo(p)
	if got.OnStart != nil {
		got.OnStart(p)
	}
	log.Info("Opened a screen", "term", pty.Term, "columns", pty.Window.Width, "rows", pty.Window.Height)
	w := &screenWatcher{server: s, channel: ch, program: p, model: f, done: make(chan struct{}),
		lease: lease, limits: s.limiter.currentLimits()}
	w.reason.Store(ExitByUser)
	safego.Go(s.log, "watch", w.run, func(error) { p.Quit() })
	_, err = p.Run()
	close(w.done)
	defer s.returnMemory()
	why, _ := w.reason.Load().(ExitReason)
	if err != nil && why == ExitByUser {
		why = ExitFault
	}
	last, failed := "", false
	if got.OnExit != nil {
		last, failed = got.OnExit(why)
	}
	if failed {
		why = ExitFault
	}
	closed, _ := ch.conn.closeReason.Load().(string)
	log.Info("Left a screen", "why", string(why), "closed", closed)
	if why == ExitConnectionLost {
		return 1
	}
	for line := range strings.SplitSeq(last, "\n") {
		if line != "" {
			_, _ = ch.Write([]byte(line + "\r\n")) // the client may have gone
		}
	}
	if why == ExitFault {
		return 1
	}
	return 0
}

// returnDelay is how long after the end of a screen its memory goes back to the system. Screens that end meanwhile are
// collected at once with it.
const returnDelay = 10 * time.Second

// returnMemory gives the memory of screens that have ended back to the system: an idle process would keep it for
// minutes.
func (s *Server) returnMemory() {
	if s.isReturning.CompareAndSwap(false, true) {
		time.AfterFunc(returnDelay, func() {
			defer safego.Recover(s.log, "return of memory", nil)
			s.isReturning.Store(false)
			debug.FreeOSMemory()
		})
	}
}

// screenWatcher ends a program that is idle, when the server stops, or when the key is revoked. It shows the user a
// notice first.
type screenWatcher struct {
	server  *Server
	channel *channel
	program *tea.Program
	model   *noticeModel
	done    chan struct{} // closed when the program has ended
	lease   *accessLease
	limits  Limits
	reason  atomic.Value // of type [ExitReason]
}

// Notices that are shown before a screen closes.
const (
	noticeIdle        = " Nothing was typed for long: this screen closes in %s. Press any key to stay. "
	noticeKeyRevoked  = " Your key is not authorised here any more: this screen closes. What you wrote is kept. "
	noticeServerStops = " The server is being stopped. Your draft is kept; log in again in a moment to go on. "
)

func (w *screenWatcher) run() {
	l := w.limits
	t := time.NewTimer(w.untilNextCheck())
	defer t.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-w.channel.closed:
			w.endProgram(ExitConnectionLost)
			return
		case <-w.server.closing.Done():
			w.showFarewell(noticeServerStops)
			w.endProgram(ExitServerStopped)
			return
		case <-w.lease.revoked:
			w.showFarewell(noticeKeyRevoked)
			w.endProgram(ExitKeyRevoked)
			return
		case size := <-w.channel.resizes:
			w.program.Send(tea.WindowSizeMsg{Width: size.Columns, Height: size.Rows})
		case <-t.C:
			now, idle := time.Now(), w.channel.lastInput.Load().Add(l.IdleTimeout)
			switch {
			case !now.Before(idle):
				w.endProgram(ExitIdle)
				return
			case !now.Before(idle.Add(-l.WarningTime)) && !w.model.showsNotice():
				w.showNotice(fmt.Sprintf(noticeIdle, format.Seconds(l.WarningTime)))
			}
			t.Reset(w.untilNextCheck())
		}
	}
}

// untilNextCheck returns the time until the screen has been idle for so long that its user is warned, or that it ends.
func (w *screenWatcher) untilNextCheck() time.Duration {
	now, idle := time.Now(), w.channel.lastInput.Load().Add(w.limits.IdleTimeout)
	if warning := idle.Add(-w.limits.WarningTime); warning.After(now) {
		idle = warning
	}
	return max(idle.Sub(now), time.Millisecond)
}

// showFarewell shows why the screen closes, and waits until it can be read.
func (w *screenWatcher) showFarewell(text string) {
	w.showNotice(text)
	select {
	case <-time.After(w.limits.FarewellTime):
	case <-w.done:
	case <-w.channel.closed:
	}
}

func (w *screenWatcher) showNotice(text string) { w.program.Send(notice(text)) }

// endProgram asks the program to end, and kills it when it does not.
func (w *screenWatcher) endProgram(why ExitReason) {
	w.reason.Store(why)
	kill := time.AfterFunc(killDelay, w.program.Kill)
	defer kill.Stop()
	w.program.Quit()
	<-w.done
}

// notice is a message of the server to the user of a screen.
type notice string

// noticeModel wraps the model of a program. It draws a notice over the last line until the user types something.
type noticeModel struct {
	tea.Model
	notice        string
	width, height int
	isNoticeShown atomic.Bool
}

// showsNotice reports whether a notice is drawn. It may be called from any goroutine.
func (f *noticeModel) showsNotice() bool { return f.isNoticeShown.Load() }

// Update implements [tea.Model].
func (f *noticeModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case notice:
		f.notice = string(msg)
		f.isNoticeShown.Store(true)
		return f, nil
	case tea.WindowSizeMsg:
		if msg.Width <= 0 || msg.Height <= 0 {
			return f, nil // a connection that is closing may report such a size
		}
		f.width, f.height = msg.Width, msg.Height
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		f.notice = ""
		f.isNoticeShown.Store(false)
	}
	var cmd tea.Cmd
	f.Model, cmd = f.Model.Update(msg)
	return f, cmd
}

// View implements [tea.Model].
func (f *noticeModel) View() tea.View {
	v := f.Model.View()
	if f.notice == "" || f.width == 0 || f.height == 0 {
		return v
	}
	lines := strings.Split(v.Content, "\n")
	for len(lines) < f.height {
		lines = append(lines, "")
	}
	text := ansi.Truncate(f.notice, f.width, "…")
	lines[f.height-1] = "\x1b[7m" + text + strings.Repeat(" ", max(0, f.width-ansi.StringWidth(text))) + "\x1b[m"
	v.Content = strings.Join(lines[:f.height], "\n")
	return v
}
