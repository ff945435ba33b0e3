package ui_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/service"
	"confab/service/api"
	"confab/ui"
	"confab/ui/compose"
)

func TestFirstScreenSaysWhereItIsAndWhatToDo(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.shows("confab", "offline engine (simulated)", "new session", "Nothing sent yet", "Lighthouse", "f6",
			"alpha3.1-8b",
			"Prompt → ● alpha3.1-8b", "enter send")
	})
}

func TestAPromptIsAnsweredAndRendered(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("tides")
		s.press("enter")
		s.shows("▌ you", "0 of 1 answered", "esc stop")
		s.pass(time.Second)
		s.shows("1 s")
		s.pass(2 * time.Second)
		s.shows("About tides", "2.0 s", "• one", "1 turn")
		s.lacks("# About", "answered", "**")
	})
}

func TestAnExampleRunsByOneKey(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("f7")
		s.pass(3 * time.Second)
		s.shows("Explain a CRDT", "4 models", "1 of 4")
	})
}

func TestAPictureStandsInPlace(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("f8")
		s.pass(10 * time.Second)
		s.shows("64×32", ".png")
		if n := strings.Count(s.text(), "▀") + strings.Count(s.text(), "▄") + strings.Count(s.text(),
			"▌") + strings.Count(s.text(), "▟"); n < 20 {
			t.Errorf("the picture is not drawn, only %d block characters:\n%s", n, s.text())
		}
	})
}

func TestOneFailureSpoilsNothing(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40,
			func(o *ui.Options, _ *service.Options) { o.Start.Marked = []string{"alpha3.1-8b", "oss-120b"} })
		s.typed("hello")
		s.press("enter")
		s.pass(3 * time.Second)
		s.shows("failed · rate_limited", "The service is busy; try again in 12 s.", "About hello")
	})
}

func TestEscCancelsWhatRuns(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("hello")
		s.press("enter")
		s.pass(time.Second)
		s.press("esc")
		s.shows("stopped")
		s.lacks("answered")
	})
}

func TestCtrlCCancelsThenClearsThenLeaves(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("hello")
		s.press("enter")
		s.typed("next")
		s.press("ctrl+c")
		s.shows("stopped", "next")
		s.press("ctrl+c")
		s.shows("up restores it")
		s.lacks("┃ next")
		s.press("up")
		s.shows("┃ next")
		s.press("ctrl+c")
		s.press("ctrl+c")
		s.shows("again to quit")
		s.press("x")
		s.press("ctrl+c")
		s.press("ctrl+c")
		s.press("ctrl+c")
		select {
		case <-s.done:
			s.done <- nil
		default:
			t.Fatal("ctrl+c pressed twice does not leave")
		}
	})
}

// TestADraftIsSavedSoon: a process that is killed loses no more than the last second (see TestKilledItLosesNothing).
func TestADraftIsSavedSoon(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.typed("a long thought")
		s.pass(2 * time.Second)
		d, err := s.service.Draft(t.Context(), 0)
		if err != nil || d.Text != "a long thought" {
			t.Fatalf("after two seconds the draft is %q, %v", d.Text, err)
		}
	})
}

func TestOldPromptsComeBackByUp(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		for _, p := range []string{"first prompt", "second prompt"} {
			s.typed(p)
			s.press("enter")
			s.pass(3 * time.Second)
		}
		s.typed("draft")
		s.press("up")
		s.shows("┃ second prompt")
		s.press("up")
		s.shows("┃ first prompt")
		s.press("down", "down")
		s.shows("┃ draft")
	})
}

// TestPromptsOfTheOpenSessionComeBackFirst: those of other sessions come after them, and say where they are from.
func TestPromptsOfTheOpenSessionComeBackFirst(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		send := func(prompt string) {
			s.typed(prompt)
			s.press("enter")
			s.pass(3 * time.Second)
		}
		send("asked by all")
		send("elsewhere")
		s.press("ctrl+n")
		send("first of these")
		send("asked by all")
		s.press("ctrl+n")
		send("newest elsewhere")
		s.press("ctrl+s")
		s.typed("first of these")
		s.press("enter", "alt+4")
		for _, prompt := range []string{"asked by all", "first of these"} {
			s.press("up")
			s.shows("┃ " + prompt)
			s.lacks("another session")
		}
		s.press("up")
		s.shows("┃ newest elsewhere", "Prompt of another session: newest elsewhere.")
		s.press("up")
		s.shows("┃ elsewhere", "Prompt of another session: asked by all.")
		s.press("down", "down")
		s.shows("┃ first of these")
	})
}

func TestASessionIsFoundByTheTextOfItsAnswer(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("moons of jupiter")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("ctrl+n")
		s.shows("Continue  moons of jupiter")
		s.press("ctrl+s")
		s.typed("short answer")
		s.shows("Sessions", "moons of jupiter")
		s.press("enter")
		s.shows("About moons of jupiter")
	})
}

func TestDeletingCanBeUndone(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("keep me")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("tab", "x", "y")
		s.shows("deleted")
		s.lacks("About keep me")
		s.press("alt+u")
		s.shows("About keep me")
	})
}

func TestCopySaysWhatWasDone(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("hello")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+y")
		s.shows("on the clipboard")
		if len(s.desktop.copied) != 1 || !strings.HasPrefix(s.desktop.copied[0], "# About hello\n\nA *short*") {
			t.Errorf("copied %q, want the source as it came", s.desktop.copied)
		}
	})
}

// hostile tries to set the title, to hide text, to leave the screen and to
// reorder what is read, as text and through entities.
const hostile = "BEGIN \x1b]0;PWNED\x07 \u009d0;PWNED\u009c \x1b[2J &#27;]52;c;UFdORUQ=&#7; \u202eevil\u202c " +
	"\x1b[?1049l END\n\n" +
	"`BEGIN2 &#27;[8m END2` [link](javascript:alert)\n"

func TestAHostileAnswerStaysText(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30, withAnswers(func(api.Request) (api.Response, time.Duration, error) {
			return api.Response{Text: hostile, Status: 200}, time.Second, nil
		}))
		s.typed("hello")
		s.press("enter")
		s.pass(2 * time.Second)
		s.shows("BEGIN", "END", "BEGIN2", "END2", "┏━ Prompt", "confab")
		s.press("tab", "u")
		s.shows("BEGIN", "END", "unformatted")
	})
}

func TestEverySizeIsWhole(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("日本語のテキスト and 👨‍👩‍👧 families")
		s.press("enter")
		s.pass(3 * time.Second)
		for _, size := range [][2]int{{80, 24}, {60, 20}, {59, 15}, {200, 60}, {30, 8}, {120, 40}} {
			s.mu.Lock()
			s.term.Resize(size[0], size[1])
			s.mu.Unlock()
			s.program.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			s.settle()
			for i, line := range strings.Split(s.text(), "\n") {
				if w := ansi.StringWidth(line); w > size[0] {
					t.Fatalf("%v: line %d is %d wide:\n%s", size, i, w, s.text())
				}
			}
			if size[0] >= 60 {
				s.shows("confab", "━ Prompt", "┗━", "┛")
			}
		}
	})
}

func TestTooLittleRoomIsSaid(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 18, 5)
		s.shows("The window is too")
	})
}

func TestAnswersStandSideBySide(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40,
			func(o *ui.Options, _ *service.Options) { o.Start.Marked = []string{"alpha3.1-8b", "oss-20b", "phi-2"} })
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+2", "v")
		s.shows("1 alpha3.1-8b", "2 oss-20b", "3 phi-2", "L list", "answer of phi-2")
		s.press("3", "*")
		s.shows("3 phi-2 ★")
		s.press("L")
		s.shows("order: number", "answers 3")
		s.press("z")
		s.shows("answer 3 of")
		s.press("esc", "1", "P", "2", "d")
		s.shows(" −  1 alpha3.1-8b", " +  2 oss-20b", "same wording", "without marks")
		s.press("esc", "esc")
		s.shows("Conversation", "▌ ● oss-20b")
		s.press("v", "r")
		s.pass(3 * time.Second)
		s.shows("×2", "n=2")
	})
}

func TestAFailedAnswerIsAskedAgainInTheComparison(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40,
			func(o *ui.Options, _ *service.Options) { o.Start.Marked = []string{"alpha3.1-8b", "oss-120b"} })
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+2", "v", "2")
		s.shows("1 failed   ", "failed rate_limited", "The service is busy")
	})
}

func TestVariablesAreAskedForAndMakeAMatrix(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("Say {{word}} in {{language}}")
		s.press("enter")
		s.shows("Values of the variables", "word", "language")
		s.typed("tide")
		s.press("enter")
		s.shows("needs a value")
		s.typed("German | 日本語")
		s.press("enter")
		s.pass(6 * time.Second)
		s.shows("2 values × 1 model", "German", "日本語")
		s.press("esc")
		s.shows("Say tide in German", "‹ 1 of 2 ›", "language = German, word = tide")
		s.wantRequests("of two values", 2)
	})
}

func TestABlindVoteHidesWhoAnswered(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40,
			func(o *ui.Options, _ *service.Options) { o.Start.Marked = []string{"alpha3.1-8b", "oss-20b"} },
			withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
				if r.Model.Slug == "oss-20b" {
					return api.Response{Text: "I am oss-20b, at your service.", Status: 200}, 2 * time.Second, nil
				}
				return api.Response{Text: "The tide comes twice a day.", Status: 200}, time.Second, nil
			}))
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+2", "v", "V")
		s.shows("Blind vote", "pair 1 of 1", "names a model")
		s.lacks("alpha3.1-8b", "1.0 s", "2.0 s")
		s.press("a")
		s.shows("alpha3.1-8b", "not blind")
		s.press("esc", "W")
		s.shows("Votes on these answers", "Few votes: under 10 each.")
		s.lacks("Votes in the whole history")
	})
}

func TestANewSessionStaysNewWhileAPromptIsBeingRecorded(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("old thought")
		s.program.Send(keyPress("enter"))
		s.program.Send(keyPress("ctrl+n"))
		s.settle()
		s.pass(3 * time.Second)
		s.shows("new session", "Continue")
		s.lacks("─ Conversation ─") // the start page previews the answer, which is no turn of the new session
	})
}

// fakeLocalEngines is a machine on which a server of models runs.
type fakeLocalEngines struct{ took *atomic.Bool }

func (n fakeLocalEngines) Offer(context.Context) string { return "ollama" }
func (n fakeLocalEngines) Find(context.Context) compose.FoundEngines {
	return compose.FoundEngines{List: "ollama at http://127.0.0.1:11434/v1: 3 models",
		File: "/home/ada/.config/confab/config.toml", Text: "[engines.ollama]\nurl = \"http://127.0.0.1:11434/v1\""}
}
func (n fakeLocalEngines) Take(context.Context) (string, error) {
	n.took.Store(true)
	return "In the configuration, and answering from now on: ollama.", nil
}

func TestAServerOnTheMachineIsNoticedAndTaken(t *testing.T) {
	run(t, func(t *testing.T) {
		var took atomic.Bool
		s := open(t, 120, 40, func(o *ui.Options, _ *service.Options) { o.LocalEngines = fakeLocalEngines{&took} })
		s.shows("ollama runs on this machine: f9 adds it")
		s.press("f9")
		s.shows("ollama at http://127.0.0.1:11434/v1: 3 models", "Add to /home/ada/.config/confab/config.toml:",
			"[engines.ollama]", `url = "http://127.0.0.1:11434/v1"`)
		s.press("esc")
		if took.Load() {
			t.Error("it was taken without a yes")
		}
		s.press("f9", "y")
		s.shows("In the configuration, and answering from now on: ollama.")
		if !took.Load() {
			t.Error("it You changed the text here meanwhile")
		}
	})
}
