package screen

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
)

// doubleClickTime is the longest time between the clicks of a double click.
const doubleClickTime = 400 * time.Millisecond

// Mouse tracks dragging and double clicks.
type Mouse struct {
	IsOn       bool // the mouse is confab's, not the terminal's
	isDragging bool // a button is held, in the focused pane
	clickedAt  image.Point
	clicked    time.Time // when the left button was pressed last
}

// Toggle gives the mouse to the terminal, or takes it back.
func (m *Mouse) Toggle() action.Action {
	m.IsOn = !m.IsOn
	text := "The mouse belongs to the terminal: select and copy as usual."
	if m.IsOn {
		text = "The mouse belongs to confab: scroll and click."
	}
	return action.Notify{Severity: action.Info, Text: text}
}

// IsDouble reports whether a message is the second click of a double click.
func (m *Mouse) IsDouble(msg tea.MouseMsg, now time.Time) bool {
	c, ok := msg.(tea.MouseClickMsg)
	if !ok || c.Button != tea.MouseLeft {
		return false
	}
	at, before := image.Pt(c.X, c.Y), m.clicked
	if m.clickedAt == at && now.Sub(before) < doubleClickTime {
		m.clicked = time.Time{}
		return true
	}
	m.clickedAt, m.clicked = at, now
	return false
}

// Region returns the pane under the pointer, or the one in which dragging began. The side pane takes only the wheel.
func (m *Mouse) Region(f Frame, msg tea.MouseMsg, isDouble bool) (r Region, ok bool) {
	_, isClick := msg.(tea.MouseClickMsg)
	_, isRelease := msg.(tea.MouseReleaseMsg)
	_, isWheel := msg.(tea.MouseWheelMsg)
	if m.isDragging && !isClick && !isWheel {
		m.isDragging = !isRelease
		return f.Focused, true
	}
	m.isDragging = false
	for _, r := range f.Regions {
		if image.Pt(msg.Mouse().X, msg.Mouse().Y).In(r.Rect) && (!r.IsSide || isWheel) {
			m.isDragging = isClick && !(isDouble && r.Pane.State().DoubleClick != nil)
			return r, true
		}
	}
	return Region{}, false
}

// DialogMouse passes a message of the mouse to the dialog.
func (f Frame) DialogMouse(msg tea.MouseMsg, isDouble bool) (action.Action, tea.Cmd) {
	top, corner := f.top()
	return giveMouse(top, corner, msg, isDouble)
}
