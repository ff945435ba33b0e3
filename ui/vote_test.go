package ui_test

import (
	"strings"
	"testing"
	"time"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// TestABlindVoteOnPrompts sends two variants of a prompt to two models, and votes between prompts and between models.
func TestABlindVoteOnPrompts(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(o *ui.Options, _ *service.Options) {
			o.Start.Marked = []string{"alpha3.1-8b", "delta"}
		}, withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
			return api.Response{Text: strings.ToUpper(r.Prompt + " by " + r.Model.Slug), Status: 200}, time.Second, nil
		}))
		s.typed("Say low")
		s.press("alt+t")
		s.typed(" and slow")
		s.press("enter")
		s.pass(5 * time.Second)
		s.shows("2 prompts × 2 models")
		s.press("V")
		s.shows("What do you want to judge?", "[ prompt (2 pairs) ]", "model (2 pairs)")
		s.press("enter")
		s.shows("pair 1 of 2", "prompt against prompt", "SAY LOW AND SLOW BY")
		s.lacks("Say low", "this vote is not blind") // what is judged, and a name that gives nothing away
		s.press("e")
		s.pass(time.Second)
		s.press("e")
		s.pass(time.Second)
		s.shows("2 of 2 pairs", "as good as", "A Say low", "B …and slow", "50 %",
			"Few votes: under 10 each.")
		s.press("u")
		s.shows("pair 2 of 2")
		s.press("e")
		s.pass(time.Second)
		s.press("esc")
		s.shows("2 prompts × 2 models") // the table
		s.press("V", "right", "enter")
		s.shows("pair 1 of 2", "model against model", "Say low", "this vote is not blind")
		s.press("a", "esc", "esc", "W")
		s.pass(time.Second)
		s.shows("Votes on these answers", "Prompt against prompt", "Model against model",
			"Votes: you on 3 pairs (2 blind).")
		s.lacks("Votes in the whole history")
		s.press("esc", "a")
		s.pass(time.Second)
		s.shows("votes won", "0 of 2", "1 of 1") // on each axis those that count there
	})
}

// TestTheVoteHasAsManyPairsAsItsQuestionSays where a model gives the same answer to both prompts.
func TestTheVoteHasAsManyPairsAsItsQuestionSays(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(o *ui.Options, _ *service.Options) {
			o.Start.Marked = []string{"alpha3.1-8b", "delta"}
		}, withAnswers(func(r api.Request) (api.Response, time.Duration, error) {
			if r.Model.Slug == "delta" {
				return api.Response{Text: "Hum.", Status: 200}, time.Second, nil
			}
			return api.Response{Text: strings.ToUpper(r.Prompt), Status: 200}, time.Second, nil
		}))
		s.typed("Say low")
		s.press("alt+t")
		s.typed(" and slow")
		s.press("enter")
		s.pass(5 * time.Second)
		s.press("V")
		s.shows("What do you want to judge?", "[ prompt (1 pair) ]", "model (2 pairs)")
		s.press("enter")
		s.shows("pair 1 of 1", "prompt against prompt")
	})
}
