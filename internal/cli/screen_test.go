package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"

	"confab/internal/cli/app"
	"confab/internal/cli/console"
)

// ptyScreen is a confab that runs on a terminal of its own.
type ptyScreen struct {
	t      *testing.T
	master *os.File
	shown  *transcript
	said   *transcript
	done   chan int
}

func (w *world) open(args ...string) *ptyScreen { w.t.Helper(); return w.openSized(100, 30, args...) }

func (w *world) openSized(columns, rows uint16, args ...string) *ptyScreen {
	w.t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		w.t.Skip("no pseudo terminals here:", err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: rows, Cols: columns}); err != nil {
		w.t.Fatal(err)
	}
	s := &ptyScreen{t: w.t, master: master, shown: &transcript{}, said: &transcript{}, done: make(chan int, 1)}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = io.Copy(s.shown, master) // ends with an error when the terminal is closed
	}()
	e := w.env(tty, s.said)
	e.Stdin = tty
	ended := make(chan int, 1)
	go func() {
		code := Run(context.Background(), args, e)
		tty.Close()
		<-over
		ended <- code
	}()
	go func() { s.done <- <-ended }()
	w.t.Cleanup(func() { master.Close() })
	return s
}

func (s *ptyScreen) sees(text string) {
	s.t.Helper()
	eventually(s.t, text, func() bool { return strings.Contains(s.shown.String(), text) })
}

func (s *ptyScreen) types(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.master, keys); err != nil {
		s.t.Fatal(err)
	}
}

// ends returns the exit code, which has to come soon.
func (s *ptyScreen) ends() int {
	s.t.Helper()
	select {
	case code := <-s.done:
		return code
	case <-time.After(10 * time.Second):
		s.t.Fatal("it does not end")
		return -1
	}
}

func TestScreenOpensAndIsLeft(t *testing.T) {
	w := newWorld(t)
	w.must(0, "ask", "-m", "zeta", "--session", "my talk", "hello")
	s := w.open("-C")
	s.sees("my talk")
	s.types("\x04") // ctrl+d
	if code := s.ends(); code != 0 {
		t.Errorf("ended with %d: %s", code, s.said)
	}
	wantTexts(t, s.said.String(), "Session my talk. Continue with: confab -C")
	wantTexts(t, s.shown.String(), "\x1b[?1049h", "\x1b[?1049l")
	wantNoTexts(t, s.shown.String(), "Continue with")
}

func TestScreenEndsWithTheTerminal(t *testing.T) {
	for name, signal := range map[string]os.Signal{"SIGHUP": syscall.SIGHUP, "SIGTERM": syscall.SIGTERM,
		"SIGINT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.open()
			s.sees("confab")
			began := time.Now()
			w.signals <- signal
			if code := s.ends(); code != console.ExitInterrupted {
				t.Errorf("ended with %d: %s", code, s.said)
			}
			if took := time.Since(began); took > time.Second {
				t.Errorf("it took %v", took)
			}
			wantTexts(t, s.shown.String(), "\x1b[?1049l")
		})
	}
}

func TestScreenLeavesWhatRunsInterrupted(t *testing.T) {
	for name, leave := range map[string]func(w *world, s *ptyScreen){
		"a closed terminal": func(w *world, _ *ptyScreen) { w.signals <- syscall.SIGHUP },
		"quitting":          func(_ *world, s *ptyScreen) { s.types("\x04") },
	} {
		t.Run(name, func(t *testing.T) {
			asked := make(chan bool, 1)
			r := newRemote(t, func(_ http.ResponseWriter, r *http.Request, _ map[string]string) {
				asked <- true
				<-r.Context().Done()
			})
			w := remoteWorld(t, r)
			s := w.open("-m", "zeta")
			s.sees("Write a prompt")
			s.types("hello\r")
			<-asked
			began := time.Now()
			leave(w, s)
			s.ends()
			if took := time.Since(began); took > time.Second {
				t.Errorf("it took %v", took)
			}
			w.signals = make(chan os.Signal)
			got := objects(t, w.must(0, "history", "show", "t1", "--json").out)
			if len(got) != 1 || got[0]["state"] != "interrupted" || got[0]["prompt"] != "hello" {
				t.Errorf("kept %v", got)
			}
		})
	}
}

func TestScreenIsRefused(t *testing.T) {
	w := newWorld(t)
	wantTexts(t, w.must(2).err, "needs a terminal", "confab ask")
	w.stdin = pipe(t, "hello")
	w.must(2)
	dumb := newWorld(t, "TERM=dumb")
	if r := dumb.onTerminal(80, ""); r.code != 2 || !strings.Contains(r.out, "TERM=dumb") {
		t.Errorf("ended with %d: %s", r.code, r.out)
	}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"a session that is not there", []string{"--session", "nope"}, `there is no session "nope"`},
		{"nothing to continue", []string{"-C"}, "no session yet"},
		{"both", []string{"-C", "--session", "x"}, "exclude each other"},
		{"a model that is none", []string{"-m", "nope"}, "nope"},
		{"a theme that is none", []string{"--theme", "nope"}, `there is no theme "nope"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newWorld(t).onTerminal(80, "", c.args...)
			if r.code != 2 {
				t.Errorf("ended with %d", r.code)
			}
			wantTexts(t, r.out, c.want)
			wantNoTexts(t, r.out, "\x1b[?1049h")
		})
	}
}

// What is typed or pasted ends nothing and changes no size; it comes through the file that the terminal is.
func TestHostileInputAtHome(t *testing.T) {
	many := "\x1b[" + strings.Repeat("1;", 33) + "m"
	w := newWorld(t)
	s := w.open()
	s.sees("Write a prompt")
	for _, input := range []string{many, "\x1b[200~" + many + "\x1b[201~", "\x1b[8;3000;3000t\x1b[48;3000;3000;1;1t",
		"\x1b]0;open"} {
		s.types(input)
		s.types("\x18") // ends a string that is open
	}
	s.types("Ж")
	s.sees("Ж")
	s.types("\x11") // ctrl+q
	if code := s.ends(); code != 0 {
		t.Errorf("ended with %d: %s", code, s.said)
	}
}

func TestTheSizeOfTheTerminalIsBounded(t *testing.T) {
	w := newWorld(t)
	s := w.openSized(30000, 30000)
	if code := s.ends(); code != console.ExitUsage {
		t.Errorf("ended with %d", code)
	}
	wantTexts(t, s.said.String(), "30000x30000")
	if got := boundSize(
		tea.WindowSizeMsg{Width: 60000, Height: 20}); got != (tea.WindowSizeMsg{Width: app.MaxColumns, Height: 20}) {
		t.Errorf("a terminal that grows is %v", got)
	}
}
