package ui_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/ui"
)

// TestEveryReaderHasTheSameClock: models that think beside each other say for how long, wherever they are shown.
func TestEveryReaderHasTheSameClock(t *testing.T) {
	thinks := regexp.MustCompile(`thinking… (\d+) s`)
	run(t, func(t *testing.T) {
		s := whileWritten(t, 120, 40, "alpha3.1-8b", "oss-20b")
		s.pass(1500 * time.Millisecond)
		check := func(where string) {
			t.Helper()
			found := thinks.FindAllStringSubmatch(s.text(), -1)
			if len(found) == 0 {
				t.Errorf("%s: nothing thinks:\n%s", where, s.text())
			}
			for _, f := range found {
				if n := f[1]; n != "0" && n != "1" && n != "2" {
					t.Errorf("%s: %q:\n%s", where, f[0], s.text())
				}
			}
		}
		check("docked")
		s.press("alt+2")
		check("with the focus")
	})
}

// The header is about what the screen shows.
func TestTheHeaderOfARunIsAboutTheRun(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("a chat of its own")
		s.press("enter")
		s.pass(3 * time.Second)
		s.shows("1 turn   1 answer")
		dir := suiteFolder(t, refunds)
		s.runs(dir)
		s.pass(5 * time.Second)
		header := func(want string) {
			t.Helper()
			line, _, _ := strings.Cut(s.text(), "\n")
			if !strings.Contains(line, want) || strings.Contains(line, "chat of its own") ||
				strings.Contains(line, "1 turn") {
				t.Errorf("the header is %q, want %q in it and nothing of the session", line, want)
			}
		}
		header("refund · run 1")
		s.press("enter")
		header("refund · run 1  1/2")
		s.press("esc", "f4")
		s.typed(dir + "/")
		s.press("enter", "enter")
		s.pass(5 * time.Second)
		s.press("c", "enter")
		header("refund · run 1 → run 2")
		s.press("enter")
		header("run 1  alpha3.1-8b → run 2  alpha3.1-8b")
	})
}

// A run of a suite is no conversation that goes on with another prompt.
func TestARunIsNotContinuedAsAChat(t *testing.T) {
	run(t, func(t *testing.T) {
		var store func(context.Context) (history.Store, error)
		s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) { store = o.History.Open })
		s.runs(suiteFolder(t, refunds))
		s.pass(5 * time.Second)
		s.press("esc")
		s.shows("Recent", "refund")
		s.lacks("Continue", "continue refund")
		s.press("enter")
		s.shows("2 of 4 passed")
		s.press("esc", "alt+4")
		s.typed("a chat")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("ctrl+s", "down", "enter")
		s.shows("2 of 4 passed")
		s.press("esc", "ctrl+q")
		next := open(t, 120, 40, func(_ *ui.Options, o *service.Options) { o.History.Open = store })
		next.shows("Continue  a chat", "Recent    refund", "run 1")
		next.press("enter")
		next.shows("About a chat")
		next.press("ctrl+q")
	})
}

// g selects what it shows also where all turns are on the screen, so that a key acts on the turn at the top.
func TestTheTopIsSelectedInAShortSession(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 60)
		for _, p := range []string{"first prompt", "second prompt"} {
			s.typed(p)
			s.press("enter")
			s.pass(3 * time.Second)
		}
		s.press("alt+2", "g", "x")
		s.shows("The turn is deleted", "About second prompt")
		s.lacks("About first prompt")
		s.press("alt+u", "g", "G", "x")
		s.lacks("About second prompt")
		s.shows("About first prompt")
	})
}

// Leaving asks where it would break something off, whichever key leaves.
func TestLeavingAsksWhileAnswersAreWritten(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.typed("hello")
		s.press("enter", "ctrl+q")
		s.shows("Quit confab", "Running answers will be cut off.")
		s.press("n")
		s.lacks("Quit confab")
		s.press("ctrl+d")
		s.shows("Quit confab")
		s.press("ctrl+q")
		s.shows("Answer the question first.")
		s.press("n")
		s.pass(3 * time.Second)
		s.shows("About hello")
		s.typed("again")
		s.press("enter", "ctrl+q", "y")
		select {
		case err := <-s.done:
			s.done <- err
		default:
			t.Fatal("yes does not leave")
		}
	})
}

// Typing in the list of models filters it; enter takes the match alone, clears the filter and goes to the prompt.
func TestAModelIsChosenByItsName(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("ctrl+l")
		s.typed("delta")
		s.shows("> delta", "1 marked")
		s.lacks("oss-20b")
		s.press("enter")
		s.shows("Prompt → ● delta", "oss-20b", "type a name to filter")
		s.typed("hello")
		s.press("enter")
		s.pass(3 * time.Second)
		if asked := s.client.requests(); len(asked) != 1 || asked[0].Model.Slug != "delta" {
			t.Errorf("asked %+v", asked)
		}
		s.press("ctrl+l")
		s.typed("phi")
		s.press("space", "ctrl+u")
		s.typed("zeta")
		s.press("enter")
		s.shows("3 models")
		s.press("ctrl+l")
		s.typed("gxmma")
		s.press("left", "left", "left", "backspace")
		s.typed("a")
		s.shows("> gamma", "gamma-4.7")
		s.press("esc")
		s.shows("type a name to filter")
	})
}

// ctrl+u clears whatever is typed in one line.
func TestOneKeyClearsEveryLine(t *testing.T) {
	for name, keys := range map[string][]string{
		"models": {"ctrl+l"}, "sessions": {"ctrl+s"}, "pictures": {"ctrl+g"}, "commands": {"ctrl+p"},
		"find": {"alt+2", "/"}, "find in answers": {"alt+2", "v", "/"}, "form": {"alt+p"}, "name": {"ctrl+s", "alt+r"},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, 120, 40, sideBySide("alpha3.1-8b", "oss-20b"))
				s.typed("hello")
				s.press("enter")
				s.pass(3 * time.Second)
				s.press("alt+v")
				s.press(keys...)
				s.typed("qxyz")
				s.shows("qxyz")
				s.press("left", "ctrl+u")
				s.lacks("qx", "yz ", "z ━")
			})
		})
	}
}

// A system prompt is called by the name it is saved under, wherever it comes from; it is written in its pane, which
// keeps it when it is not given a name.
func TestASystemPromptIsKeptAndNamed(t *testing.T) {
	run(t, func(t *testing.T) {
		var store func(context.Context) (history.Store, error)
		s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) { store = o.History.Open })
		s.press("ctrl+t", "ctrl+t")
		s.shows("No personas yet. A persona is a system prompt with a name.")
		s.press("alt+n")
		s.shows("┏━ System prompt", "ctrl+s save")
		s.press("esc", "alt+3")
		s.typed("You are a pirate.")
		s.press("ctrl+t", "ctrl+s", "esc", "esc")
		s.shows("You are a pirate.")
		s.pass(2 * time.Second)
		if d, err := s.service.Draft(t.Context(), 0); err != nil || d.System != "You are a pirate." {
			t.Errorf("the draft is %+v, %v", d, err)
		}
		s.press("ctrl+t", "ctrl+t", "alt+n")
		s.typed("pirate")
		s.press("enter", "esc")
		s.shows("━ pirate ━")
		s.press("alt+4")
		s.typed("hello")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("ctrl+n", "ctrl+s", "enter")
		s.shows("─ pirate ─")
		s.press("ctrl+q")
		next := open(t, 80, 24,
			func(u *ui.Options, o *service.Options) { u.Start.Session.ID, o.History.Open = 1, store })
		next.shows("system: pirate")
		next.press("ctrl+q")
	})
}
