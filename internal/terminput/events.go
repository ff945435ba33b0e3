package terminput

import (
	"strings"
	"unicode"

	uv "github.com/charmbracelet/ultraviolet"
)

// The sizes, in pixels, and the largest position, in cells, that a terminal is believed.
const (
	minCell, maxCell     = 4, 256
	minWindow, maxWindow = 64, 1 << 14
	maxPosition          = 1 << 12
)

// passes tells whether an event reaches the program. What nobody asks a terminal for, or what something else tells
// better, does not: the size of the window comes from the system, or from the SSH protocol, and is bounded there.
func passes(e uv.Event) bool {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		return !strings.ContainsFunc(e.Text, unicode.IsControl)
	case uv.KeyReleaseEvent, uv.FocusEvent, uv.BlurEvent:
		return true
	case uv.MouseEvent:
		m := e.Mouse()
		return m.X >= 0 && m.Y >= 0 && m.X < maxPosition && m.Y < maxPosition
	case uv.CellSizeEvent:
		return isWithin(e.Width, e.Height, minCell, maxCell)
	case uv.PixelSizeEvent:
		return isWithin(e.Width, e.Height, minWindow, maxWindow)
	case uv.KeyboardEnhancementsEvent:
		return true
	}
	return isAnswer(e)
}

func isWithin(w, h, least, most int) bool { return min(w, h) >= least && max(w, h) <= most }

// isAnswer tells whether an event answers a question that the program asks once, at its start.
func isAnswer(e uv.Event) bool {
	switch e := e.(type) {
	case uv.BackgroundColorEvent:
		return e.Color != nil
	case uv.PrimaryDeviceAttributesEvent, uv.SecondaryDeviceAttributesEvent, uv.TerminalVersionEvent,
		uv.CapabilityEvent, uv.ModeReportEvent, uv.KittyGraphicsEvent, uv.UnknownDcsEvent:
		return true
	}
	return false
}
