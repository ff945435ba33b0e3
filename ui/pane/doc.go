// Package pane holds the panes of the main screen: the model list, the
// conversation, the system prompt and the prompt. A pane is a struct with
// methods, not a program: it is told its size, its styles, its focus and its
// data by setters, returns an action when it wants something done, and draws
// exactly the cells it was given. It knows neither its border nor its
// neighbours nor its place, and it never changes state while drawing.
package pane

import (
	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
)

// Pane is what the root needs of every pane.
type Pane interface {
	SetSize(w, h int)
	SetStyles(s *themes.Styles)
	SetFocused(focused bool) tea.Cmd
	Update(msg tea.Msg) (action.Action, tea.Cmd)
	// Perform carries out an effect of the pane's scope, as its key would.
	Perform(effect keys.Effect) (action.Action, tea.Cmd)
	// View returns exactly as many lines as the pane is high, each exactly as
	// wide as the pane.
	View() []string
	// Cursor returns the place of the real cursor, relative to the pane.
	Cursor() *tea.Cursor
	Scope() keys.Scope
	// Hints returns the keys worth showing now.
	Hints() []keys.Hint
}
