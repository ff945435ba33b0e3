package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"confab/internal/chat"
	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// withWriters makes models think for a second and then write a long text for as many seconds as it has parts, counting
// tokens; the service takes messages and parameters, and gamma-4.7 looks at pictures.
func withWriters(o *ui.Options, so *service.Options) {
	so.Backend.Extensions = func(slug string) api.Extensions {
		return api.Extensions{Streams: true, TakesMessages: true, TakesParams: slug != "phi-2", CountsTokens: true,
			TakesImages: slug == "gamma-4.7"}
	}
	so.Backend.Price = func(string, string) (service.Price, bool) {
		return service.Price{Input: 1, Output: 5, Currency: "USD"}, true
	}
}

func parts(api.Request) []api.Progress {
	all := []api.Progress{{Reasoning: "First I weigh it. "}, {Reasoning: "Then I measure."}}
	for i := range 20 {
		all = append(all, api.Progress{Text: fmt.Sprintf("**Paragraph %d** says what it says in some words.\n\n", i+1)})
	}
	return append(all, api.Progress{Text: "```go\nfunc merge(a, b Book) Book {\n"},
		api.Progress{Text: "\treturn a.union("})
}

func wholeText(r api.Request) (api.Response, time.Duration, error) {
	var text, reasoning string
	for _, p := range parts(r) {
		text, reasoning = text+p.Text, reasoning+p.Reasoning
	}
	return api.Response{Text: text, Reasoning: reasoning, Status: 200, Finish: "length",
		Usage: chat.Usage{InputTokens: 1204, OutputTokens: 356, ReasoningTokens: 12}}, time.Second, nil
}

func whileWritten(t *testing.T, w, h int, models ...string) *screen {
	t.Helper()
	s := open(t, w, h, withWriters, sideBySide(models...))
	s.client.say, s.client.parts = wholeText, parts
	s.typed("Explain a CRDT to a baker.")
	s.press("enter")
	return s
}

// TestScreensWhileWritten holds what an answer looks like in the middle of a block of code and at its end, cut.
func TestScreensWhileWritten(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		for at, after := range map[string]time.Duration{"thinking": 2, "middle": 24, "end": 40} {
			t.Run(fmt.Sprintf("%s %dx%d", at, size[0], size[1]), func(t *testing.T) {
				run(t, func(t *testing.T) {
					s := whileWritten(t, size[0], size[1], "alpha3.1-8b")
					s.pass(after*time.Second + 500*time.Millisecond)
					golden.RequireEqual(t, s.text())
				})
			})
		}
		t.Run(fmt.Sprintf("four %dx%d", size[0], size[1]), func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := whileWritten(t, size[0], size[1], four...)
				s.pass(24*time.Second + 500*time.Millisecond)
				golden.RequireEqual(t, s.text())
			})
		})
	}
}

// A stopped answer keeps what came; it can be continued and asked for again, and thoughts can be read.
func TestAStoppedAnswerKeepsWhatCame(t *testing.T) {
	run(t, func(t *testing.T) {
		s := whileWritten(t, 100, 30, "alpha3.1-8b")
		s.pass(6 * time.Second)
		s.press("esc", "alt+2")
		s.shows("stopped after", "Paragraph 3", ". continue", "r again")
		s.press("f")
		s.shows("▾ thought", "Then I measure.")
		s.press("f", ".")
		s.pass(2 * time.Minute)
		asked := s.client.requests()
		last := asked[len(asked)-1]
		if n := len(last.Messages); n != 2 || !strings.Contains(last.Messages[1].Content, "Paragraph 3") {
			t.Errorf("the rest is asked for with %v", last.Messages)
		}
		s.shows("cut at the limit of tokens")
	})
}

// Parameters are set in a form, shown, sent and said to be ignored once.
func TestParametersOfATurn(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withWriters, sideBySide("alpha3.1-8b", "phi-2"))
		s.press("alt+p")
		s.shows("Parameters of text models", "temperature", "reasoning_effort")
		s.typed("0.2")
		s.press("enter")
		s.shows("temperature 0.2")
		s.typed("tides")
		s.press("enter")
		s.shows("phi-2 takes no parameters here: temperature not sent")
		for _, r := range s.client.requests() {
			if got := fmt.Sprint(r.Params["temperature"]); (got == "0.2") != (r.Model.Slug == "alpha3.1-8b") {
				t.Errorf("%s got the temperature %s", r.Model.Slug, got)
			}
		}
	})
}

// The prompt says how many turns go with it, and the exact messages are shown before they are sent.
func TestMemoryIsSaidAndShown(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withWriters, sideBySide("delta"))
		s.typed("tides")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("remembers 1 turn, ", " tokens")
		s.press("alt+c")
		s.shows("memory off", "Memory off")
		s.lacks("remembers")
		s.press("alt+c")
		s.typed("and moons")
		s.press("alt+i")
		s.shows("## user", "tides", "## assistant", "A *short* answer of **delta**")
		s.press("esc", "enter")
		s.pass(time.Second)
		s.shows("◐ delta", "remembers up to 2 turns") // the next prompt waits for the one that is being answered
		s.press("esc")
		s.shows("stopped", "remembers 1 turn,") // nothing came of it
		s.typed("and stars")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("remembers 2 turns,")
		s.press("ctrl+n")
		s.lacks("remembers")
	})
}

// A pasted path of a picture goes along with the prompt to a model that looks at pictures, and is text for others.
func TestAPastedPictureGoesAlong(t *testing.T) {
	run(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "moon.png")
		if err := os.WriteFile(path, testPicture(), 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, 120, 40, withWriters, sideBySide("gamma-4.7"))
		s.pass(time.Second)
		s.program.Send(tea.PasteMsg{Content: "'" + path + "'"})
		s.pass(time.Second)
		s.shows("with the picture moon.png")
		s.lacks(path)
		s.typed("What is it?")
		s.press("enter")
		s.pass(3 * time.Second)
		if asked := s.client.requests(); len(asked) != 1 || len(asked[0].Images) != 1 {
			t.Errorf("the picture did not go along: %d requests", len(asked))
		}
		s.lacks("with the picture")
		s.program.Send(tea.PasteMsg{Content: "/no/such.png"})
		s.pass(time.Second)
		s.shows("/no/such.png")
	})
}

// What of a conversation did not go along is said once when it is sent, and stays with the answer for who inspects it.
func TestTurnsThatAreLeftOutAreSaid(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, sideBySide("delta"), func(_ *ui.Options, o *service.Options) {
			o.Backend.Extensions = func(string) api.Extensions {
				return api.Extensions{TakesMessages: true, ContextTokens: 80}
			}
		})
		const notice = "The conversation is too long"
		for i, prompt := range []string{"tides", "moons", "stars", "more"} {
			s.typed(prompt)
			s.press("enter")
			if i == 2 { // with the first turn out, and only the second one fits
				s.shows(notice)
			} else {
				s.lacks(notice)
			}
			s.pass(15 * time.Second)
		}
		s.press("alt+2", "i")
		s.shows("Request and response", "without 2 earlier turns, because the conversation is too long")
	})
}

// TestWhatIsSentHasTheSystemPrompt looks at a prompt before it is sent.
func TestWhatIsSentHasTheSystemPrompt(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withAnswers(saysYes))
		s.press("ctrl+t")
		s.typed("Be brief.")
		s.press("enter", "alt+i")
		s.shows("Write a prompt first.")
		s.typed("hello")
		s.press("alt+i")
		s.shows("Sent to alpha3.1-8b", "## system", "Be brief.", "## user", "hello")
	})
}

// TestTabPassesWhatIsNotOnTheScreen goes from the models to the prompt, not to a system prompt that nobody sees.
func TestTabPassesWhatIsNotOnTheScreen(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, withAnswers(saysYes))
		s.press("alt+1", "tab")
		s.typed("tides")
		s.shows("┃ tides", "system: none")
	})
}
