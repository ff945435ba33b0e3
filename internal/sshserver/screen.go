package sshserver

import (
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2/bubbletea"

	"confab/internal/safego"
	"confab/internal/terminput"
)

// framesPerSecond is how often a screen is painted at most.
const framesPerSecond = 30

// killAfter is how long a program that was told to end has to do so by itself.
const killAfter = 2 * time.Second

// screen runs the program of a login until it ends, and returns the exit code.
func (s *Server) screen(sess ssh.Session, ch *channel, v Visit, lease *keyLease, log *slog.Logger) int {
	pty, _, ok := sess.Pty()
	switch {
	case !ok:
		ch.tell("the screen needs a terminal; ssh -t asks for one")
		return 2
	case pty.Term == "dumb":
		ch.tell("this terminal (TERM=dumb) cannot show a screen")
		return 2
	}
	v.Environ = append(v.Environ, "TERM="+pty.Term)
	v.Window = Window{pty.Window.Width, pty.Window.Height}
	got, err := s.house.Screen(sess.Context(), v)
	if err != nil {
		log.Error("Could not open a screen", "error", err)
		ch.tell(strings.TrimSuffix(err.Error(), "."))
		return 1
	}
	f := &frame{Model: got.Model}
	in := terminput.New(sess, log)
	p := tea.NewProgram(f, append(append(bubbletea.MakeOptions(sess), in.Input(),
		tea.WithEnvironment(v.Environ), tea.WithFPS(framesPerSecond), tea.WithoutSignalHandler()), got.Options...)...)
	in.SendTo(p)
	if got.Started != nil {
		got.Started(p)
	}
	began := time.Now()
	s.counted(1)
	defer s.counted(-1)
	s.facts.logins.Inc()
	log.Info("Opened a screen", "term", pty.Term, "columns", pty.Window.Width, "rows", pty.Window.Height)
	w := &watch{s: s, ch: ch, p: p, frame: f, began: began, done: make(chan struct{}), gone: sess.Context().Done(),
		lease: lease, limits: s.limiter.current()}
	w.why.Store(ByUser)
	safego.Go(s.log, "watch", w.run, func(error) { p.Quit() })
	_, err = p.Run()
	close(w.done)
	why, _ := w.why.Load().(Leaving)
	if err != nil && why == ByUser {
		why = ByFailure
	}
	last, failed := "", false
	if got.Left != nil {
		last, failed = got.Left(why)
	}
	if failed {
		why = ByFailure
	}
	if why == ByFailure {
		s.facts.panics.Inc()
	}
	s.facts.lasted.Observe(time.Since(began).Seconds())
	log.Info("Left a screen", "why", string(why), "closed", ch.conn.closedFor())
	if why == ByLine {
		return 1
	}
	for line := range strings.SplitSeq(last, "\n") {
		if line != "" {
			_, _ = ch.Write([]byte(line + "\r\n")) // the client may have gone
		}
	}
	if why == ByFailure {
		return 1
	}
	return 0
}

// watch ends a program when it has to end, and says so before.
type watch struct {
	s      *Server
	ch     *channel
	p      *tea.Program
	frame  *frame
	began  time.Time
	done   chan struct{}   // closed when the program has ended
	gone   <-chan struct{} // closed when the connection has
	lease  *keyLease
	limits Limits
	why    atomic.Value // Leaving
}

// What users are told before they have to leave.
const (
	sayIdle   = " Nothing was typed for long: this screen closes in a minute. Press any key to stay. "
	sayTime   = " This login has been as long as one may be: it closes in a minute. Your draft is kept. "
	sayKey    = " Your key is not authorised here any more: this screen closes. What you wrote is kept. "
	sayServer = " The server is being stopped. Your draft is kept; log in again in a moment to go on. "
)

func (w *watch) run() {
	l := w.limits
	ends := w.began.Add(l.Longest)
	t := time.NewTimer(w.next(ends))
	defer t.Stop()
	warned := false
	for {
		select {
		case <-w.done:
			return
		case <-w.gone:
			w.end(ByLine)
			return
		case <-w.ch.over:
			w.end(ByLine)
			return
		case <-w.s.closing:
			w.farewell(sayServer)
			w.end(ByServer)
			return
		case <-w.lease.revoked:
			w.farewell(sayKey)
			w.end(ByKey)
			return
		case size := <-w.ch.windows:
			w.p.Send(tea.WindowSizeMsg{Width: size.Columns, Height: size.Rows})
		case <-t.C:
			now, idle := time.Now(), w.ch.last.get().Add(l.Idle)
			switch {
			case !now.Before(ends):
				w.end(ByTime)
				return
			case !now.Before(idle):
				w.end(ByIdling)
				return
			case !warned && !now.Before(ends.Add(-l.Warning)):
				warned = true
				w.say(sayTime)
			case !now.Before(idle.Add(-l.Warning)) && !w.frame.saying():
				w.say(sayIdle)
			}
			t.Reset(w.next(ends))
		}
	}
}

// next returns how long there is nothing to do.
func (w *watch) next(ends time.Time) time.Duration {
	l, now := w.limits, time.Now()
	next := ends
	for _, at := range []time.Time{ends.Add(-l.Warning), w.ch.last.get().Add(l.Idle - l.Warning), w.ch.last.get().Add(l.Idle)} {
		if at.After(now) && at.Before(next) {
			next = at
		}
	}
	return max(next.Sub(now), time.Millisecond)
}

// farewell says why the screen closes, and leaves time to read it.
func (w *watch) farewell(text string) {
	w.say(text)
	t := time.NewTimer(w.limits.Farewell)
	defer t.Stop()
	select {
	case <-t.C:
	case <-w.done:
	case <-w.gone:
	}
}

func (w *watch) say(text string) { w.p.Send(announcement(text)) }

// end ends the program: by itself when it can, or else by force.
func (w *watch) end(why Leaving) {
	w.why.Store(why)
	if why != ByLine {
		w.s.facts.closed.Inc(string(why))
	}
	kill := time.AfterFunc(killAfter, w.p.Kill)
	defer kill.Stop()
	w.p.Quit()
	<-w.done
}
