package ui_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"confab/internal/testflags"
	"confab/ui"
	"confab/ui/keys"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// clickText clicks on a text, in the first line that has it.
func (s *screen) clickText(text string) {
	s.t.Helper()
	for y, line := range strings.Split(s.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			s.click(ansi.StringWidth(before), y)
			return
		}
	}
	s.t.Fatalf("%q is not drawn:\n%s", text, s.text())
}

// TestWhatIsDrawnIsClicked clicks on pieces of the header, of titles and of the strip.
func TestWhatIsDrawnIsClicked(t *testing.T) {
	four := func(s *screen) {
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
	}
	for _, tt := range []struct {
		name, click, shows string
		w, h               int
		prepare            func(*screen)
	}{
		{"the program's name", "confab", "Commands", 120, 40, nil},
		{"the service", "offline engine", "┏━ Models", 120, 40, nil},
		{"the session", "new session", "Sessions", 120, 40, nil},
		{"the turns", "1 turn ", "┏━", 120, 40, func(s *screen) { four(s); s.press("alt+v") }},
		{"memory", "memory off", "Memory on", 120, 40, func(s *screen) { s.press("alt+c") }},
		{"the filter of the models", "type a name", "┏━ Models", 120, 40, nil},
		{"the models in the title", "4 models ━", "┏━ Models", 120, 40, nil},
		{"the system prompt in the title", "system: Be brief", "Sent before each prompt", 80, 24,
			func(s *screen) { s.press("alt+3"); s.typed("Be brief."); s.press("alt+4") }},
		{"a box", "answer of oss-20b", "┏━ 2 oss-20b", 120, 40, four},
		{"the title of a box", "3 gamma-4.7", "┏━ 3 gamma-4.7", 120, 40, four},
		{"how answers scroll", "scroll by line", "scroll separately", 120, 40,
			func(s *screen) { four(s); s.press("alt+2") }},
		{"the layout", "strip", "L list", 120, 40, func(s *screen) { four(s); s.press("alt+2") }},
		{"the prompt above the boxes", "▌ tides", "▌ tides", 120, 40, four},
		{"an answer in the strip", "3 gamma-", "┏━ 3 gamma-4.7", 80, 24, four},
		{"the mark of the winner", "★", "┏━ 1 alpha3.1-8b  ", 120, 40,
			func(s *screen) { four(s); s.press("alt+2", "*"); s.shows("alpha3.1-8b ★") }},
		{"a key in a notice", "alt+u", "Restored", 120, 40,
			func(s *screen) { four(s); s.press("alt+v", "alt+2", "x"); s.shows("alt+u restores") }},
		{"what copies code", "c copy", "The code block", 120, 40,
			func(s *screen) { four(s); s.press("alt+v", "alt+2") }},
		{"the end of a conversation", "G end", "A short answer of phi-2.", 80, 24,
			func(s *screen) { four(s); s.press("alt+v", "alt+2", "g") }},
		{"the ratio under the prompt", "ratio", "Picture options", 120, 40,
			func(s *screen) { s.press("ctrl+l", "end", "up", "up", "up", "space", "alt+4") }},
		{"the progress of answers", "0 of 4 answered", "┏━ 1 alpha3.1-8b", 120, 40,
			func(s *screen) { s.typed("tides"); s.press("enter") }},
		{"the progress of a run", "of 4 answered", "running", 120, 40,
			func(s *screen) { s.runs(suiteFolder(s.t, refunds)); s.press("esc") }},
		{"a tab of a list", "files", "parent folder", 120, 40, func(s *screen) { s.press("alt+4", "alt+e") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, tt.w, tt.h, sideBySide("alpha3.1-8b", "oss-20b", "gamma-4.7", "phi-2"))
				if tt.prepare != nil {
					tt.prepare(s)
				}
				s.clickText(tt.click)
				s.shows(tt.shows)
			})
		})
	}
}

// TestADoubleClickZooms fills the screen with an answer, and with a picture, and goes back.
func TestADoubleClickZooms(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, sideBySide("alpha3.1-8b", "oss-20b"))
		double := func(text string) {
			s.pass(time.Second)
			s.clickText(text)
			s.clickText(text)
		}
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		double("answer of oss-20b")
		s.shows("2 oss-20b", "answer 2 of")
		s.lacks("1 alpha3.1-8b")
		double("answer of oss-20b")
		s.shows("1 alpha3.1-8b", "2 oss-20b")
		s.press("alt+v")
		double("answer of oss-20b")
		s.lacks("Write a prompt")
		double("answer of oss-20b")
		s.shows("Write a prompt")
		s.press("ctrl+n", "f8")
		s.pass(8 * time.Second)
		double("▀▀▀▀▀▀")
		s.shows("1 of 1")
		double("▀▀▀▀▀▀")
		s.shows("Describe the picture")
	})
}

// TestDraggingCopiesFromABox marks text in a box of the comparison.
func TestDraggingCopiesFromABox(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, sideBySide("alpha3.1-8b", "oss-20b"))
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		y := lineOf(s, "answer of oss-20b")
		x := ansi.StringWidth(strings.Split(strings.Split(s.text(), "\n")[y], "answer of oss-20b")[0])
		s.program.Send(tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y})
		s.program.Send(tea.MouseMotionMsg{Button: tea.MouseLeft, X: x + 16, Y: y})
		s.program.Send(tea.MouseReleaseMsg{Button: tea.MouseLeft, X: x + 16, Y: y})
		s.settle()
		if got := strings.Join(s.desktop.copied, "\n"); got != "answer of **oss-20b**" {
			t.Errorf("copied %q", got)
		}
	})
}

// drawnHint is a key that is drawn with what it does, and where.
type drawnHint struct {
	keys.Hint
	x, y int
}

// drawnHints returns the hints on the screen, which are told by their styles: a bold key and muted words.
func (s *screen) drawnHints() (all []drawnHint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	isBold := func(x, y int) bool {
		c := s.term.CellAt(x, y)
		return c != nil && c.Style.Attrs&uv.AttrBold != 0 && strings.TrimSpace(c.Content) != ""
	}
	for y := range s.h {
		for x := 0; x < s.w; x++ {
			if !isBold(x, y) || x > 0 && isBold(x-1, y) {
				continue
			}
			h := drawnHint{x: x, y: y}
			for ; x < s.w && isBold(x, y); x++ {
				h.Key += s.term.CellAt(x, y).Content
			}
			color := s.term.CellAt(h.x, y).Style.Fg
			for x++; x < s.w && !isBold(x, y); x++ {
				c := s.term.CellAt(x, y)
				if c.Content == " " && s.term.CellAt(x-1, y).Content == " " || c.Content == "·" ||
					c.Content != " " && colorName(c.Style.Fg) == colorName(color) {
					break
				}
				h.Text += c.Content
			}
			h.Text = strings.Trim(h.Text, " ━─╮╭╯┓┛")
			if _, ok := keys.Parse(h.Key); ok && h.Key[0] < utf8.RuneSelf && h.Text != "" {
				all = append(all, h)
			}
			x--
		}
	}
	return all
}

// TestEveryDrawnHintIsClicked clicks on every hint of every layer: something happens, as when its key is pressed.
func TestEveryDrawnHintIsClicked(t *testing.T) {
	m := ui.Keys()
	for i, l := range everyLayer() {
		if !testflags.IsLong() && i%8 != 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := filledByCommands(t, m, 120, 40)
				s.reopen(m, l.open)
				hints := s.drawnHints()
				if len(hints) < 2 {
					t.Fatalf("only %v is drawn:\n%s", hints, s.text())
				}
				for _, h := range hints {
					if h.Text == "new line" || h.Key == ">" { // that moves the cursor alone; this marks a difference
						continue
					}
					s.reopen(m, l.open)
					now := s.drawnHints()
					at := slices.IndexFunc(now, func(o drawnHint) bool { return o.Hint == h.Hint })
					if at < 0 { // what was clicked before has changed what can be done
						continue
					}
					before, did := s.drawn(), s.desktopCalls()
					s.click(now[at].x, now[at].y)
					if s.drawn() == before && s.desktopCalls() == did ||
						strings.Contains(s.text(), "does nothing here") {
						t.Errorf("a click on %v at %d,%d does nothing:\n%s", h.Hint, h.x, h.y, s.text())
					}
				}
			})
		})
	}
}
