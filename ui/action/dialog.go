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
	// Scope returns the scope of the key map in which its keys are looked up first.
	Scope() keys.Scope
	// SetSize sets the size of the whole screen in cells.
	SetSize(w, h int)
	SetStyles(s *themes.Styles)
	// Update handles keys, pastes, the mouse (relative to the top left of the view) and the results of the dialog's
	// work.
	Update(msg tea.Msg) (Action, tea.Cmd)
	// View returns the box, or the boxes side by side, never larger than the screen; all lines are equally wide.
	View() string
	// Cursor returns the position of the real cursor relative to the view, or nil.
	Cursor() *tea.Cursor
	// Hints returns the keys that do something now, the most useful first: those that each border of the view shows,
	// and those that the borders have no room for, which the footer of the screen shows.
	Hints() (borders [][]keys.Hint, footer []keys.Hint)
}
