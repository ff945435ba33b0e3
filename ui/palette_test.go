package ui_test

import (
	"context"
	"slices"
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
	if n := len(seen) / 2; n < 35 || n > 70 {
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

// A key that works in another pane only is shown with the name of that pane.
func TestThePaletteShowsKeysThatWorkHere(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 60)
		s.press("ctrl+p")
		want := map[string]string{"Picture options": "alt+a", "Quit": "ctrl+q",
			"Mark all text models": "from the models    alt+a"}
		for title, key := range want {
			line := strings.Split(s.text(), "\n")[lineOf(s, title+" ")]
			if !strings.Contains(line, "  "+key+" ┃") {
				t.Errorf("%s has not the key %q: %s", title, key, line)
			}
		}
	})
}

func TestThePalettePutsAVariableIntoThePrompt(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("Say something on ")
		s.press("ctrl+p")
		s.typed("variable")
		s.press("enter")
		s.shows("┃ Say something on {{topic}}", "Sending asks for {{topic}}")
		s.typed(" to a child")
		s.press("alt+k")
		s.shows("on {{topic}} to a child {{topic}}") // not glued to a word
		s.press("enter")
		s.shows("Values of the variables", "a | b sends the prompt with each")
	})
}

// TestThePaletteFindsTheFirstWord types what newcomers look for, and looks at the first row.
func TestThePaletteFindsTheFirstWord(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("f7")
		s.pass(3 * time.Second)
		s.press("alt+v")
		for word, title := range map[string]string{"export": "Export the session",
			"export answer": "Export the answer", "server": "Find model servers",
			"winner": "Best answer", "best": "Best answer", "suite": "Run a suite",
			"save as": "Save as a suite", "theme": "Themes",
			"system": "System prompt", "values": "Insert a variable", "copy code": "Copy a code block",
			"quit": "Quit", "regenerate": "Ask again", "retry": "Ask again", "clear": "New session",
			"image":   "All pictures",
			"history": "Sessions", "settings": "Temperature", "upload": "Attach a file",
			"delete turn": "Delete the answer",
		} {
			s.press("ctrl+p")
			s.typed(word)
			lines := strings.Split(s.text(), "\n")
			if at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "┃ ▌ ") }); at < 0 ||
				!strings.Contains(lines[at], "┃ ▌ "+title) {
				t.Errorf("%q finds first\n%s", word, s.text())
			}
			s.press("esc")
		}
		s.press("ctrl+p")
		s.typed("save as a suite")
		s.press("enter")
		s.shows("Export to a file", "● turn", "● suite")
	})
}

// TestThePaletteSaysWhatIsMissing where a word is that of a command that does nothing now.
func TestThePaletteSaysWhatIsMissing(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.press("ctrl+p")
		s.typed("stop")
		s.shows("“Stop all answers” cannot be done now.")
		s.lacks("Paste", "System prompt")
		s.press("enter")
		s.shows("Nothing to choose in this list.")
	})
}

// TestThePaletteExportsTheSession opens the form at the session, and for the answer at the answer.
func TestThePaletteExportsTheSession(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("tides")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("ctrl+p")
		s.typed("export session")
		s.press("enter")
		s.shows("Export to a file", "● session")
		s.press("esc", "ctrl+p")
		s.typed("export answer")
		s.press("enter")
		s.shows("Export to a file", "● answer")
	})
}

func TestThePaletteShowsRecentCommandsFirst(t *testing.T) {
	run(t, func(t *testing.T) {
		var store func(context.Context) (history.Store, error)
		s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) { store = o.History.Open })
		for _, name := range []string{"redraw", "mouse to"} {
			s.press("ctrl+p")
			s.typed(name)
			s.press("enter")
		}
		s.press("ctrl+p")
		order := func(s *screen) {
			text := s.text()
			mouse, redraw := strings.Index(text, "Give the mouse"), strings.Index(text, "Redraw the screen")
			if first := strings.Index(text, "New session"); mouse < 0 || redraw < mouse || first < redraw {
				t.Errorf("not the newest first:\n%s", text)
			}
			s.shows("Recent")
		}
		order(s)
		s.press("esc", "ctrl+q")
		s = open(t, 120, 40, func(_ *ui.Options, o *service.Options) { o.History.Open = store })
		s.press("ctrl+p")
		order(s)
	})
}

// TestAFormOfThePaletteLeavesTheFocus opens a form that belongs to another pane, from the prompt.
func TestAFormOfThePaletteLeavesTheFocus(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.typed("hello")
		s.press("enter")
		s.pass(5 * time.Second)
		s.press("ctrl+p")
		s.typed("export session")
		s.press("enter")
		s.shows("Export to a file")
		s.press("esc")
		s.typed("a thought")
		s.shows("┃ a thought")
		s.press("ctrl+p")
		s.typed("find in the")
		s.press("enter")
		s.typed("short")
		s.shows("│ a thought", "find  short")
	})
}
