package compare

import (
	"cmp"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// handleMouse scrolls with the wheel, focuses or runs a command with a click, and marks text by dragging.
func (v *View) handleMouse(msg tea.MouseMsg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		v.handleWheel(msg)
	case tea.MouseClickMsg:
		v.dragged = ""
		if msg.Button == tea.MouseLeft && v.mode == nil {
			return v.handleClick(msg)
		}
	case tea.MouseMotionMsg, tea.MouseReleaseMsg:
		return v.giveDragged(msg)
	}
	return nil, nil
}

func (v *View) handleWheel(msg tea.MouseWheelMsg) {
	n := keys.Wheel(msg)
	list := v.layout.list.Add(v.body().Min)
	switch b := v.boxAt(msg.X, msg.Y); {
	case v.mode != nil:
		v.mode.scroll(n)
	case n != 0 && v.hasFocusInList() && image.Pt(msg.X, msg.Y).In(list):
		v.focus(v.focusIndex + n/max(n, -n))
	case b.cell != nil:
		b.reader.Scroll(n)
	}
}

// handleClick focuses an answer in a box, in the strip or in the list. A click on a mark in a title or on a setting
// above the boxes changes it.
func (v *View) handleClick(msg tea.MouseClickMsg) (action.Action, tea.Cmd) {
	at := image.Pt(msg.X, msg.Y)
	if b := v.boxAt(at.X, at.Y); b.cell != nil {
		v.focusColumn(b.cell.name)
		return v.clickBox(b.cell.name, msg)
	}
	inBody := at.Sub(v.body().Min)
	switch list := v.layout.list; {
	case v.layout.hasStrip && inBody.Y == 0:
		if i := v.stripAt(at.X); i >= 0 {
			v.focus(i)
		}
	case inBody.In(list):
		row := inBody.Y - list.Min.Y - 2
		if i := v.listTop() + row; row >= 0 && row < v.listRows() && i < len(v.listed) {
			v.focus(i)
		}
	case at.Y < v.body().Min.Y && !v.showsPrompt:
		return v.Run(cmp.Or(v.headPieces().CommandAt(at.X), keys.WholePrompt)), nil
	}
	return nil, nil
}

// clickBox handles a click in the box of the focused answer.
func (v *View) clickBox(name string, msg tea.MouseClickMsg) (action.Action, tea.Cmd) {
	b := v.boxOf(name)
	if b.cell == nil {
		return nil, nil
	}
	corner := v.body().Min.Add(b.rect.Min)
	y := msg.Y - corner.Y
	lines := v.boxLines(b)
	line := ansi.Strip(lines[max(min(y, len(lines)-1), 0)])
	word, mark := widget.WordAt(line, msg.X-corner.X), keys.Command("")
	if y == 0 {
		mark = v.title(b.cell, b.rect.Dx()-6, true).CommandAt(msg.X - corner.X - widget.TitleColumn)
	}
	_, _, total := b.reader.Lines()
	switch {
	case mark != "":
		return v.Run(mark), nil
	case y == 1 && word != "" && word == v.env.Keys.Key(keys.Compare, keys.Again) && total == 0:
		return v.Run(keys.Again), nil
	}
	v.dragged = name
	return v.giveDragged(msg)
}

// giveDragged passes the mouse to the reader in which dragging began.
func (v *View) giveDragged(msg tea.MouseMsg) (action.Action, tea.Cmd) {
	b := v.boxOf(v.dragged)
	if b.cell == nil {
		return nil, nil
	}
	return b.reader.Update(keys.RelativeTo(msg, v.body().Min.Add(b.origin())))
}

// doubleClick zooms the answer under the pointer, or ends the zoom.
func (v *View) doubleClick(x, y int) (action.Action, tea.Cmd) {
	at := image.Pt(x, y).Sub(v.body().Min)
	if v.mode != nil || v.boxAt(x, y).cell == nil && !at.In(v.layout.list) {
		return nil, nil
	}
	return v.Run(keys.ZoomAnswer), nil
}

// hintAt returns the hint at a position: in the border of a box or a difference, under the list of pictures, or in the
// last line.
func (v *View) hintAt(x, y int) (keys.Hint, bool) {
	lines := v.View()
	if y < 0 || y >= len(lines) {
		return keys.Hint{}, false
	}
	line := ansi.Strip(lines[y])
	if d, ok := v.mode.(*difference); ok && y == v.h-1 {
		return keys.HintAt(line, x, d.borderHints())
	}
	if b, ok := v.mode.(*blindVote); ok && b.hasEnded {
		return keys.HintAt(line, x, b.scrollHint())
	}
	for _, b := range v.boxes {
		r := b.rect.Add(v.body().Min)
		if y == r.Max.Y-1 || y == r.Min.Y && b.cell == nil {
			if hint, ok := keys.HintAt(line, x, v.borderHints(b)); ok {
				return hint, true
			}
		}
	}
	if v.mode != nil {
		return keys.Hint{}, false
	}
	if y == v.bottom() {
		word := strings.Trim(widget.WordAt(line, x), ",")
		key, ok := v.statusKey(word)
		return keys.Hint{Key: key}, ok
	}
	list := v.layout.list.Add(v.body().Min)
	if !v.hasFocusInList() || x >= list.Max.X || y < list.Min.Y+2+v.listRows() {
		return keys.Hint{}, false
	}
	return keys.HintAt(ansi.Cut(line, 0, list.Max.X), x, v.Hints())
}

// statusKey returns the key that a word of the last line names.
func (v *View) statusKey(word string) (key string, ok bool) {
	var named []keys.Hint
	switch {
	case v.find.IsTyping:
		named = keys.LineHints(v.env.Keys, "", "")
	case v.jump.isTyping:
		named = v.env.Keys.Hints(keys.Form, keys.Accept)
	case v.current() == nil:
		named = v.env.Keys.Hints(keys.Compare, keys.ShowAnswers)
	case v.find.Text != "":
		named = v.env.Keys.Hints(keys.Compare, keys.FindNext, keys.FindPrevious)
	}
	return word, slices.ContainsFunc(named, func(h keys.Hint) bool { return h.Key == word })
}

// boxAt returns the box at a position of the view, an empty one for none.
func (v *View) boxAt(x, y int) box {
	at := image.Pt(x, y).Sub(v.body().Min)
	return v.firstBox(func(b box) bool { return at.In(b.rect) })
}

// boxOf returns the box of the cell with a name, an empty one for none.
func (v *View) boxOf(name string) box {
	return v.firstBox(func(b box) bool { return b.cell != nil && b.cell.name == name })
}

func (v *View) firstBox(matches func(box) bool) box {
	if i := slices.IndexFunc(v.boxes, matches); i >= 0 {
		return v.boxes[i]
	}
	return box{}
}
