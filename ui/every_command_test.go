package ui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/testflags"
	"confab/service"
	"confab/service/api"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/keys"
)

// What is chosen in the list of commands may find nothing to act on, but it
// must not end the program.
func TestEveryCommandCanBeChosenAnywhere(t *testing.T) {
	for name, prepare := range map[string]func(s *screen){
		"nothing sent": func(*screen) {},
		"comparing":    func(s *screen) { s.press("f7"); s.pass(3 * time.Second); s.press("alt+2", "v") },
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, 60, 20)
				prepare(s)
				for i, item := range browse.PaletteItems(ui.Keys()) {
					if !testflags.IsLong() && i%6 != 0 {
						continue
					}
					if e := item.Enter.(action.RunCommand); e.Command == keys.Quit || e.Command == keys.Suspend {
						continue
					}
					s.program.Send(keyPress("ctrl+p"))
					s.typed(item.Title)
					s.press("enter")
					select {
					case err := <-s.done:
						s.done <- err
						t.Fatalf("%q ended the program: %v", item.Title, err)
					default:
					}
					for range 3 {
						s.program.Send(keyPress("esc"))
					}
					s.settle()
				}
			})
		})
	}
}

func TestACommandOfTheComparisonOpensIt(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("f7")
		s.pass(3 * time.Second)
		s.press("ctrl+p")
		s.typed("Difference of two")
		s.press("enter")
		s.shows("same wording")
	})
}

func TestWhatWasSentIsNoDraft(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.typed("a thought")
		s.pass(2 * time.Second)
		if d, err := s.service.Draft(t.Context(), 0); err != nil || d.Text != "a thought" {
			t.Fatalf("the draft is %q, %v", d.Text, err)
		}
		s.press("enter")
		s.pass(4 * time.Second)
		if d, err := s.service.Draft(t.Context(), 0); err != nil || d.Text != "" {
			t.Errorf("after sending, the draft of the new session is %q, %v", d.Text, err)
		}
	})
}

func TestADraftOfANewSessionComesBackWithIt(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.press("f6")
		s.pass(3 * time.Second)
		s.press("ctrl+n")
		s.typed("half a thought")
		s.press("ctrl+n")
		s.shows("┃ half a thought")
		s.press("ctrl+s", "enter")
		s.shows("How does a black hole form?")
		s.lacks("half a thought")
		s.press("ctrl+n")
		s.shows("┃ half a thought")
	})
}

// The models of an opened session are those of its last turn, whatever was
// marked last elsewhere.
func TestAnOpenedSessionMarksItsOwnModels(t *testing.T) {
	run(t, func(t *testing.T) {
		var store func(context.Context) (history.Store, error)
		first := open(t, 100, 30, func(_ *ui.Options, o *service.Options) { store = o.History.Open })
		first.typed("hello")
		first.press("enter")
		first.pass(3 * time.Second)
		first.press("ctrl+n", "alt+1", "alt+a")
		first.press("ctrl+q")
		for range 8 { // what is read at start comes in any order
			s := open(t, 100, 30,
				func(u *ui.Options, o *service.Options) {
					u.Start.Marked, u.Start.Session.ID, o.History.Open = nil, 1, store
				})
			s.shows("Prompt → ● alpha3.1-8b ")
			s.press("ctrl+q")
		}
	})
}

func TestTheFooterShowsThePanesOwnKeysFirst(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.press("f6")
		s.pass(3 * time.Second)
		s.press("alt+2")
		s.shows(" esc prompt  e edit prompt  / find  w export  f1 help  ctrl+q quit")
		s.lacks("v compare") // there is one answer
		s.press("ctrl+n", "f7")
		s.pass(3 * time.Second)
		s.press("alt+2")
		s.shows("v compare")
		s.press("alt+1")
		s.shows("space mark · enter use it", "alt+a all text")
		s.typed("oss")
		s.shows("esc clear")
	})
}

// What is known of a model is not cut off, however long.
func TestAnOwnModelsTimeIsWhole(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40, func(u *ui.Options, o *service.Options) {
			c, err := o.Backend.Catalogue().With(api.Model{Slug: "a-model-of-my-own-with-a-long-name", Kind: api.Text})
			if err != nil {
				t.Fatal(err)
			}
			u.Start.Models = append(u.Start.Models,
				service.ModelInfo{Model: api.Model{Slug: "a-model-of-my-own-with-a-long-name", Kind: api.Text,
					IsCustom: true}})
			o.Backend.Catalogue = func() api.Catalogue { return c }
			u.Start.Marked = []string{"a-model-of-my-own-with-a-long-name"}
		})
		s.typed("hello")
		s.press("enter")
		s.pass(4 * time.Second)
		s.shows("…  own 2.0 s │")
	})
}

func TestASessionOfOneDayHasOneDate(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("f6")
		s.pass(3 * time.Second)
		s.press("ctrl+s")
		s.shows("1 turn · 1 answer · 1 Jan 2000")
	})
}

// A pasted file does not stand between a reader and the answer to it.
func TestALongPromptIsFolded(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 40, withAnswers(func(api.Request) (api.Response, time.Duration, error) {
			return api.Response{Text: "a short answer of it", Status: 200}, time.Second, nil
		}))
		var long strings.Builder
		for i := range 300 {
			fmt.Fprintf(&long, "line %d\n", i)
		}
		s.program.Send(tea.PasteMsg{Content: strings.TrimSpace(long.String())})
		s.settle()
		s.press("enter")
		s.pass(4 * time.Second)
		s.shows("line 11", "… 288 more lines   u shows them", "short answer of")
		s.lacks("line 12")
		s.press("alt+2", "u")
		s.press("g")
		s.shows("line 20")
		s.lacks("more lines")
		s.press("u")
		s.shows("… 288 more lines")
		s.press("/")
		s.typed("line 250")
		s.press("enter")
		s.press("n")
		s.lacks("more lines")
		s.press("esc", "G")
		s.shows("… 288 more lines", "short answer of")
	})
}

func TestAPersonaIsLookedAtAndNamed(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("alt+3")
		s.typed("You are a pirate.")
		s.press("ctrl+t", "ctrl+s")
		s.typed("pirate")
		s.press("enter", "esc")
		s.press("ctrl+t", "ctrl+t")
		s.shows("│ You are a pirate.")
		s.press("enter")
		s.shows("╰─ pirate ─", "pirate: system prompt")
		s.press("alt+3")
		s.typed(" Arr!")
		s.lacks("─ pirate ─")
	})
}

func TestAnExampleRunsWhateverHasTheFocus(t *testing.T) {
	for _, pane := range []string{"alt+1", "alt+2", "alt+3", "alt+4"} {
		run(t, func(t *testing.T) {
			s := open(t, 120, 40)
			s.press(pane, "f6")
			s.pass(3 * time.Second)
			s.shows("1 turn", "short answer of")
		})
		run(t, func(t *testing.T) {
			s := open(t, 120, 40, sideBySide("alpha3.1-8b"))
			s.press(pane, "f7")
			s.pass(3 * time.Second)
			s.shows("─ 2 ") // side by side, as everything that is sent from the prompt
		})
	}
}
