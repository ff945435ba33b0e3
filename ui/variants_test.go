package ui_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// asked records the prompts that a screen sends.
type asked struct {
	mu  sync.Mutex
	all []string
}

func (a *asked) say(r api.Request) (api.Response, time.Duration, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, r.System+"/"+r.Prompt)
	return saysYes(r)
}

func (a *asked) want(t *testing.T, prompts ...string) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	slices.Sort(a.all)
	if !slices.Equal(a.all, prompts) {
		t.Errorf("asked %q, want %q", a.all, prompts)
	}
}

// TestVariantsAreSentTogether writes three variants, one with a system prompt of its own, and sends them with two
// values of a variable: the table of all opens, and the conversation shows them as branches of one place.
func TestVariantsAreSentTogether(t *testing.T) {
	run(t, func(t *testing.T) {
		var sent asked
		s := chatting(t, sent.say, "first")
		s.press("alt+c") // without memory the prompts are short
		s.typed("greet {{who}}")
		s.lacks("[A]")
		s.press("alt+t")
		s.shows(" A [B]", "2 prompts × values of {{who}}")
		s.typed(" kindly")
		s.press("alt+3")
		s.typed("Be warm.")
		s.press("alt+4", "alt+t", "ctrl+u")
		s.shows(" A  B [C]", "Be warm.")
		s.typed("wave at {{who}}")
		s.press("alt+j")
		s.shows("[A] B  C", "┃ greet {{who}} ")
		s.lacks("Be warm.", "kindly")
		s.press("alt+j")
		s.shows("greet {{who}} kindly", "Be warm.")
		s.press("enter")
		s.typed("Ana | Ben")
		s.shows("3 prompts × 2 values = 6 calls")
		s.press("enter")
		s.pass(10 * time.Second)
		s.shows("greet {{who}}", "wave at {{who}}", "Ana", "Ben", "3 prompts × 2 values × 1 model", "* best")
		s.lacks("6 turns", "6 answers")
		s.press("*")
		s.shows("★")
		s.press("*")
		s.lacks("★")
		s.press("*", "j", "*") // one model: one answer of the table is the best
		s.pass(time.Second)
		if n := strings.Count(s.text(), "★ 2.0 s"); n != 1 {
			t.Errorf("%d answers are the best:\n%s", n, s.text())
		}
		s.press("esc")
		s.pass(time.Second)
		s.shows("‹ 2 of 6 ›", "★") // the row that was selected
		s.press("#")
		s.pass(time.Second)
		s.press("G", "esc")
		s.pass(time.Second)
		s.shows("wave at Ben", "‹ 6 of 6 ›", "who = Ben")
		s.press("v")
		s.shows("alpha3.1-8b · C · Ben")
		s.press("v")
		s.lacks("[A]", "greet {{who}}")
		sent.want(t, "/first", "/greet Ana", "/greet Ben", "Be warm./greet Ana kindly", "Be warm./greet Ben kindly",
			"Be warm./wave at Ana", "Be warm./wave at Ben")
	})
}

// TestAVariantIsRemoved removes variants: undo brings the newest back, and what was written is an earlier prompt.
func TestAVariantIsRemoved(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 80, 24)
		s.press("alt+x")
		s.shows("Only one variant; alt+t adds another.")
		s.typed("one")
		s.press("alt+t")
		s.typed(" two")
		s.press("alt+t")
		s.typed(" three")
		s.press("alt+q", "alt+x")
		s.shows("Variant B removed. ctrl+/ restores it.", " A [B]", "one two three")
		s.press("ctrl+/")
		s.shows(" A [B] C", "┃ one two ")
		s.lacks("Variant B is removed")
		s.press("ctrl+/", "ctrl+/")
		s.lacks("one two") // each variant has its own undoing
		s.press("alt+x", "alt+j", "x", "alt+x")
		s.lacks("[A]")
		s.shows("┃ one two three")
		s.press("up")
		s.shows("┃ onex")
		s.press("down")
		s.shows("┃ one two three")
	})
}

// TestVariantsAreADraft kills a screen with two variants, and goes on with them in the next one.
func TestVariantsAreADraft(t *testing.T) {
	run(t, func(t *testing.T) {
		var kept service.Options
		s := open(t, 120, 40, withAnswers(saysYes), func(_ *ui.Options, o *service.Options) { kept = *o })
		s.typed("first")
		s.press("enter")
		s.pass(5 * time.Second)
		s.typed("one")
		s.press("alt+t")
		s.typed(" two")
		s.press("alt+3")
		s.typed("Be brief.")
		s.press("alt+4", "alt+p")
		s.typed("0 | 1")
		s.press("enter")
		s.shows("2 prompts × 2 parameter sets = 4 calls", "temperature 0 | 1")
		s.pass(1500 * time.Millisecond)
		s.program.Kill()
		again := open(t, 120, 40, withAnswers(saysYes), func(_ *ui.Options, o *service.Options) {
			o.History.Open, o.Pictures, o.DraftFolder = kept.History.Open, kept.Pictures, kept.DraftFolder
		})
		again.press("alt+l")
		again.shows(" A [B]", "┃ one two", "Be brief.", "2 prompts × 2 parameter sets = 4 calls")
		again.press("alt+j")
		again.shows("[A] B", "┃ one ")
		again.lacks("Be brief.")
	})
}

// TestVariantsThatWaitOrAreRefusedComeBack takes back a batch that waits, kills another one, and sends one that the
// quota does not cover.
func TestVariantsThatWaitOrAreRefusedComeBack(t *testing.T) {
	run(t, func(t *testing.T) {
		var kept service.Options
		slowly := func(api.Request) (api.Response, time.Duration, error) {
			return api.Response{Text: "yes", Status: 200}, time.Minute, nil
		}
		s := open(t, 120, 40, withAnswers(slowly), func(_ *ui.Options, o *service.Options) { kept = *o })
		s.typed("first")
		s.press("enter")
		s.typed("one")
		s.press("alt+t")
		s.typed(" two")
		s.press("enter")
		s.shows("1 prompt queued", "│   one")
		s.press("up")
		s.shows("[A] B", "┃ one")
		s.lacks("1 prompt queued")
		s.press("enter")
		s.shows("1 prompt queued")
		s.typed("another")
		s.pass(1100 * time.Millisecond)
		s.program.Kill()
		again := open(t, 120, 40, withAnswers(saysYes), func(_ *ui.Options, o *service.Options) {
			o.History.Open, o.Pictures, o.DraftFolder = kept.History.Open, kept.Pictures, kept.DraftFolder
			o.Limits.Quota = answersLeft(1)
		})
		again.press("alt+l")
		again.shows("┃ another")
		again.press("up")
		again.shows("[A] B", "┃ one")
		again.press("down")
		again.shows("┃ another")
		again.lacks("[A]")
		again.press("up", "enter")
		again.pass(time.Second)
		again.shows("[A] B", "┃ one")
		again.press("alt+j")
		again.shows("┃ one two")
	})
}

// TestManyCallsOfVariantsAreAskedAbout says what makes the calls before they are made.
func TestManyCallsOfVariantsAreAskedAbout(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 60, 20, func(o *ui.Options, _ *service.Options) { o.Start.Marked = []string{"delta", "zeta"} })
		s.typed("say {{n}}")
		s.press("alt+t")
		s.typed("!")
		s.shows("2 prompts × values of {{n}} × 2 models")
		s.press("enter")
		s.typed("1|2|3|4|5|6")
		s.press("enter")
		s.shows("This makes 24 calls: 2 prompts × 6 values × 2 models.")
		s.wantRequests("before the yes", 0)
		s.press("esc")
		s.shows(" A [B]", "2 prompts × 6 values × 2 models = 24 calls")
		s.press("enter", "enter", "y")
		s.pass(5 * time.Second)
		s.wantRequests("after the yes", 24)
		turns, err := s.service.Turns(t.Context(), 1, history.Page{HasHidden: true})
		follows := func(t history.Turn) bool { return t.Parent != 0 }
		if err != nil || len(turns) != 12 || slices.ContainsFunc(turns, follows) {
			t.Errorf("recorded %d turns, %v", len(turns), err)
		}
	})
}
