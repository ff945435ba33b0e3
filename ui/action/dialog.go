package action

import (
	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui/keys"
)

// Dialog is one layer above the main screen.
type Dialog interface {
	// Name names the dialog, for tests and for telling which one is open.
	Name() string
	// Scope returns where its keys are looked up first.
	Scope() keys.Scope
	// SetSize tells the cells of the whole screen.
	SetSize(w, h int)
	SetStyles(s *themes.Styles)
	// Update takes keys, pastes, the mouse (relative to the top left of the
	// view) and the messages of this package.
	Update(msg tea.Msg) (Action, tea.Cmd)
	// View returns the box, or the boxes side by side, never larger than the
	// screen; all lines are equally wide.
	View() string
	// Cursor returns the place of the real cursor relative to the view, or nil.
	Cursor() *tea.Cursor
	// Hints returns the keys that do something now, the most useful first: those that the borders of the view show, and
	// those that these have no room for, which are for the footer of the screen.
	Hints() (border, footer []keys.Hint)
}
