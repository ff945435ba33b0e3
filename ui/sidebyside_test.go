package ui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// sideBySide opens turns side by side, as is shipped, and marks models.
func sideBySide(models ...string) option {
	return func(o *ui.Options, _ *service.Options) { o.Start.SideBySide, o.Start.Marked = true, models }
}

var four = []string{"alpha3.1-8b", "oss-20b", "gamma-4.7", "phi-2"}

// openWithAnswers opens a screen and has a prompt answered.
func openWithAnswers(t *testing.T, w, h int, options ...option) *screen {
	t.Helper()
	s := open(t, w, h, options...)
	s.typed("tides")
	s.press("enter")
	s.pass(3 * time.Second)
	return s
}

// TestScreensSideBySide holds what a turn to several models opens as while the next prompt is written.
func TestScreensSideBySide(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		for name, models := range map[string][]string{"two": four[:2], "four": four, "fifteen": texts()} {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				run(t, func(t *testing.T) {
					s := open(t, size[0], size[1], withAnswers(answerMixed), sideBySide(models...))
					s.typed("Explain a CRDT to a baker.")
					s.press("enter")
					s.pass(3 * time.Second)
					s.typed("Now to a child of six")
					s.pass(time.Second)
					golden.RequireEqual(t, s.text())
				})
			})
		}
	}
}

// texts returns all text models.
func texts() []string {
	var out []string
	for _, m := range catalogue() {
		if m.Kind == api.Text {
			out = append(out, m.Slug)
		}
	}
	return out
}

// TestATurnToSeveralModelsOpensSideBySide goes with a person from the prompt to the answers and back.
func TestATurnToSeveralModelsOpensSideBySide(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, sideBySide(four[:2]...))
		s.typed("tides")
		s.press("enter")
		s.shows("1 alpha3.1-8b  ⠋ 0 s", "2 oss-20b  ⠋ 0 s", "┃ Write a prompt", "alt+v chat")
		s.lacks("0/2") // the footer counts
		if header, _, _ := strings.Cut(s.text(), "\n"); strings.Contains(header, "tides") {
			t.Errorf("the header repeats the prompt below it: %s", header)
		}
		s.typed("the next prompt")
		s.pass(3 * time.Second)
		s.shows("answer of alpha3.1-8b", "answer of oss-20b", "─ 2 ", "┃ the next prompt")
		s.press("tab", "shift+tab") // through the panes and back
		s.shows("─ 2 ", "┃ the next prompt")
		s.press("alt+2", "l", "y")
		if len(s.desktop.copied) != 1 {
			t.Fatalf("copied %q", s.desktop.copied)
		}
		s.press("esc") // to the prompt; the answers stay
		s.typed("!")
		s.shows("─ 2 ", "┃ the next prompt!")
		s.press("alt+v")
		s.shows("Conversation", "▌ you", "┃ the next prompt!", "alt+v side by side")
		s.press("alt+v")
		s.shows("─ 2 ", "alt+v chat")
		s.press("alt+v", "enter") // as was chosen
		s.shows("Conversation", "▌ you")
		s.press("alt+v")
		s.shows("─ 2 ", "the next prompt!")
		s.press("alt+2", "v")
		s.shows("Conversation", "▌ you")
	})
}

// TestANameGivenByHandStaysInTheHeader, though the prompt below it begins with the same words.
func TestANameGivenByHandStaysInTheHeader(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, sideBySide(four[:2]...), func(o *ui.Options, _ *service.Options) {
			o.Start.Session.Find = func(context.Context) (history.Session, error) {
				return history.Session{Name: "tides"}, nil
			}
		})
		s.typed("tides and the moon")
		s.press("enter")
		s.pass(3 * time.Second)
		if header, _, _ := strings.Cut(s.text(), "\n"); !strings.Contains(header, "tides") {
			t.Errorf("the header lacks the name of the session: %s", header)
		}
	})
}

// TestTheStackOpensAtTheAnswerThatWasRead goes back to the stack from an answer side by side: to its head, or to the
// line it was read at, from the prompt too.
func TestTheStackOpensAtTheAnswerThatWasRead(t *testing.T) {
	say := func(r api.Request) (api.Response, time.Duration, error) {
		var text strings.Builder
		for i := range 60 {
			fmt.Fprintf(&text, "%s writes line %d.\n\n", r.Model.Slug, i)
		}
		return api.Response{Text: text.String(), Status: 200}, time.Second, nil
	}
	for name, back := range map[string][]string{"answers": {"v"}, "prompt": {"esc", "alt+v"}} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := openWithAnswers(t, 120, 40, withAnswers(say), sideBySide(four...))
				s.press("alt+2", "l")
				s.press(back...)
				s.shows("oss-20b", "2 of 4", "oss-20b writes line 0.")
				s.lacks("phi-2 writes")
				s.press("alt+v", "alt+2", "pgdown", "pgdown")
				s.press(back...)
				s.shows("oss-20b writes line 20.")
				s.lacks("oss-20b writes line 0.", "phi-2 writes")
			})
		})
	}
}

// TestAFailedAnswerSaysWhyAndWhatNext names the reason in the preview of its session, and keys in its box.
func TestAFailedAnswerSaysWhyAndWhatNext(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithAnswers(t, 120, 40, withAnswers(answerMixed), sideBySide("alpha3.1-8b", "phi-2"))
		s.press("alt+2", "l")
		s.shows("r again · R again all failed")
		if n := strings.Count(s.text(), "The service refused the key"); n != 1 {
			t.Errorf("the failure is said %d times", n)
		}
		s.press("esc")
		s.lacks("R again all failed") // which would be written into the prompt
		s.press("ctrl+s")
		s.shows("failed: The service refused the key")
	})
}

// TestWhatIsReadLargeFillsTheScreen zooms docked answers, compares two of them and votes, and goes back to the prompt.
func TestWhatIsReadLargeFillsTheScreen(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithAnswers(t, 80, 24, sideBySide(four[:2]...))
		s.press("alt+2")
		for _, c := range [][2]string{{"z", "answer 1 of"}, {"d", "same wording"}, {"V", "Blind vote"}} {
			s.shows("─ Prompt")
			s.press(c[0])
			s.shows(c[1])
			s.lacks("Prompt")
			s.press("esc")
		}
		s.press("z", "alt+4")
		s.shows("┏━ Prompt")
		s.press("alt+2", "v")
		s.shows("─ Prompt", "Conversation", "short answer of alpha3.1-8b")
	})
}

// TestFactsThatDoNotFitAreLeftOut expects no fact that is cut to a letter beside the name of a model.
func TestFactsThatDoNotFitAreLeftOut(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithAnswers(t, 60, 20, withAnswers(answerMixed), sideBySide("phi-2", "zeta"))
		s.press("alt+v")
		s.shows("failed · unauthorized   after")
		s.press("alt+2")
		s.shows("failed · unauthorized  ", "1 of 2  r again")
		s.lacks("a…")
	})
}

// TestKeysOfTheComparisonWorkInTheStack has the keys that people know from side by side do the same in the stack, or
// say where they work.
func TestKeysOfTheComparisonWorkInTheStack(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithAnswers(t, 120, 40, sideBySide(four[:2]...))
		s.press("alt+v", "alt+2", "P")
		s.shows("P (pin) needs answers side by side; v shows them so.")
		s.press("W")
		s.shows("No votes yet")
		s.press("esc", "d")
		s.shows("same wording")
		s.press("esc", "v", "V")
		s.shows("Blind vote", "pair 1 of 1")
	})
}

// TestWhatElseIsSentLeavesSideBySide: a turn to one model, a matrix, another session are read in the conversation.
func TestWhatElseIsSentLeavesSideBySide(t *testing.T) {
	for _, c := range []struct {
		name  string
		do    func(*screen)
		shows string
	}{
		{"one model", func(s *screen) {
			s.press("ctrl+l", "alt+0", "space", "alt+4")
			s.typed("alone")
			s.press("enter")
		}, "─ Conversation ─"},
		{"a matrix", func(s *screen) {
			s.typed("say {{n}}")
			s.press("enter")
			s.typed("1|2|3")
			s.press("enter")
		}, "3 values × 2 models"},
		{"a new session", func(s *screen) { s.press("ctrl+n") }, "Continue"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := openWithAnswers(t, 120, 40, sideBySide(four[:2]...))
				s.shows("─ 2 ")
				c.do(s)
				s.shows(c.shows)
				s.lacks("─ 2 ")
			})
		})
	}
}

// TestASessionOpensAsItsNewestTurnWasSent continues a session: its newest turn stands side by side when it went to
// several models, unless that was switched off, and one key shows the turns before it.
func TestASessionOpensAsItsNewestTurnWasSent(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithAnswers(t, 120, 40, sideBySide(four[:2]...))
		s.typed("ebb")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("ctrl+n", "enter")
		s.shows("▌ ebb", "1 alpha3.1-8b", "2 oss-20b", "─ 2 ", "alt+v all turns", "tab answers")
		s.press("tab")
		s.shows("z zoom", "esc back")
		s.press("{")
		s.shows("▌ tides", "─ 2 ", "z zoom")
		s.press("}", "v")
		s.shows("Conversation", "▌ you", "ebb")
		s.press("g")
		s.shows("tides")
		s.press("ctrl+n")
		s.press("tab", "enter") // as was chosen
		s.shows("Conversation", "▌ you")
	})
}

// TestWhoReadsElsewhereIsLeftThere: answers of another turn take nobody away from an older one or from a dialog.
func TestWhoReadsElsewhereIsLeftThere(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithAnswers(t, 120, 40, sideBySide(four[:2]...))
		s.press("alt+v", "alt+v", "alt+2", "f12") // the newest once more, from the comparison
		s.shows("─ 2 ", "tides")
		s.pass(3 * time.Second)
		s.shows("─ 2 ")
		s.press("v", "k") // the conversation has the focus
		s.press("f12")
		s.shows("Conversation", "⠋ 0 s", "▌ you")
	})
}

// TestTheModelListSaysHowTheAnswersStand tells states apart by words and signs.
func TestTheModelListSaysHowTheAnswersStand(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
			switch r.Model.Slug {
			case "oss-20b":
				return api.Response{Text: "late", Status: 200}, time.Minute, nil
			case "phi-2":
				return api.Response{}, time.Second, &api.Error{Code: api.CodeService, Message: "It is broken."}
			}
			return answerAll(r)
		}), func(o *ui.Options, so *service.Options) {
			o.Start.Marked, so.Limits.Concurrency = []string{"alpha3.1-8b", "oss-20b", "phi-2", "zeta"}, 3
		})
		s.typed("tides")
		s.press("enter")
		s.shows("● oss-20b              ▸ 0 s", "● zeta                queued")
		s.pass(3 * time.Second)
		s.shows("● alpha3.1-8b         ✓ done", "● oss-20b              ▸ 3 s", "● phi-2             ✗ failed")
		s.press("esc")
		s.pass(2 * time.Second)
		s.lacks("✓ done", "✗ failed", "▸")
	})
}

// TestANarrowScreenOpensTurnsAsTabs: where no two answers fit beside each other, the first one is shown, and keys go to
// the next one and to the conversation.
func TestANarrowScreenOpensTurnsAsTabs(t *testing.T) {
	run(t, func(t *testing.T) {
		s := openWithAnswers(t, 60, 20, sideBySide(four[:2]...))
		s.shows("1 of 2", "short answer of alpha3.1-8b")
		s.lacks("Conversation")
		s.press("tab", "l")
		s.shows("2 of 2", "short answer of oss-20b", "l next")
		s.press("alt+v")
		s.shows("Conversation")
	})
}

// TestTheDockedAnswersStayWhereverOneGoes visits the other panes, a list, the table of runs, and other sizes.
func TestTheDockedAnswersStayWhereverOneGoes(t *testing.T) {
	for _, w := range []int{80, 120, 170} {
		run(t, func(t *testing.T) {
			s := openWithAnswers(t, w, 30, sideBySide(four[:2]...))
			for _, c := range []struct {
				keys  []string
				shows string
			}{
				{[]string{"ctrl+l"}, "Models"}, {[]string{"esc"}, "─ 2 "},
				{[]string{"alt+3"}, "System prompt"}, {[]string{"alt+4"}, "─ 2 "},
				{[]string{"alt+z"}, "Prompt"}, {[]string{"alt+z"}, "─ 2 "},
				{[]string{"ctrl+s"}, "Sessions"}, {[]string{"esc"}, "─ 2 "},
				{[]string{"alt+2", "z"}, "answer 1 of"}, {[]string{"esc"}, "─ 2 "},
				{[]string{"esc"}, "┏━ Prompt"}, {nil, "─ 2 "},
			} {
				s.press(c.keys...)
				s.shows(c.shows)
			}
			s.typed("still the prompt")
			for _, size := range [][2]int{{40, 12}, {60, 20}, {w, 30}} {
				s.mu.Lock()
				s.term.Resize(size[0], size[1])
				s.mu.Unlock()
				s.program.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				s.settle()
				s.shows("still the prompt")
			}
			s.shows("─ 2 ", "alt+v chat")
		})
	}
}

// TestAReplacedAnswerIsNoLongerCounted stops two answers and asks one again: the line above counts the other alone.
func TestAReplacedAnswerIsNoLongerCounted(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(o *ui.Options, _ *service.Options) { o.Start.Marked = []string{"delta", "zeta"} })
		s.typed("tides")
		s.press("enter")
		s.pass(time.Second)
		s.press("esc")
		s.pass(time.Second)
		s.press("alt+2", "v")
		s.shows("2 stopped")
		s.press("1", "r")
		s.pass(9 * time.Second)
		s.shows("1 stopped")
		s.press("2", "r")
		s.pass(9 * time.Second)
		s.lacks("1 stopped", "2 stopped")
	})
}
