package ui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/service/api"
)

// TestEmojiOfTheTerminal shows emoji as the terminal draws them: as signs of one cell, once it tells of variation
// selectors with those, once it tells of clusters whole. What was drawn before is drawn anew.
func TestEmojiOfTheTerminal(t *testing.T) {
	const text = "A ❤\ufe0f B 🖥\ufe0f C 👍🏽 D"
	for _, tt := range []struct {
		name  string
		tells tea.Msg
		shows string
	}{
		{"nothing", tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeNotRecognized}, "A ❤ B 🖥 C 👍 D"},
		{"mode 2027", tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset}, text},
		{"new kitty", tea.TerminalVersionMsg{Name: "kitty(0.41.1)"}, text},
		{"old kitty", tea.TerminalVersionMsg{Name: "kitty(0.26.5)"}, "A ❤\ufe0f B 🖥\ufe0f C 👍 D"},
	} {
		run(t, func(t *testing.T) {
			s := open(t, 100, 30)
			s.client.say = func(api.Request) (api.Response, time.Duration, error) {
				return api.Response{Text: text, Status: 200}, time.Second, nil
			}
			s.typed("emoji")
			s.press("enter")
			s.pass(3 * time.Second)
			s.shows("A ❤ B 🖥 C 👍 D")
			s.program.Send(tt.tells)
			s.pass(time.Second)
			if view := s.term.String(); !strings.Contains(view, tt.shows) {
				t.Errorf("%s: %q is not on the screen\n%s", tt.name, tt.shows, view)
			}
		})
	}
}
