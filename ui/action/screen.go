package action

import (
	tea "charm.land/bubbletea/v2"

	"confab/ui/keys"
)

// Pane names a pane of the main screen.
type Pane int

// The panes are named in the order in which tab visits them.
const (
	PaneModels Pane = iota
	PaneConversation
	PaneSystem
	PanePrompt
)

// What is asked of the screen as a whole: the focus, what it shows, settings.
type (
	// Focus moves the focus.
	Focus struct{ Pane Pane }
	// RunCommand does a command of the key map, as if its key was pressed.
	RunCommand struct {
		Scope   keys.Scope
		Command keys.Command
	}
	// NoteCommand tells that a command was chosen in the palette.
	NoteCommand struct{ Command string }
	// Route handles a message that was held back until the first session is shown.
	Route struct{ Msg tea.Msg }
	// RouteKey handles a key that was held back.
	RouteKey struct{ Key tea.KeyPressMsg }
	// Relayout gives every pane its size anew: the prompt may need another height.
	Relayout struct{}
	// ShowTable opens the table of a turn and the turns beside it.
	ShowTable struct{ Turn int64 }
	// FocusTable shows the table that is open in place of the panes.
	FocusTable struct{}
	// ShowComparison shows the comparison.
	ShowComparison struct{}
	// ShowNewest shows the newest turn of a session that was just opened, side by side where turns open so.
	ShowNewest struct{}
	// ShowConversation shows the panes, with the conversation.
	ShowConversation struct{}
	// LeaveComparison goes back to what the comparison was opened from; in the conversation, to the focused answer.
	LeaveComparison struct{}
	// SetTheme applies a theme. With Save the choice is stored for later screens.
	SetTheme struct {
		Name string
		Save bool
	}
	// SaveSetting stores a choice for later screens.
	SaveSetting struct{ Name, Value string }
	// ApplySettings applies the choices of earlier screens; each may be empty.
	ApplySettings struct{ Theme, Models, Layouts, Commands string }
	// Quit ends the screen; what it would lose was asked about. Err tells why it ends by itself, nil where it was left.
	Quit struct{ Err error }
	// Reread reads the open lists, the table of the run and the counts of the session again, after a change of what is
	// stored.
	Reread struct{}
)
