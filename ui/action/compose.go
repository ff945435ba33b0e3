package action

import (
	tea "charm.land/bubbletea/v2"

	"confab/history"
)

// What sending and the detection of pastes ask of the root.
type (
	// DraftChanged says that the texts or settings of the next turn changed: they are saved soon, and the prompt may
	// need another height.
	DraftChanged struct{}
	// TurnSent shows a turn that was recorded and is on its way, and follows its events. Joins means that its session
	// was made for it and is the open one now; OfMatrix that other turns of the same prompt follow.
	TurnSent struct {
		Turn            history.Turn
		Events          <-chan history.Event
		Joins, OfMatrix bool
	}
	// RouteKey handles a key that was held back.
	RouteKey struct{ Key tea.KeyPressMsg }
)

func (DraftChanged) action() {}
func (TurnSent) action()     {}
func (RouteKey) action()     {}
