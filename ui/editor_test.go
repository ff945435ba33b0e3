package ui_test

import (
	"testing"

	"confab/ui/action"
	"confab/ui/part"
)

// What an editor in a window saves takes the place of the text that it got, and of no other.
func TestWhatAnEditorSavesIsTaken(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		saves := func(text string) {
			s.program.Send(part.ActionMsg{Action: action.TakeEdited{Pane: action.PanePrompt, Text: text,
				File: "/kept/prompt.md"}})
			s.settle()
		}
		s.typed("a thought")
		s.press("ctrl+o")
		saves("a thought with an end")
		s.shows("┃ a thought with an end", "Text from the editor inserted")
		saves("a thought with another end")
		s.shows("┃ a thought with another end")
		s.typed(" of mine")
		saves("something else")
		s.shows("┃ a thought with another end of mine", "You changed the text here meanwhile", "/kept/prompt.md")
	})
}
