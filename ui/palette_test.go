package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service"
	"confab/ui"
	"confab/ui/browse"
)

func TestThePaletteNamesEachCommandOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, item := range browse.PaletteItems(ui.Keys()) {
		if seen[item.Key] || seen[item.Title] || item.Detail == "" {
			t.Errorf("%s is there twice, or is no command: %+v", item.Title, item)
		}
		seen[item.Key], seen[item.Title] = true, true
	}
	if n := len(seen) / 2; n < 35 || n > 64 {
		t.Errorf("%d commands", n)
	}
}

func TestThePaletteLeavesOutWhatDoesNothingNow(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 60)
		s.press("ctrl+p")
		s.shows("New session", "Choose models", "Themes", "Edit a picture", "Insert a variable")
		s.lacks("Copy the answer", "Blind vote", "Stop all answers", "Undo", "Save again")
		s.press("esc")
		s.typed("tides")
		s.press("enter")
		s.program.Send(keyPress("ctrl+p"))
		s.settle()
		s.shows("Stop all answers")
		s.press("esc")
		s.pass(3 * time.Second)
		s.press("ctrl+p")
		s.shows("Copy the answer", "Request and response")
		s.lacks("Blind vote", "Stop all answers", "Show the picture large")
	})
}

func TestThePalettePutsAVariableIntoThePrompt(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("Say something on ")
		s.press("ctrl+p")
		s.typed("variable")
		s.press("enter")
		s.shows("┃ Say something on {{topic}}", "You will be asked for {{topic}}")
		s.typed(" to a child")
		s.press("alt+k")
		s.shows("on {{topic}} to a child {{topic}}") // not glued to a word
		s.press("enter")
		s.shows("Values of the variables", "a | b makes a prompt for each")
	})
}

func TestThePaletteShowsRecentCommandsFirst(t *testing.T) {
	run(t, func(t *testing.T) {
		var store func(context.Context) (history.Store, error)
		s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) { store = o.History.Open })
		for _, name := range []string{"redraw", "mouse for"} {
			s.press("ctrl+p")
			s.typed(name)
			s.press("enter")
		}
		s.press("ctrl+p")
		order := func(s *screen) {
			text := s.text()
			mouse, redraw := strings.Index(text, "Mouse for confab"), strings.Index(text, "Redraw the screen")
			if first := strings.Index(text, "New session"); mouse < 0 || redraw < mouse || first < redraw {
				t.Errorf("not the newest first:\n%s", text)
			}
			s.shows("RECENT")
		}
		order(s)
		s.press("esc", "ctrl+q")
		s = open(t, 120, 40, func(_ *ui.Options, o *service.Options) { o.History.Open = store })
		s.press("ctrl+p")
		order(s)
	})
}
