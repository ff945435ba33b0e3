package ui_test

import (
	"errors"
	"testing"
	"time"
)

// An editor that ends at once, such as code without --wait, goes on in a window: what it saves there is taken.
func TestAnEditorThatEndsAtOnce(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		s.desktop.editor = func(text string) (string, string, error) { return text, "/kept/prompt.md", nil }
		s.desktop.saved.Store("a thought")
		s.typed("a thought")
		s.press("ctrl+o")
		s.pass(time.Second)
		s.shows("The editor ended at once", "┃ a thought")
		s.pass(5 * time.Second)
		s.desktop.saved.Store("a thought with an end\n")
		s.pass(2 * time.Second)
		s.shows("┃ a thought with an end", "Here is what the editor has saved")
		s.desktop.saved.Store("")
		s.pass(2 * time.Second)
		s.shows("┃ a thought with an end")
		s.typed(" of mine")
		s.desktop.saved.Store("something else")
		s.pass(2 * time.Second)
		s.shows("┃ a thought with an end of mine", "both stay", "/kept/prompt.md")
	})
}

func TestAnEditorThatFails(t *testing.T) {
	for _, c := range []struct{ became, shown, said string }{
		{"", "┃ a thought", "the text is as it was"},
		{"a thought, written\n", "┃ a thought, written", "what it had written is here"},
	} {
		run(t, func(t *testing.T) {
			s := open(t, 120, 40)
			s.desktop.editor = func(string) (string, string, error) { return c.became, "", errors.New("exit status 1") }
			s.typed("a thought")
			s.press("ctrl+o")
			s.pass(time.Second)
			s.shows(c.shown, c.said)
		})
	}
}
