package keys

import (
	"image"

	tea "charm.land/bubbletea/v2"
)

// wheelLines is how many lines a notch of the wheel is.
const wheelLines = 3

// Lines returns how many lines down a command moves in a window of room lines;
// ok is false for a command that does not move. Pages share overlap lines. all is
// how many lines there are, for the commands that go to the ends; where it is 0
// these are left to the caller.
func (e Command) Lines(room, overlap, all int) (down int, ok bool) {
	switch e {
	case Down:
		return 1, true
	case Up:
		return -1, true
	case PageDown:
		return max(room-overlap, 1), true
	case PageUp:
		return -max(room-overlap, 1), true
	case HalfDown:
		return max(room/2, 1), true
	case HalfUp:
		return -max(room/2, 1), true
	case Top:
		return -all, all > 0
	case Bottom:
		return all, all > 0
	}
	return 0, false
}

// Wheel returns how many lines down a turn of the wheel moves, 0 when it is
// turned sideways.
func Wheel(msg tea.MouseWheelMsg) int {
	switch msg.Button {
	case tea.MouseWheelDown:
		return wheelLines
	case tea.MouseWheelUp:
		return -wheelLines
	}
	return 0
}

// RelativeTo returns the mouse message with coordinates relative to a corner.
func RelativeTo(msg tea.MouseMsg, corner image.Point) tea.Msg {
	mouse := msg.Mouse()
	mouse.X -= corner.X
	mouse.Y -= corner.Y
	switch msg.(type) {
	case tea.MouseClickMsg:
		return tea.MouseClickMsg(mouse)
	case tea.MouseReleaseMsg:
		return tea.MouseReleaseMsg(mouse)
	case tea.MouseWheelMsg:
		return tea.MouseWheelMsg(mouse)
	}
	return tea.MouseMotionMsg(mouse)
}
