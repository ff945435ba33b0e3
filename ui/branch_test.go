package ui_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/service"
	"confab/service/api"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/part"
)

// saysYes answers every prompt after two seconds.
func saysYes(api.Request) (api.Response, time.Duration, error) {
	return api.Response{Text: "yes", Status: 200}, 2 * time.Second, nil
}

// chatting opens a screen that remembers, and sends prompts one after the other.
func chatting(t *testing.T, say func(api.Request) (api.Response, time.Duration, error), prompts ...string) *screen {
	t.Helper()
	s := open(t, 120, 40, withAnswers(say))
	for _, prompt := range prompts {
		s.typed(prompt)
		s.press("enter")
		s.pass(5 * time.Second)
	}
	return s
}

// TestAnEditedPromptIsABranch edits the second of three prompts, switches between the branches and compares them.
func TestAnEditedPromptIsABranch(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "first", "second", "third")
		s.press("alt+2", "[", "e")
		s.shows("┃ second", "new branch", "enter send as branch · esc no branch")
		s.typed(" again")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("first", "second again", "‹ 2 of 2 ›")
		s.lacks("third", "new branch")
		s.press("alt+2")
		s.shows("< previous branch", "> next branch")
		s.lacks("l next answer")
		s.press("<")
		s.shows("‹ 1 of 2 ›", "third")
		s.lacks("second again")
		s.press("<")
		s.shows("No further branch: this is branch 1 of 2.")
		s.press(">")
		s.shows("‹ 2 of 2 ›", "second again")
		s.press("/")
		s.typed("third")
		s.pass(time.Second)
		s.shows("not on this branch")
		s.press("esc", "v")
		s.shows("1 alpha3.1-8b · branch 1", "2 alpha3.1-8b · branch 2")
		s.press("1")
		s.shows("▌ second  ")
		s.press("2")
		s.shows("▌ second again")
		s.press("esc")
		s.press("alt+4")
		s.typed("fourth")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("second again", "fourth")
	})
}

// TestTheHeaderCountsTheShownPath changes branches, and opens the session again.
func TestTheHeaderCountsTheShownPath(t *testing.T) {
	run(t, func(t *testing.T) {
		say := func(api.Request) (api.Response, time.Duration, error) {
			return api.Response{Text: strings.Repeat("yes\n\n", 60), Status: 200,
				Usage: chat.Usage{InputTokens: 60, OutputTokens: 40}}, 0, nil
		}
		s := chatting(t, say, "first", "second", "third")
		s.shows("300 tokens   3 turns   3 answers")
		s.press("alt+2", "[", "e")
		s.typed(" again")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("200 tokens   2 turns   2 answers")
		s.press("alt+2", "<")
		s.shows("300 tokens   3 turns   3 answers")
		s.press(">")
		s.shows("200 tokens   2 turns   2 answers")
		s.press("ctrl+n", "ctrl+s", "enter")
		s.pass(time.Second)
		s.shows("200 tokens   2 turns   2 answers")
	})
}

// TestAnEarlierPromptIsCounted brings back a sent prompt.
func TestAnEarlierPromptIsCounted(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "What is it?")
		s.typed("abc")
		s.pass(2 * time.Second)
		s.shows("3 characters")
		s.press("ctrl+u", "up")
		s.shows("What is it?", "11 characters")
	})
}

// TestADeletedBranchGivesWayToAnother deletes the branch that is shown, restores it, and deletes a turn whose branches
// then follow the turn before it.
func TestADeletedBranchGivesWayToAnother(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "first", "second", "third")
		s.press("alt+2", "[", "e")
		s.typed(" again")
		s.press("enter")
		s.pass(5 * time.Second)
		s.press("alt+2", "x")
		s.pass(time.Second)
		s.shows("second", "third", "remembers 3 turns")
		s.lacks("second again", "‹ ")
		s.press("alt+u")
		s.pass(time.Second)
		s.shows("second again", "‹ 2 of 2 ›", "remembers 2 turns")
		s.lacks("third")
		s.press("alt+2", "<")
		s.shows("‹ 1 of 2 ›", "third")
		s.press("x") // the second prompt
		s.pass(time.Second)
		s.shows("third", "‹ 1 of 2 ›", "remembers 2 turns")
	})
}

// TestBranchesAreATable opens the table of a prompt and its branches while one is answered, and a row of it.
func TestBranchesAreATable(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "say yes", "once more", "say it in a warm tone")
		s.press("alt+2", "e")
		s.typed(" and twice")
		s.press("enter")
		s.pass(time.Second)
		s.press("alt+2", "#")
		s.shows("2 prompts × 1 model", "A …warm tone", "B …and twice", "running")
		s.pass(5 * time.Second)
		s.lacks("running")
		s.shows("2 of 2 answered")
		s.press("j", "enter")
		s.shows("1 alpha3.1-8b", "tone and twice")
		s.press("{")
		s.shows("say it in a warm tone")
		s.press("esc")
		s.shows("2 prompts × 1 model")
		s.press("esc")
		s.shows("once more", "‹ 1 of 2 ›") // the selected row
	})
}

// TestABranchHasTheFocus sends a branch of a turn whose answer fills half of the screen, and compares at once.
func TestABranchHasTheFocus(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, func(api.Request) (api.Response, time.Duration, error) {
			return api.Response{Text: strings.Repeat("a line\n\n", 9), Status: 200}, 2 * time.Second, nil
		}, "first", "second")
		s.press("alt+2", "e")
		s.typed("!")
		s.press("enter")
		s.pass(5 * time.Second)
		s.press("alt+2", "v")
		s.shows("1 alpha3.1-8b · branch 1", "2 alpha3.1-8b · branch 2")
	})
}

// TestEscEndsAnEdit takes a prompt back and sends it as a new one.
func TestEscEndsAnEdit(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "first", "second")
		s.press("alt+2", "[", "e", "esc")
		s.shows("The next prompt continues from the last turn.", "┃ first")
		s.lacks("new branch")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("second")
		s.lacks("‹ ")
	})
}

// TestTheNextPromptWaits sends prompts while an answer runs: they wait, can be edited and taken back, and go with the
// answers that they waited for.
func TestTheNextPromptWaits(t *testing.T) {
	run(t, func(t *testing.T) {
		var last atomic.Value // the prompt that was sent last
		s := chatting(t, func(r api.Request) (api.Response, time.Duration, error) {
			last.Store(r.Prompt)
			return saysYes(r)
		}, "first")
		s.typed("second")
		s.press("enter")
		s.shows("enter queue", "esc stop")
		s.typed("third")
		s.press("enter")
		s.shows("queued until the answers above end", "│   third", "1 prompt queued", "esc take back")
		s.press("up")
		s.shows("┃ third")
		s.lacks("queued")
		s.typed("!")
		s.press("enter")
		s.shows("third!", "1 prompt queued")
		s.typed("now")
		s.press("alt+n")
		s.pass(100 * time.Millisecond)
		if sent := last.Load(); sent != "now" {
			t.Errorf("sent %q at once, want it alone", sent)
		}
		s.pass(10 * time.Second)
		sent, _ := last.Load().(string)
		if n := strings.Count(sent, "## You\n\nyes"); n != 3 || !strings.HasSuffix(sent, "third!") {
			t.Errorf("sent %q after the others, want their three answers with it", sent)
		}
		s.lacks("queued")
		s.shows("third!")
		s.typed("fourth")
		s.press("enter")
		s.typed("fifth")
		s.press("enter")
		s.shows("1 prompt queued")
		s.press("esc")
		s.shows("┃ fifth")
		s.lacks("queued")
		s.pass(10 * time.Second)
		s.shows("┃ fifth")
	})
}

// TestAWaitingPromptIsNotLost kills the screen while a prompt waits, and finds it in the prompt of the next one.
func TestAWaitingPromptIsNotLost(t *testing.T) {
	run(t, func(t *testing.T) {
		var kept service.Options
		s := open(t, 120, 40, withAnswers(saysYes), func(_ *ui.Options, o *service.Options) { kept = *o })
		for _, prompt := range []string{"first", "second", "third"} {
			s.typed(prompt)
			s.press("enter")
		}
		s.shows("2 prompts queued")
		s.pass(1500 * time.Millisecond)
		s.program.Kill()
		again := open(t, 120, 40, withAnswers(saysYes), func(u *ui.Options, o *service.Options) {
			o.History.Open, o.Pictures, o.DraftFolder = kept.History.Open, kept.Pictures, kept.DraftFolder
		})
		again.press("alt+l")
		again.shows("second", "┃ third") // the service went on and sent the second one
	})
}

// TestWhatWaitsIsNotRestored leaves a session in which a prompt waits, and comes back before it is sent.
func TestWhatWaitsIsNotRestored(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "first")
		for _, prompt := range []string{"second", "third"} {
			s.typed(prompt)
			s.press("enter")
		}
		s.press("ctrl+n", "alt+l")
		s.shows("│   third", "1 prompt queued", "Write a prompt")
		s.lacks("┃ third", "restored")
	})
}

// TestAWaitingPromptKeepsItsFile kills the screen while a prompt with a file waits, and sends it from the next one.
func TestAWaitingPromptKeepsItsFile(t *testing.T) {
	run(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "notes.txt")
		if err := os.WriteFile(path, []byte("bread and butter"), 0o600); err != nil {
			t.Fatal(err)
		}
		var kept service.Options
		s := open(t, 120, 40, withAnswers(saysYes), func(_ *ui.Options, o *service.Options) { kept = *o })
		for _, prompt := range []string{"first", "second"} {
			s.typed(prompt)
			s.press("enter")
		}
		files, err := s.service.ReadFiles(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		s.program.Send(part.Do(action.Attach{Files: files}))
		s.settle()
		s.press("enter")
		s.shows("2 prompts queued", "notes.txt")
		s.pass(1500 * time.Millisecond)
		s.program.Kill()
		var last atomic.Value // the prompt that was sent last
		again := open(t, 120, 40, withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
			last.Store(r.Prompt)
			return saysYes(r)
		}), func(u *ui.Options, o *service.Options) {
			o.History.Open, o.Pictures, o.DraftFolder = kept.History.Open, kept.Pictures, kept.DraftFolder
		})
		again.press("alt+l")
		again.shows("second", "┃ @")
		again.press("enter")
		again.pass(time.Second)
		if sent, _ := last.Load().(string); !strings.Contains(sent, "bread and butter") {
			t.Errorf("sent %q, want the file in it", sent)
		}
	})
}

// TestTheTitleCountsWhatWillBeSent reads the title while an answer runs and a prompt waits.
func TestTheTitleCountsWhatWillBeSent(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "first")
		s.shows("remembers 1 turn,")
		s.typed("second")
		s.press("enter")
		s.shows("remembers up to 2 turns")
		s.typed("third")
		s.press("enter")
		s.shows("1 prompt queued", "remembers up to 3 turns")
		s.pass(10 * time.Second)
		s.shows("remembers 3 turns,")
	})
}

// TestABranchWaitsForNoOtherBranch edits a prompt while it is answered. The branch is sent at once, and what follows it
// waits for its own answer only.
func TestABranchWaitsForNoOtherBranch(t *testing.T) {
	run(t, func(t *testing.T) {
		var sent atomic.Int32
		s := chatting(t, func(r api.Request) (api.Response, time.Duration, error) {
			took := 3 * time.Second
			if sent.Add(1); strings.HasSuffix(r.Prompt, "again") {
				took = 10 * time.Second
			} else if strings.HasSuffix(r.Prompt, "second") {
				took = time.Minute
			}
			return api.Response{Text: "yes", Status: 200}, took, nil
		}, "first")
		s.typed("second")
		s.press("enter")
		s.pass(time.Second)
		s.press("alt+2", "e")
		s.shows("new branch", "remembers 1 turn,")
		s.typed(" again")
		s.press("enter")
		s.pass(time.Second)
		if n := sent.Load(); n != 3 {
			t.Errorf("%d prompts were sent, want 3", n)
		}
		s.shows("second again", "‹ 2 of 2 ›", "remembers up to 2 turns")
		s.typed("third")
		s.press("enter")
		s.shows("1 prompt queued")
		s.press("alt+2", "<")
		s.shows("Prompts are queued here", "‹ 2 of 2 ›")
		s.pass(20 * time.Second)
		s.shows("third", "remembers 3 turns,")
	})
}

// TestOnlyWhatWaitsIsTakenBack takes back the values of a template that wait together, and leaves the prompt before
// them where it waits.
func TestOnlyWhatWaitsIsTakenBack(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "first")
		s.typed("second")
		s.press("enter")
		s.typed("waits")
		s.press("enter")
		s.typed("say {{word}}")
		s.press("enter")
		s.shows("word")
		s.typed("one | two | three")
		s.press("enter")
		s.shows("2 prompts queued", "│   say {{word}}")
		s.press("up")
		s.shows("┃ say {{word}}", "1 prompt queued", "│   waits", "3 values = 3 calls")
		s.press("enter", "enter")
		s.pass(20 * time.Second)
		s.shows("3 values × 1 model")
		s.press("esc")
		s.shows("say one", "‹ 1 of 3 ›   00:00   word = one   remembers 3 turns")
	})
}

// TestANewSessionHasItsName starts with a session that there is only the name of.
func TestANewSessionHasItsName(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withAnswers(saysYes), func(u *ui.Options, _ *service.Options) {
			u.Start.Session.Find = func(context.Context) (history.Session, error) {
				return history.Session{Name: "plans"}, nil
			}
		})
		s.shows("A new session: “plans” begins with the first prompt.")
		s.typed("first")
		s.press("enter")
		s.pass(5 * time.Second)
		s.lacks("A new session:")
		if found, err := s.service.SessionNamed(t.Context(), "plans"); err != nil || found.Turns != 1 {
			t.Errorf("the session is %+v, %v", found, err)
		}
		s.press("ctrl+n")
		s.shows("new session")
	})
}

// TestWhatIsAskedForOnTheCommandLineIsStronger opens a session with another model and system prompt than it keeps.
func TestWhatIsAskedForOnTheCommandLineIsStronger(t *testing.T) {
	run(t, func(t *testing.T) {
		var kept service.Options
		s := open(t, 120, 40, withAnswers(saysYes), func(_ *ui.Options, o *service.Options) { kept = *o })
		s.typed("first")
		s.press("enter")
		s.pass(5 * time.Second)
		if err := s.service.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		again := open(t, 120, 40, withAnswers(saysYes), func(u *ui.Options, o *service.Options) {
			o.History.Open, o.Pictures, o.DraftFolder = kept.History.Open, kept.Pictures, kept.DraftFolder
			u.Start.Session.Last = true
			u.Start.Given = history.Setup{Models: []string{"zeta"}, System: "Be brief.",
				Params: history.Params{"temperature": 0.25}}
		})
		again.shows("first", "→ ● zeta", "Be brief.", "temperature 0.25")
	})
}

// TestThePreviewNumbersTheShownBranch edits the second of two prompts and looks at the session in the list.
func TestThePreviewNumbersTheShownBranch(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "first", "second")
		s.press("alt+2", "e")
		s.typed("!")
		s.press("enter")
		s.pass(5 * time.Second)
		s.press("ctrl+s")
		s.pass(time.Second)
		s.shows("3 turns of all branches", "second!", "turn 2", "turn 1")
		s.lacks("turn 3")
	})
}

// TestACutAnswerOfAPreviewEndsInText looks at a session whose answer is cut behind a paragraph, at several heights.
func TestACutAnswerOfAPreviewEndsInText(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, func(api.Request) (api.Response, time.Duration, error) {
			return api.Response{Text: strings.Repeat("one paragraph\n\n", 40), Status: 200}, time.Second, nil
		}, "first")
		s.press("ctrl+s")
		for height := 30; height < 40; height++ {
			s.resize(120, height)
			s.pass(time.Second)
			s.shows("one paragraph …")
		}
	})
}
