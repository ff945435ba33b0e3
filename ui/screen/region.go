package screen

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/widget"
)

// Region is a pane with its position on the screen.
type Region struct {
	ID          action.Pane
	Pane        part.Pane
	Rect        image.Rectangle // with the border
	IsSide      bool            // the side pane, which never has the focus
	DrawsBorder bool            // the pane draws its border itself
}

// Border is the texts in the border of a pane, which may carry styles.
type Border struct {
	Title         widget.Pieces
	Right, Bottom string
	Hints         []keys.Hint // those that can be clicked
}

// SetSize gives the pane its size.
func (r Region) SetSize() {
	w, h := r.Rect.Dx(), r.Rect.Dy()
	if !r.DrawsBorder {
		w, h = Inner(r.Rect)
	}
	if w > 0 && h > 0 {
		r.Pane.SetSize(w, h)
	}
}

// Mouse passes a message of the mouse to the pane.
func (r Region) Mouse(msg tea.MouseMsg, isDouble bool) (action.Action, tea.Cmd) {
	return giveMouse(r.Pane, r.corner(), msg, isDouble)
}

func giveMouse(layer action.Layer, corner image.Point, msg tea.MouseMsg, isDouble bool) (action.Action, tea.Cmd) {
	if doubleClick := layer.State().DoubleClick; doubleClick != nil && isDouble {
		return doubleClick(msg.Mouse().X-corner.X, msg.Mouse().Y-corner.Y)
	}
	return layer.Update(keys.RelativeTo(msg, corner))
}

func (r Region) corner() image.Point {
	if r.DrawsBorder {
		return r.Rect.Min
	}
	return r.Rect.Min.Add(image.Pt(1, 1))
}
