//go:build !windows

package acceptance

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// waitLimit is how long any step may take on a busy machine before the test fails. A screen that goes on changing, such
// as that of a run of a thousand answers, may take longestWait.
const (
	waitLimit   = 20 * time.Second
	longestWait = 6 * waitLimit
)

// exitLimit is how long ending may take: one second, and two more for a busy machine.
const exitLimit = 3 * time.Second

// terminal is a confab that runs on a terminal emulator.
type terminal struct {
	t           testing.TB
	home        *home
	cmd         *exec.Cmd
	master, tty *os.File
	before      string // stty -a
	ended       chan error
	drained     chan struct{}

	mu      sync.Mutex
	raw     bytes.Buffer // all that was written to the terminal
	screen  *vt.Emulator
	changed chan struct{}
}

// open starts confab on a terminal of a size.
func (h *home) open(w, rows int, args ...string) *terminal {
	h.t.Helper()
	return h.startOnTerminal(w, rows, h.command(args...))
}

// startOnTerminal starts a program on a terminal of a size.
func (h *home) startOnTerminal(w, rows int, cmd *exec.Cmd) *terminal {
	h.t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		h.t.Skip("no pseudo terminals here:", err)
	}
	must(h.t, pty.Setsize(tty, &pty.Winsize{Rows: uint16(rows), Cols: uint16(w)}))
	s := &terminal{t: h.t, home: h, master: master, tty: tty, ended: make(chan error, 1), drained: make(chan struct{}),
		screen: vt.NewEmulator(w, rows), changed: make(chan struct{})}
	s.before = s.stty()
	s.cmd = cmd
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(h.t, s.cmd.Start())
	replies := make(chan struct{})
	go func() { defer close(replies); _, _ = io.Copy(master, s.screen) }() // what the emulator answers to queries
	go s.read()
	go func() { s.ended <- s.cmd.Wait() }()
	h.t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // already gone as a rule
		_ = s.tty.Close()
		_ = s.master.Close()
		<-s.drained
		// The emulator's Close does not wait for its Read (x/vt): end the copying
		// by its pipe first.
		if pipe, ok := s.screen.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		<-replies
		_ = s.screen.Close()
	})
	return s
}

func (s *terminal) read() {
	defer close(s.drained)
	b := make([]byte, 64<<10)
	for {
		n, err := s.master.Read(b)
		s.mu.Lock()
		s.raw.Write(b[:n])
		_, _ = s.screen.Write(b[:n]) // an emulator takes everything
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// stty returns the settings of the terminal.
func (s *terminal) stty() string {
	s.t.Helper()
	cmd := exec.Command("stty", "-a")
	cmd.Stdin = s.tty
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Skip("no stty here:", err)
	}
	return string(out)
}

// text returns the screen as plain text.
func (s *terminal) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ansi.Strip(s.screen.Render())
}

// styledText returns the screen with its styles.
func (s *terminal) styledText() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.Render()
}

// output returns every byte that was written to the terminal.
func (s *terminal) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// await waits until what the terminal got makes a condition true.
func (s *terminal) await(what string, holds func() bool) {
	s.t.Helper()
	over, end := time.NewTimer(waitLimit), time.Now().Add(longestWait)
	defer over.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if holds() {
			return
		}
		select {
		case <-changed:
			over.Reset(min(waitLimit, time.Until(end)))
		case <-s.drained:
			if !holds() {
				s.t.Fatalf("confab ended before %s:\n%s", what, s.text())
			}
			return
		case <-over.C:
			s.t.Fatalf("waited in vain for %s:\n%s", what, s.text())
		}
	}
}

// waitFor waits until every text is on the screen at once.
func (s *terminal) waitFor(texts ...string) {
	s.t.Helper()
	s.await(strings.Join(texts, ", "), func() bool {
		screen := s.text()
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// waitUntilGone waits until a text is not on the screen.
func (s *terminal) waitUntilGone(text string) {
	s.t.Helper()
	s.await("the end of "+text, func() bool { return !strings.Contains(s.text(), text) })
}

// sendKeys sends keys as a terminal does.
func (s *terminal) sendKeys(keys string) {
	s.t.Helper()
	must(s.t, errorOf(io.WriteString(s.master, keys)))
}

// paste sends text as a bracketed paste.
func (s *terminal) paste(text string) { s.t.Helper(); s.sendKeys("\x1b[200~" + text + "\x1b[201~") }

// waitForExit returns the result of the process. Ending must not take longer than exitLimit.
func (s *terminal) waitForExit() error {
	s.t.Helper()
	began := time.Now()
	select {
	case err := <-s.ended:
		s.ended <- err
		if took := time.Since(began); took > exitLimit {
			s.t.Errorf("it took %v to end", took)
		}
		return err
	case <-time.After(waitLimit):
		s.t.Fatalf("it does not end:\n%s", s.text())
		return nil
	}
}

// endsWell fails the test unless the program ends without an error.
func (s *terminal) endsWell() {
	s.t.Helper()
	if err := s.waitForExit(); err != nil {
		s.t.Errorf("ended with %v", err)
	}
}

// quit ends the program by its key, ctrl+q.
func (s *terminal) quit() {
	s.t.Helper()
	s.sendKeys("\x11")
	s.endsWell()
}

// checkRestored fails the test unless the terminal is as it was before.
func (s *terminal) checkRestored() {
	s.t.Helper()
	if after := s.stty(); after != s.before {
		s.t.Errorf("the terminal was\n%s\nand is\n%s", s.before, after)
	}
	// What confab wrote last is read when a mark written after it is. Earlier checks wrote theirs.
	const mark = "THE-SHELL-AGAIN"
	marks := strings.Count(s.output(), mark)
	must(s.t, errorOf(io.WriteString(s.tty, mark)))
	s.await(mark, func() bool { return strings.Count(s.output(), mark) > marks })
	out := s.output()
	for on, off := range map[string]string{
		"\x1b[?1049h": "\x1b[?1049l", "\x1b[?1002h": "\x1b[?1002l", "\x1b[?1006h": "\x1b[?1006l",
		"\x1b[?1004h": "\x1b[?1004l",
		"\x1b[?2004h": "\x1b[?2004l", "\x1b[?25l": "\x1b[?25h", "\x1b[?2026h": "\x1b[?2026l",
		"\x1b[?2027h": "\x1b[?2027l", "\x1b]9;4;1": "\x1b]9;4;0",
	} {
		if strings.LastIndex(out, on) > strings.LastIndex(out, off) {
			s.t.Errorf("%q was left on: %q never followed", on, off)
		}
	}
	if !strings.Contains(out, "\x1b[?1049h") {
		s.t.Error("the alternate screen was never taken: the test looks for the wrong thing")
	}
	if last := strings.LastIndex(out, "\x1b]2;"); last < 0 || !strings.HasPrefix(out[last:], "\x1b]2;\a") {
		s.t.Error("the title of the window was left")
	}
	if last := kitty.FindAllString(out, -1); len(last) > 0 && !strings.HasPrefix(last[len(last)-1], "\x1b[<") &&
		last[len(last)-1] != "\x1b[=0;1u" {
		s.t.Errorf("the kitty keyboard was left on by %q", last[len(last)-1])
	}
}
