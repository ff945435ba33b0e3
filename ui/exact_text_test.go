package ui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/part"
)

// What is pasted is what is sent and stored, what comes back is the same, and so it is of a system prompt. The line
// ends of a paste alone are the terminal's: it sends carriage returns for them.
func TestWhatIsTypedIsSentAndStoredExactly(t *testing.T) {
	const prompt = "func f() {\n\tif x {\n\t\treturn\u00a0\x00\u2008 // \ttab\n\t}\n}"
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.program.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
		s.press("alt+3")
		s.program.Send(tea.PasteMsg{Content: "\tbe brief\r\n\tbe kind"})
		s.settle()
		s.press("alt+4")
		pasted := strings.Replace(strings.Replace(prompt, "\n", "\r", 1), "\n", "\r\n", 1)
		s.program.Send(tea.PasteMsg{Content: pasted})
		s.pass(2 * time.Second)
		d, err := s.service.Draft(t.Context(), 0)
		if err != nil || d.Text != prompt || d.System != "\tbe brief\n\tbe kind" {
			t.Errorf("the draft is %q, %q, %v", d.Text, d.System, err)
		}
		s.press("alt+c", "enter")
		s.pass(3 * time.Second)
		s.press("up", "enter")
		s.pass(3 * time.Second)
		for i, r := range s.client.requests() {
			if r.Prompt != prompt || r.System != "\tbe brief\n\tbe kind" {
				t.Errorf("request %d is %q, %q", i, r.Prompt, r.System)
			}
		}
		turns, err := s.service.Turns(t.Context(), 1, history.Page{})
		if err != nil || len(turns) != 2 || turns[1].Prompt != prompt {
			t.Errorf("stored: %+v, %v", turns, err)
		}
	})
}

// A file that an editor writes keeps its line ends.
func TestTheTextOfAnEditorStaysAsItIs(t *testing.T) {
	const text = "one\r\n\ttwo\rthree"
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.program.Send(part.Do(action.SetText{Pane: action.PanePrompt, Text: text}))
		s.settle()
		s.shows("one␍")
		s.press("enter")
		s.pass(3 * time.Second)
		if asked := s.client.requests(); len(asked) != 1 || asked[0].Prompt != text {
			t.Errorf("asked %+v", asked)
		}
	})
}
