package ui

import (
	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/compare"
	"confab/ui/compose"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/runs"
)

// Pane is a rectangle of the main screen. It is a struct with methods, not a program: setters give it its size, styles,
// focus and data, it returns an action when it wants something done, and it draws exactly the cells it was given. It
// knows neither its border nor its neighbors nor its position, and never changes state while drawing.
type Pane interface {
	SetSize(w, h int)
	SetStyles(s *themes.Styles)
	SetFocused(focused bool) tea.Cmd
	Update(msg tea.Msg) (action.Action, tea.Cmd)
	// Perform handles an effect of the pane's scope, as its key would.
	Perform(effect keys.Effect) (action.Action, tea.Cmd)
	// View returns exactly as many lines as the pane is high, each exactly as wide as the pane.
	View() []string
	// Cursor returns the position of the terminal's cursor, relative to the pane.
	Cursor() *tea.Cursor
	Scope() keys.Scope
	// Hints returns the keys worth showing now.
	Hints() []keys.Hint
}

var _ = []Pane{(*compose.Models)(nil), (*conversation.Pane)(nil), (*compose.System)(nil), (*compose.Prompt)(nil),
	(*compare.Compare)(nil), (*runs.View)(nil)}
