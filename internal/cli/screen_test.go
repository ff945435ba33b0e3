package cli_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
	"confab/service/engine/openai"
)

// The screen looks around on its own machine only, and only where that is of use.
func TestTheScreenLooksForServers(t *testing.T) {
	for _, tt := range []struct {
		name, setting string
		sees          string // after f9
		asked         int
	}{
		{"by itself", "", "url = \"http://127.0.0.1:", 2},
		{"told not to", "service.find_engines = false\n", "url = \"http://127.0.0.1:", 1},
		{"with another service", "service.base_url = \"http://127.0.0.1:9\"\n", "you use another service", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := clitest.StartStub(t)
			s.Listed = []string{"llama3.2:3b"}
			u, err := url.Parse(s.URL)
			must(t, err)
			w := clitest.NewWorld(t, "CONFAB_API_KEY=k")
			w.Ports = []openai.LocalPort{{Name: "ollama", Port: u.Port()}}
			w.Configure(tt.setting)
			c := open(w)
			c.sees("Nothing sent yet")
			if tt.asked == 2 {
				c.sees("ollama runs on this machine")
			}
			c.types("\x1b[20~") // f9
			c.sees(tt.sees)
			if n := len(s.Calls()); n != tt.asked {
				t.Errorf("the server was asked %d times, want %d", n, tt.asked)
			}
			if tt.asked > 0 { // it answers at once
				clitest.Eventually(t, "the engine", func() bool { // the question takes no key at first
					c.types("y")
					return strings.Contains(c.shown.String(), "answering from now on: ollama")
				})
				clitest.Eventually(t, "the models", func() bool { return len(s.Calls()) >= tt.asked+2 })
			}
			c.types("\x11") // ctrl+q
			c.ends()
		})
	}
}

// ptyScreen is a confab that runs on a terminal of its own.
type ptyScreen struct {
	t      *testing.T
	master *os.File
	shown  *clitest.Transcript
	said   *clitest.Transcript
	done   chan int
}

func open(w *clitest.World, args ...string) *ptyScreen {
	w.T.Helper()
	return openSized(w, 100, 30, args...)
}

func openSized(w *clitest.World, columns, rows uint16, args ...string) *ptyScreen {
	w.T.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		w.T.Skip("no pseudo terminals here:", err)
	}
	must(w.T, pty.Setsize(tty, &pty.Winsize{Rows: rows, Cols: columns}))
	s := &ptyScreen{t: w.T, master: master, shown: &clitest.Transcript{}, said: &clitest.Transcript{},
		done: make(chan int, 1)}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = io.Copy(s.shown, master) // ends with an error when the terminal is closed
	}()
	e := w.Env(tty, s.said)
	e.Stdin = tty
	ended := make(chan int, 1)
	go func() {
		code := cli.Run(context.Background(), args, e)
		tty.Close()
		<-over
		ended <- code
	}()
	go func() { s.done <- <-ended }()
	w.T.Cleanup(func() { master.Close() })
	return s
}

func (s *ptyScreen) sees(text string) {
	s.t.Helper()
	clitest.Eventually(s.t, text, func() bool { return strings.Contains(s.shown.String(), text) })
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
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "-m", "zeta", "--session", "my talk", "hello")
	s := open(w, "-C")
	s.sees("my talk")
	s.types("\x04") // ctrl+d
	if code := s.ends(); code != 0 {
		t.Errorf("ended with %d: %s", code, s.said)
	}
	clitest.WantTexts(t, s.said.String(), "Session my talk. Continue with: confab -C")
	clitest.WantTexts(t, s.shown.String(), "\x1b[?1049h", "\x1b[?1049l")
	clitest.WantNoTexts(t, s.shown.String(), "Continue with")
}

func TestScreenEndsWithTheTerminal(t *testing.T) {
	for name, signal := range map[string]os.Signal{"SIGHUP": syscall.SIGHUP, "SIGTERM": syscall.SIGTERM,
		"SIGINT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			w := clitest.NewWorld(t)
			s := open(w)
			s.sees("confab")
			began := time.Now()
			w.Signals <- signal
			if code := s.ends(); code != cli.ExitInterrupted {
				t.Errorf("ended with %d: %s", code, s.said)
			}
			if took := time.Since(began); took > time.Second {
				t.Errorf("it took %v", took)
			}
			clitest.WantTexts(t, s.shown.String(), "\x1b[?1049l")
		})
	}
}

func TestScreenIsRefused(t *testing.T) {
	w := clitest.NewWorld(t)
	clitest.WantTexts(t, w.Must(2).Err, "needs a terminal", "confab ask")
	w.Stdin = clitest.Pipe(t, "hello")
	w.Must(2)
	dumb := clitest.NewWorld(t, "TERM=dumb")
	if r := dumb.OnTerminal(80, ""); r.Code != 2 || !strings.Contains(r.Out, "TERM=dumb") {
		t.Errorf("ended with %d: %s", r.Code, r.Out)
	}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"both", []string{"-C", "--session", "x"}, "exclude each other"},
		{"two system prompts", []string{"--persona", "x", "--system", "y"}, "exclude each other"},
		{"a persona that is none", []string{"--persona", "nope"}, `there is no persona "nope"`},
		{"a model that is none", []string{"-m", "nope"}, "nope"},
		{"a theme that is none", []string{"--theme", "nope"}, `there is no theme "nope"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := clitest.NewWorld(t).OnTerminal(80, "", c.args...)
			if r.Code != 2 {
				t.Errorf("ended with %d", r.Code)
			}
			clitest.WantTexts(t, r.Out, c.want)
			clitest.WantNoTexts(t, r.Out, "\x1b[?1049h")
		})
	}
}

// TestScreenWithoutItsSession asks for a session that is not there. The history is read after the first frame.
func TestScreenWithoutItsSession(t *testing.T) {
	for want, args := range map[string][]string{`there is no session "s99"`: {"--session", "s99"},
		"no session yet": {"-C"}} {
		r := clitest.NewWorld(t).OnTerminal(80, "", args...)
		_, after, isRestored := strings.Cut(r.Out, "\x1b[?1049l")
		if r.Code != 2 || !isRestored || !strings.Contains(after, want) {
			t.Errorf("%v ended with %d: %q", args, r.Code, r.Out)
		}
	}
}

// TestScreenOfANewNamedSession opens a session by a name that there is none of.
func TestScreenOfANewNamedSession(t *testing.T) {
	s := open(clitest.NewWorld(t), "--session", "plans")
	s.sees("A new session: “plans” begins with the first prompt.")
	s.types("\x11") // ctrl+q
	s.ends()
}

// What is typed or pasted ends nothing and changes no size; it comes through the file that the terminal is.
func TestHostileInputAtHome(t *testing.T) {
	many := "\x1b[" + strings.Repeat("1;", 33) + "m"
	w := clitest.NewWorld(t)
	s := open(w)
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
	w := clitest.NewWorld(t)
	s := openSized(w, 30000, 30000)
	if code := s.ends(); code != cli.ExitUsage {
		t.Errorf("ended with %d", code)
	}
	clitest.WantTexts(t, s.said.String(), "30000x30000")
	if got := cli.BoundSize(
		tea.WindowSizeMsg{Width: 60000, Height: 20}); got != (tea.WindowSizeMsg{Width: 1000, Height: 20}) {
		t.Errorf("a terminal that grows is %v", got)
	}
}

// TestStandardLoggersWriteIntoTheLog: nothing that libraries log comes between answers or onto a screen, and the key
// is masked in it.
func TestStandardLoggersWriteIntoTheLog(t *testing.T) {
	check := func(t *testing.T, w *clitest.World, shown string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(w.Home, ".local", "state", "confab", "confab.log"))
		must(t, err)
		for _, want := range []string{"planted with", "planted too", "planted as well"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the log lacks %q: %s", want, text)
			}
		}
		if strings.Contains(string(text), "sk-sentinel") || strings.Contains(shown, "planted") {
			t.Errorf("the log is %s, and shown was %s", text, shown)
		}
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		clitest.LogAsLibraries("sk-sentinel-0123456789")
		http.Error(w, "no", http.StatusInternalServerError)
	}))
	t.Cleanup(service.Close)
	world := func(t *testing.T) *clitest.World {
		return clitest.NewWorld(t, "CONFAB_API_KEY=sk-sentinel-0123456789", "CONFAB_BASE_URL="+service.URL)
	}
	t.Run("ask", func(t *testing.T) {
		w := world(t)
		r := w.Must(1, "ask", "-m", "delta", "hello")
		check(t, w, r.Out+r.Err)
	})
	t.Run("screen", func(t *testing.T) {
		w := world(t)
		s := open(w, "-m", "delta")
		s.sees("Nothing sent yet")
		s.types("hello\r")
		s.sees("500")
		s.types("\x11")
		s.ends()
		check(t, w, s.shown.String()+s.said.String())
	})
}

// TestScreenBeginsWithAPersona opens the screen with the system prompt and the models of a persona.
func TestScreenBeginsWithAPersona(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "personas", "add", "Editor", "Edit strictly.", "-m", "oss-20b")
	s := open(w, "--persona", "editor")
	s.sees("Edit strictly.")
	s.types("\x11") // ctrl+q
	if code := s.ends(); code != 0 {
		t.Errorf("ended with %d", code)
	}
}
