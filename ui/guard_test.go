package ui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestAKeyIsRefusedRightAfterItsTargetChanged presses the key that deletes an answer just after another answer came
// under the cursor by itself: it is refused, with a notice. 200 ms later it deletes.
func TestAKeyIsRefusedRightAfterItsTargetChanged(t *testing.T) {
	for _, c := range []struct {
		name    string
		after   time.Duration
		refused bool
	}{{"at once", 50 * time.Millisecond, true}, {"after it was seen", 400 * time.Millisecond, false}} {
		t.Run(c.name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, 120, 40)
				s.typed("kept")
				s.press("enter")
				s.pass(3 * time.Second)
				s.typed("tides")
				s.press("enter")
				s.pass(3 * time.Second)
				s.press("alt+2", "x") // the answer is deleted, and comes back by itself a while later
				s.shows("deleted")
				s.program.Send(keyPress("alt+u"))
				time.Sleep(c.after)
				s.program.Send(keyPress("x"))
				s.settle()
				refused := strings.Contains(s.text(), "The selection just changed: check it, then press x again")
				if kept := strings.Contains(s.text(), "About tides"); refused != c.refused || kept != c.refused {
					t.Fatalf("refused: %v, the answer is kept: %v:\n%s", refused, kept, s.text())
				}
			})
		})
	}
}

// TestASearchTakesEveryLetter types a letter that is a command of the conversation into a search, just after the
// selection changed by itself: it is text, whatever is selected.
func TestASearchTakesEveryLetter(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("kept")
		s.press("enter")
		s.pass(3 * time.Second)
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+2", "x")
		s.program.Send(keyPress("alt+u"))
		time.Sleep(50 * time.Millisecond)
		s.program.Send(keyPress("/"))
		time.Sleep(50 * time.Millisecond)
		s.program.Send(keyPress("e"))
		s.settle()
		s.lacks("The selection just changed")
		s.shows("find  e")
	})
}

// TestARunIsNotComparedWithItself opens the list to compare a run with: the run that is shown is not in it, and with no
// other run a notice says so.
func TestARunIsNotComparedWithItself(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		dir := suiteFolder(t, refunds)
		s.runs(dir)
		s.pass(5 * time.Second)
		s.press("c")
		s.shows("No other run to compare with.")
		s.press("esc", "esc")
		s.press("f4")
		s.typed(dir + "/")
		s.press("enter", "enter")
		s.pass(5 * time.Second)
		s.shows("run 2")
		s.press("c", "enter")
		s.lacks("run 2 → run 2")
		s.shows("same")
		s.press("esc", "esc", "f3", "alt+c", "enter")
		s.pass(time.Second)
		s.shows("run 1 → run 2")
		s.lacks("Preview", "enter open · esc close")
	})
}

// TestAFilterTakesPastesAndEsc types and pastes a filter of the models while an answer runs: the text goes into the
// filter, and esc ends the filter, leaves the list, and only then stops what runs.
func TestAFilterTakesPastesAndEsc(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("tides")
		s.press("enter", "ctrl+l")
		s.typed("gamma")
		s.program.Send(tea.PasteMsg{Content: "-4"})
		s.settle()
		s.shows("> gamma-4", "0 of 1 answered")
		s.lacks("oss-20b")
		s.press("esc")
		s.shows("┏━ Models", "oss-20b", "0 of 1 answered")
		s.press("esc")
		s.shows("┏━ Prompt", "0 of 1 answered")
		s.press("esc")
		s.lacks("0 of 1 answered")
	})
}

// TestTheLastTurnTakesItsSessionAlong deletes the only turn of the open session, and brings both back. It asks before:
// who deletes turn after turn has not meant the session.
func TestTheLastTurnTakesItsSessionAlong(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+2", "x")
		s.shows("Delete the session", "This is its only turn.", "About tides")
		s.press("y")
		s.shows("The session is deleted.", "restores it until you quit.", "new session")
		s.press("alt+u")
		s.shows("Restored.")
		s.shows("About tides")
		s.lacks("new session")
	})
}
