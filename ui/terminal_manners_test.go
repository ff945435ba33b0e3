package ui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// sent returns what was written to the terminal since the last call.
func (s *screen) sent() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.raw.String()
	s.raw.Reset()
	return text
}

// TestTheTerminalShowsProgress: the title and the terminal's own indicator count answers and cells of a run, turn to an
// error when one fails, and keep that until a person who was away has seen it.
func TestTheTerminalShowsProgress(t *testing.T) {
	expect := func(t *testing.T, s *screen, when string, parts ...string) {
		t.Helper()
		got := s.sent()
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Errorf("%s the terminal did not get %q", when, part)
			}
		}
	}
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
			if r.Model.Slug == "oss-20b" {
				return api.Response{}, 2 * time.Second, &api.Error{Code: api.CodeService, Message: "It is broken."}
			}
			return api.Response{Text: "fine", Status: 200}, 8 * time.Second, nil
		}), sideBySide("alpha3.1-8b", "oss-20b"),
			func(o *ui.Options, _ *service.Options) { o.Terminal.Notify = "auto" })
		s.typed("tides")
		s.sent()
		s.press("enter")
		expect(t, s, "at first", "\x1b]9;4;1;0", "0/2 confab")
		s.program.Send(tea.BlurMsg{})
		s.pass(4 * time.Second)
		expect(t, s, "after a failure", "\x1b]9;4;2;50", "1/2 confab")
		s.pass(10 * time.Second)
		expect(t, s, "at the end", "\x1b]9;4;2;100", "1 answer arrived, 1 failed")
		s.program.Send(tea.FocusMsg{})
		s.pass(time.Second)
		expect(t, s, "once it was seen", "\x1b]9;4;0")
		s.runs(suiteFolder(t, refunds))
		s.pass(2500 * time.Millisecond)
		expect(t, s, "while a run goes on", "2/4 confab", "\x1b]9;4;2;50") // two calls have failed
	})
}

// TestTheBeginningIsShownAtTheEnd: boxes follow what is written in them; one whose answer has ended shows its beginning
// where nobody has scrolled, unless it has the focus.
func TestTheBeginningIsShownAtTheEnd(t *testing.T) {
	for name, reads := range map[string]bool{"nobody reads": false, "somebody reads": true} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := whileWritten(t, 120, 40, four...)
				s.pass(22 * time.Second)
				s.lacks("Paragraph 1 says")
				if reads {
					s.press("alt+2")
				}
				s.pass(time.Minute)
				s.shows("Paragraph 1 says")
				s.lacks("esc stop")
				if strings.Contains(s.text(), "lines above") != reads {
					t.Errorf("reads: %v, but the screen shows\n%s", reads, s.text())
				}
			})
		})
	}
}

// TestNothingIsToldByColorAlone draws screens without colors: what is selected has a mark or is swapped, the focus has
// a heavy border, and pictures and states are words.
func TestNothingIsToldByColorAlone(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, sideBySide("alpha3.1-8b", "oss-120b", "sim-image"))
		s.program.Send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
		s.typed("tides")
		s.press("enter")
		s.shows("⠋ 0 s", "┏━ Prompt", "0 of 3 answered")
		s.pass(10 * time.Second)
		s.shows("failed", "picture, 64×32, ", "; O opens it")
		s.press("alt+v")
		s.shows("failed · rate_limited", "picture, 64×32, ")
		s.press("alt+2", "*")
		s.shows("★")
		for _, key := range []string{"ctrl+s", "ctrl+r", "ctrl+t", "ctrl+p", "f2"} {
			s.press(key)
			s.shows("┏━")
			if key != "ctrl+t" && !s.hasSwappedRow() {
				t.Errorf("nothing shows what is selected in the list of %s:\n%s", key, s.text())
			}
			s.press("esc")
		}
		s.press("ctrl+l")
		if !s.hasSwappedRow() {
			t.Errorf("nothing shows which model is selected:\n%s", s.text())
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for y := range s.h {
			for x := range s.w {
				if c := s.term.CellAt(x, y); c.Style.Fg != nil || c.Style.Bg != nil {
					t.Fatalf("%q at %d,%d has a color", c.Content, x, y)
				}
			}
		}
	})
}

// hasSwappedRow tells whether a row of at least ten cells is drawn with its colors swapped.
func (s *screen) hasSwappedRow() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for y := range s.h {
		n := 0
		for x := range s.w {
			if s.term.CellAt(x, y).Style.Attrs&uv.AttrReverse != 0 {
				n++
			}
		}
		if n >= 10 {
			return true
		}
	}
	return false
}
