package ui_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/ui"
)

// TestTheSystemPromptIsWrittenInItsEditor has enter use the text, and esc keep it for later, also after a restart.
func TestTheSystemPromptIsWrittenInItsEditor(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		run(t, func(t *testing.T) {
			var kept service.Options
			s := open(t, size[0], size[1], func(_ *ui.Options, o *service.Options) { kept = *o })
			s.press("ctrl+t")
			s.shows("┏━ System prompt", "enter use", "ctrl+s save", "ctrl+t personas")
			s.typed("Be")
			s.press("ctrl+j")
			s.typed("brief.")
			s.shows("┃ Be ", "┃ brief.", "Not in use yet")
			s.press("enter", "ctrl+t")
			s.shows("┃ Be ", "┃ brief.", "Sent before each prompt of this new session")
			s.typed(" Rhyme.")
			s.press("esc")
			s.shows("Saved as a draft, not in use: ctrl+t opens it again.")
			s.lacks("Rhyme")
			s.press("ctrl+t")
			s.shows("brief. Rhyme.", "Draft, not in use")
			s.press("ctrl+_")
			s.lacks("Rhyme")
			s.shows("┃ brief.", "Sent before each prompt of this new session")
			s.press("esc", "ctrl+t")
			s.lacks("Draft")
			s.typed(" Sing.")
			s.press("esc")
			s.pass(2 * time.Second)
			if d, err := s.service.Draft(t.Context(), 0); err != nil || d.System != "Be\nbrief." ||
				d.NewSystem != "Be\nbrief. Sing." {
				t.Errorf("the draft is %+v, %v", d, err)
			}
			s.service.LeaveDraft()
			if err := s.service.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			s = open(t, size[0], size[1], func(_ *ui.Options, o *service.Options) {
				o.History.Open, o.DraftFolder = kept.History.Open, kept.DraftFolder
			})
			s.press("ctrl+t")
			s.shows("brief. Sing.", "Draft, not in use")
			s.press("enter", "ctrl+t")
			s.shows("brief. Sing.", "Sent before each prompt of this new session")
		})
	}
}

// TestASystemPromptBelongsToItsSession does not show the draft of one session in another.
func TestASystemPromptBelongsToItsSession(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("ctrl+t")
		s.typed("Be brief.")
		s.press("esc", "ctrl+n", "ctrl+t")
		s.lacks("Be brief.")
		s.press("esc", "ctrl+s", "enter")
		s.shows("About tides")
		s.press("ctrl+t")
		s.shows("Be brief.", "Draft")
	})
}

// TestAPersonaCarriesModelsAndParameters keeps the marked models and the parameters with a system prompt, and brings
// them back with it.
func TestAPersonaCarriesModelsAndParameters(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 80, 24)
		personas := func() []history.Persona {
			t.Helper()
			all, err := s.service.Personas(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			for i := range all {
				all[i].Updated = time.Time{}
			}
			return all
		}
		s.press("ctrl+l", "home", "down", "space", "alt+4", "alt+p")
		s.typed("0.2")
		s.press("enter", "ctrl+t")
		s.typed("Judge it.")
		s.press("ctrl+s")
		s.shows("alpha3.1-8b, oss-120b", "temperature 0.2")
		s.press("enter")
		s.shows("Must not be empty.")
		s.typed("Critic")
		s.press("down", "right", "enter")
		s.shows("Saved persona “Critic”.")
		all := personas()
		if len(all) != 1 || all[0].Text != "Judge it." ||
			!slices.Equal(all[0].Models, []string{"alpha3.1-8b", "oss-120b"}) ||
			all[0].Params["temperature"] != json.Number("0.2") {
			t.Fatalf("kept %+v", all)
		}

		s.press("esc", "ctrl+l", "alt+0", "home", "enter")
		s.press("alt+4", "alt+p", "backspace", "backspace", "backspace", "enter")
		s.lacks("2 models", "temperature")
		s.press("ctrl+t", "ctrl+t", "enter")
		s.shows("Critic: system prompt, 2 models, temperature 0.2", "system: Critic", "2 models ━")

		s.press("ctrl+l", "home", "enter", "alt+4", "ctrl+t") // a changed one replaces it
		s.typed(" Now.")
		s.press("ctrl+s")
		s.typed("critic")
		s.shows("replaces the persona of this name")
		s.press("enter")
		if all := personas(); len(all) != 1 || all[0].Name != "critic" || all[0].Models != nil ||
			all[0].Text != "Judge it. Now." {
			t.Errorf("kept %+v", all)
		}
	})
}
