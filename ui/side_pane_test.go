package ui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"confab/service"
	"confab/ui"
	"confab/ui/graphics"
)

// On a very wide screen what belongs to the focused answer stands beside it.
func TestBesideTheConversation(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 240, 40, withAnswers(answerMixed), func(o *ui.Options, _ *service.Options) {
			o.Start.Marked = []string{"alpha3.1-8b", "phi-2"}
		})
		s.lacks("stands here")
		s.typed("Explain a CRDT to a baker.")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+2")
		s.shows("About  alpha3.1-8b") // the other answer is on the screen already
		if n := strings.Count(s.text(), "refused the key"); n != 1 {
			t.Errorf("what the other model said is seen %d times, want it in the conversation alone", n)
		}
		s.resize(240, 21)
		s.press("g")
		s.shows("Another answer  phi-2", "2 of 2  v compare")
		if n := strings.Count(s.text(), "refused the key"); n != 1 {
			t.Errorf("what the other model said is seen %d times, want it beside the conversation alone", n)
		}
		golden.RequireEqual(t, s.text())
		s.press("alt+z")
		s.lacks("Another answer")
		s.press("alt+z")
		s.resize(170, 21)
		s.lacks("Another answer")
		s.resize(200, 21)
		s.press("g")
		s.shows("Another answer  phi-2")
		for _, line := range strings.Split(s.text(), "\n") {
			if strings.Contains(line, "refused the key") && len(strings.Fields(line)) < 10 {
				t.Errorf("the text is cut: %s", line)
			}
		}
	})
	run(t, func(t *testing.T) {
		s := open(t, 240, 40, withAnswers(answerMixed))
		for _, prompt := range []string{"the first prompt", "the second one"} {
			s.typed(prompt)
			s.press("enter")
			s.pass(3 * time.Second)
		}
		s.press("alt+2")
		s.shows("Earlier answer  alpha3.1-8b", "─ the first prompt ─")
		s.press("[")
		s.shows("About  alpha3.1-8b", "time             0.9 s", "system           no system prompt")
	})
}

func TestAPictureStandsLargeBesideTheConversation(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 240, 40, drawsBy(graphics.Sixel))
		s.typed("sea")
		s.press("enter")
		s.pass(7 * time.Second)
		s.press("alt+2")
		s.pass(time.Second)
		s.shows("Picture  sim-image")
		s.mu.Lock()
		defer s.mu.Unlock()
		widths := map[string]bool{}
		for _, f := range sixelSize.FindAllStringSubmatch(s.raw.String(), -1) {
			widths[f[1]] = true
		}
		if n := strings.Count(s.raw.String(), "\x1bP0;1"); n > 8 {
			t.Errorf("%d paintings of two boxes that rest", n)
		}
		if len(widths) != 2 {
			t.Errorf("painted with %v px, want one size in the conversation and a larger one beside it", widths)
		}
	})
	// A picture of kitty's has one box at a time.
	run(t, func(t *testing.T) {
		s := open(t, 240, 40, drawsBy(graphics.Auto))
		s.answersAsKitty()
		s.typed("sea")
		s.press("enter")
		s.pass(7 * time.Second)
		s.press("alt+2")
		s.lacks("Picture  sim-image")
		if n := s.pictures(); n != 1 {
			t.Errorf("the picture was sent %d times", n)
		}
	})
}
