package terminput

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// terminal records events; each takes the program some time.
type terminal struct {
	t      *testing.T
	typing *io.PipeWriter
	takes  time.Duration

	mu     sync.Mutex
	events []string
}

func newTerminal(t *testing.T) *terminal {
	in, out := io.Pipe()
	term := &terminal{t: t, typing: out}
	r := New(in, nil)
	r.send = func(msg tea.Msg) {
		time.Sleep(term.takes) // time of the bubble
		if msg, ok := msg.(uv.KeyPressEvent); ok && msg.Text == "!" {
			panic("broken on purpose")
		}
		term.mu.Lock()
		defer term.mu.Unlock()
		term.events = append(term.events, describe(msg))
	}
	go func() {
		for {
			if n, err := r.Read(make([]byte, 10)); err != nil || n != 0 {
				return
			}
		}
	}()
	t.Cleanup(func() { out.Close(); synctest.Wait() })
	return term
}

// types sends bytes and waits.
func (term *terminal) types(text string, pause time.Duration) {
	term.t.Helper()
	if _, err := io.WriteString(term.typing, text); err != nil {
		term.t.Fatal(err)
	}
	time.Sleep(pause)
	synctest.Wait()
}

func (term *terminal) sends(want ...string) {
	term.t.Helper()
	if got := term.taken(); !slices.Equal(got, want) {
		term.t.Errorf("got  %q\nwant %q", got, want)
	}
}

// taken returns the events since the last call.
func (term *terminal) taken() []string {
	term.mu.Lock()
	defer term.mu.Unlock()
	events := term.events
	term.events = nil
	return events
}

func TestTimes(t *testing.T) {
	paste := func(s string) string { return `paste "` + s + `"` }
	tests := map[string]func(*terminal){
		"escape waits for a sequence": func(term *terminal) {
			term.types("\x1b", 40*time.Millisecond)
			term.sends()
			term.types("[A", 0)
			term.sends("up")
			term.types("\x1b", 51*time.Millisecond)
			term.sends("esc")
		},
		"enter typed before raw mode is enter": func(term *terminal) {
			term.types("hi\n", time.Second)
			term.types("\n", 0)
			term.sends("h", "i", "enter", "ctrl+j")
		},
		"enter alone before raw mode is enter": func(term *terminal) {
			term.types("\n", 0)
			term.sends("enter")
		},
		"a string without end is over after a long pause": func(term *terminal) {
			term.types("\x1b]0;"+strings.Repeat("x", 9000), 9*time.Second)
			term.types("y", 11*time.Second)
			term.types("z", 0)
			term.sends("z")
		},
		"a key ends a string without end": func(term *terminal) {
			term.types("\x1b]0;xx", time.Second)
			term.types("\x03z", 0)
			term.sends("ctrl+c", "z")
		},
		"alt with a letter that begins a string": func(term *terminal) {
			term.types("\x1b]", time.Second)
			term.types("l", 0)
			term.sends("alt+]", "l")
			term.types("\x1bP", 11*time.Second)
			term.sends("alt+shift+p")
		},
		"a character comes in parts": func(term *terminal) {
			term.types("\xe6", 60*time.Millisecond)
			term.types("\x97", 9*time.Second)
			term.types("\xa5", 0)
			term.sends("日")
		},
		"a paste that stops is shown, and goes on": func(term *terminal) {
			term.types(pasteStart+"one", 51*time.Millisecond)
			term.sends(paste("one"))
			term.types("\x1b[Atwo\x03", 3*time.Second)
			term.types(pasteEnd+"x", 0)
			term.sends(paste(`\x1b[Atwo\x03`), "x")
		},
		"a key in a paste that stalls is text": func(term *terminal) {
			for _, part := range []string{pasteStart + "one", "\x03", "\x1b[A", "\r"} {
				term.types(part, 6*time.Second)
			}
			term.types("\r"+pasteEnd, 0)
			term.sends(paste("one"), paste(`\x03`), paste(`\x1b[A`), paste(`\r\r`))
		},
		"a paste that stopped long ago is over": func(term *terminal) {
			term.types(pasteStart+"one", 62*time.Second)
			term.types("\r", 0)
			term.sends(paste("one"), "enter")
		},
		"text that never stops is shown": func(term *terminal) {
			text := strings.Repeat("x", burstLength) + "\r"
			for range 6 {
				term.types(text, 10*time.Millisecond)
			}
			term.sends("burst " + fmt.Sprintf("%q", strings.TrimSuffix(strings.Repeat(text, 6), "\r")))
			term.types("", time.Second)
			term.sends("enter")
		},
		"answers are for the start": func(term *terminal) {
			term.types("\x1b[?2026;2$y", answerTime+time.Second)
			term.types("\x1b[?2026;2$y\x1b[6;20;10t", 0)
			term.sends("uv.ModeReportEvent {2026 2}", "uv.CellSizeEvent {10 20}")
		},
		"a fault ends nothing": func(term *terminal) {
			term.types("a!b", 0)
			term.types("c", 0)
			term.sends("a", "c")
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(newTerminal(t)) })
		})
	}
}

// Answers and keys that arrive while a slow machine starts the program are handled.
func TestTypedAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal(t)
		term.takes = 20 * time.Millisecond
		term.types(strings.Repeat("\x1b[?2026;2$y", 6)+strings.Repeat("\x1b[A", 20)+"\x1a", time.Second)
		if events := term.taken(); events[len(events)-1] != "ctrl+z" {
			t.Errorf("the last of %q is not ctrl+z", events)
		}
	})
}

// A flood is dropped as it arrives, and its text is kept.
func TestFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal(t)
		term.takes = 10 * time.Millisecond
		flood := bytes.Repeat([]byte("\x1b[Aab"), 20_000)
		began := time.Now()
		term.types(string(flood), 0)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%d bytes keep the program busy for %v", len(flood), took)
		}
		term.types("", burstWait+term.takes)
		text := 0
		for _, e := range term.taken() {
			text += strings.Count(e, "a")
		}
		if text < 20_000 {
			t.Errorf("%d of 20000 letters are left", text)
		}
		time.Sleep(time.Second)
		term.taken()
		term.types("\x1b[B", term.takes)
		term.sends("down")
	})
}
