package ui_test

import (
	"testing"
	"time"

	"confab/service"
	"confab/ui"
)

// TestTheScreenForAScreenReader sends to two models, marks a winner and opens lists: no line holds a figure, nothing
// stands beside what is read, and states are words.
func TestTheScreenForAScreenReader(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 140, 40, withAnswers(answerMixed), func(o *ui.Options, _ *service.Options) {
			o.Theme.ScreenReader, o.Terminal.ReducesMotion, o.Start.Marked = true, true, four[:2]
		})
		noFigures := func() {
			t.Helper()
			for _, r := range s.text() {
				if r >= 0x2500 && r <= 0x259f || r >= 0x2800 && r <= 0x28ff {
					t.Fatalf("%q is drawn:\n%s", r, s.text())
				}
			}
		}
		noFigures()
		s.shows("focused", "Prompt", "confab: one prompt, many models", "one model")
		s.lacks("TEXT") // the list of models is shown when it is asked for
		s.typed("tides")
		s.press("enter")
		s.shows("running")
		noFigures()
		s.pass(30 * time.Second)
		s.press("tab", "*")
		s.shows("best", "Conversation, focused")
		noFigures()
		s.press("ctrl+l")
		s.shows("Models, focused", "marked alpha3.1-8b")
		s.press("ctrl+s")
		s.shows("> tides", "Sessions   1, focused")
		s.lacks("marked alpha3.1-8b") // nothing stands beside the lines of a dialog
		noFigures()
		s.press("esc")
		s.shows("> marked alpha3.1-8b")
		s.press("alt+2", "v", "+")
		s.shows("alpha3.1-8b good best", "1 of 2")
		s.lacks("★", "2 oss-20b  ")
		noFigures()
	})
}
