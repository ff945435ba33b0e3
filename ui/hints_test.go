package ui_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/internal/testflags"
	"confab/ui"
	"confab/ui/keys"

	uv "github.com/charmbracelet/ultraviolet"
)

// hinted is a screen on which hints are drawn: how it is prepared once, the keys that lead to it, and those that lead
// back.
type hinted struct {
	name    string
	prepare func(s *screen) // nil for one turn to three models
	keys    []string
	w, h    int
}

func compared(s *screen) {
	s.typed("tides")
	s.press("enter")
	s.pass(3 * time.Second)
}

func pictured(s *screen) {
	s.press("f8")
	s.pass(10 * time.Second)
}

func oneRun(s *screen) {
	s.runs(suiteFolder(s.t, refunds))
	s.pass(5 * time.Second)
}

func twoRuns(s *screen) {
	dir := suiteFolder(s.t, refunds)
	s.runs(dir)
	s.pass(5 * time.Second)
	s.press("esc", "f4")
	s.typed(dir + "/")
	s.press("enter", "enter")
	s.pass(5 * time.Second)
}

func hintedScreens() []hinted {
	return []hinted{
		{"start", func(*screen) {}, nil, 120, 40},
		{"models", func(*screen) {}, []string{"ctrl+l"}, 120, 40},
		{"filtered models", func(*screen) {}, []string{"ctrl+l", "g", "a", "m"}, 80, 24},
		{"docked answers", nil, nil, 120, 40},
		{"answers with the focus", nil, []string{"alt+2"}, 120, 40},
		{"answers in a list", nil, []string{"alt+2", "L", "L"}, 120, 40},
		{"a zoomed answer", nil, []string{"alt+2", "z"}, 120, 40},
		{"a difference", nil, []string{"alt+2", "d"}, 120, 40},
		{"a wide difference", nil, []string{"alt+2", "d", "D"}, 160, 40},
		{"a narrow difference", nil, []string{"alt+v", "alt+2", "v", "d"}, 60, 20},
		{"a blind vote", nil, []string{"alt+2", "V"}, 120, 40},
		{"the end of a vote", nil, []string{"alt+2", "V", "a", "a", "a"}, 120, 40},
		{"a search in answers", nil, []string{"alt+2", "/", "o", "n", "e", "enter"}, 120, 40},
		{"the conversation", nil, []string{"alt+v", "alt+2"}, 80, 24},
		{"a zoomed conversation", nil, []string{"alt+v", "alt+2", "alt+z"}, 120, 40},
		{"a search", nil, []string{"alt+v", "alt+2", "/", "o", "n", "e", "enter"}, 120, 40},
		{"a picture", pictured, []string{"alt+2"}, 120, 40},
		{"pictures", pictured, []string{"ctrl+g"}, 120, 40},
		{"one picture", pictured, []string{"ctrl+g", "alt+z"}, 120, 40},
		{"a run", oneRun, nil, 120, 40},
		{"a run, narrow", oneRun, nil, 80, 24},
		{"A run has no conversation", oneRun, []string{"enter"}, 120, 40},
		{"two runs", twoRuns, []string{"c", "enter"}, 120, 40},
		{"a difference of runs", twoRuns, []string{"c", "enter", "enter"}, 120, 40},
		{"sessions", nil, []string{"ctrl+s"}, 120, 40},
		{"prompts", nil, []string{"ctrl+r"}, 80, 24},
		{"commands", nil, []string{"ctrl+p"}, 80, 24},
		{"themes", nil, []string{"f2"}, 80, 24},
		{"runs", twoRuns, []string{"esc", "f3"}, 120, 40},
		{"the form of a file", nil, []string{"alt+2", "w"}, 80, 24},
		{"a note", nil, []string{"alt+2", "m"}, 80, 24},
		{"a request", nil, []string{"alt+2", "i"}, 80, 24},
		{"help", nil, []string{"f1"}, 80, 24},
	}
}

// openHinted opens a screen and goes where its hints are.
func openHinted(t *testing.T, h hinted) *screen {
	s := open(t, h.w, h.h, sideBySide("alpha3.1-8b", "oss-20b", "gamma-4.7"))
	if h.prepare == nil {
		compared(s)
	} else {
		h.prepare(s)
	}
	s.press(h.keys...)
	s.pass(20 * time.Second) // notices end
	return s
}

// border is the drawing of a border, and what parts hints in it.
var border = regexp.MustCompile(`[─━╭╮╰╯┏┓┗┛│┃]+| · `)

// hintsOf returns the hints that are drawn in the footer and in borders, as keys with their words: those whose word
// the key map knows in one of its scopes, or that stand where hints stand.
func hintsOf(text string) (hints []keys.Hint) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		for _, e := range ui.Keys().All() { // beside what is drawn in panes
			if len(e.Keys) > 0 && strings.Contains(line+"  ", "  "+e.Keys[0]+" "+e.Short+" ") {
				hints = append(hints, keys.Hint{Key: e.Keys[0], Text: e.Short})
			}
		}
		pieces := strings.Split(line, "  ")
		isFooter := i == len(lines)-1
		if !isFooter {
			if !strings.ContainsAny(line, "╰┗╭┏") {
				continue
			}
			pieces = border.Split(line, -1)
		}
		for _, piece := range pieces {
			key, words, ok := strings.Cut(strings.TrimSpace(piece), " ")
			if _, isKey := keys.Parse(key); ok && isKey && words != "" && isHint(key, words) {
				hints = append(hints, keys.Hint{Key: key, Text: words})
			}
		}
	}
	slices.SortFunc(hints, func(a, b keys.Hint) int { return strings.Compare(a.String(), b.String()) })
	return slices.CompactFunc(hints, func(a, b keys.Hint) bool { return a.Key == b.Key })
}

// isHint tells one letters and a word of a title from a hint: the key has a command.
func isHint(key, words string) bool {
	if strings.ContainsAny(words, ".;:") || strings.Contains(words, "  ") {
		return false
	}
	return slices.ContainsFunc(ui.Keys().All(), func(e keys.Entry) bool { return slices.Contains(e.Keys, key) })
}

// state is what a person can see, but for the line of notices, and what has left the screen.
func (s *screen) state() string {
	s.mu.Lock()
	lines, at, written := strings.Split(s.term.Render(), "\n"), s.term.CursorPosition(), 0
	s.mu.Unlock()
	if at.Y == s.h-1 { // where drawing has ended: the cursor is hidden
		at = uv.Position{}
	}
	_ = filepath.WalkDir(s.dir, func(path string, _ fs.DirEntry, _ error) error {
		if !strings.Contains(filepath.Base(path), "history.db") {
			written++
		}
		return nil
	})
	return fmt.Sprint(strings.Join(lines[:s.h-1], "\n"), at, s.desktopCalls(), len(s.client.requests()), written)
}

// TestEveryHintDoesSomething presses each key that is named in the footer and in borders: the screen changes besides
// the line of notices, or something is copied, opened or asked for, or the program ends.
func TestEveryHintDoesSomething(t *testing.T) {
	for i, h := range hintedScreens() {
		if !testflags.IsLong() && i%5 != 3 {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			var hints []keys.Hint
			run(t, func(t *testing.T) { hints = hintsOf(openHinted(t, h).text()) })
			if len(hints) == 0 && h.name != "the end of a vote" {
				t.Error("no hint is drawn")
			}
			for _, hint := range hints {
				run(t, func(t *testing.T) {
					s := openHinted(t, h)
					before := s.state()
					press, _ := keys.Parse(hint.Key)
					s.program.Send(press)
					s.settle()
					// Sending nothing is answered in words: how to send is shown from the start.
					if s.state() == before && hint.Text != "send" {
						t.Errorf("%q does nothing:\n%s", hint, s.text())
					}
				})
			}
		})
	}
}

// TestTheFooterEndsWithHelpAndQuit has the keys of the help and of the way out on every screen, however narrow it is;
// the help does not offer itself.
func TestTheFooterEndsWithHelpAndQuit(t *testing.T) {
	for _, w := range []int{60, 80, 120} {
		run(t, func(t *testing.T) {
			s := openAnswered(t, w, 20)
			for _, open := range []string{"alt+4", "alt+2", "ctrl+l", "ctrl+s", "ctrl+p", "f2", "f1"} {
				s.press(open)
				s.pass(20 * time.Second) // notices end
				lines := strings.Split(s.text(), "\n")
				footer := strings.TrimSpace(lines[len(lines)-1])
				want := "f1 help  ctrl+q quit"
				if open == "f1" {
					want = "ctrl+q quit"
				}
				if !strings.HasSuffix(footer, want) || open == "f1" && strings.Contains(footer, "f1") {
					t.Errorf("%d columns, %s: the footer is %q", w, open, footer)
				}
				if hints := strings.Count(footer, "  ") + 1; hints > 6 {
					t.Errorf("%d columns, %s: %d hints: %q", w, open, hints, footer)
				}
				s.press("esc")
			}
		})
	}
}
