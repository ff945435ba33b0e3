package ui

import (
	"image"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/widget"
)

// doubleClickTime is how soon the second click of a double click must come.
const doubleClickTime = 400 * time.Millisecond

// click is where the left button was pressed last, and when.
type click struct {
	at   image.Point
	when time.Time
}

// doubleClicker is a pane or dialog in which a double click means more than two clicks.
type doubleClicker interface {
	DoubleClick(x, y int) (action.Action, tea.Cmd)
}

// routeMouse gives the mouse to what is drawn under it: a key that is named there, a piece of the header, the top
// dialog, or a pane.
func (m *Model) routeMouse(msg tea.MouseMsg) (action.Action, tea.Cmd) {
	at := image.Pt(msg.Mouse().X, msg.Mouse().Y)
	isDouble := false
	if c, ok := msg.(tea.MouseClickMsg); ok && c.Button == tea.MouseLeft {
		if then, cmd, ok := m.clickHint(at); ok {
			return then, cmd
		}
		isDouble = m.isDoubleClick(at)
	}
	top := m.dialogs.Top()
	d, hasDouble := top.(doubleClicker)
	switch {
	case top != nil && isDouble && hasDouble:
		return d.DoubleClick(0, 0)
	case top != nil:
		return m.dialogs.Update(keys.RelativeTo(msg, m.dialogBox().Min))
	}
	return m.routePaneMouse(msg, at, isDouble)
}

// isDoubleClick tells whether a click is the second at its place, and remembers it.
func (m *Model) isDoubleClick(at image.Point) bool {
	now := m.o.Now()
	if m.clicked.at == at && now.Sub(m.clicked.when) < doubleClickTime {
		m.clicked = click{}
		return true
	}
	m.clicked = click{at, now}
	return false
}

// routePaneMouse gives the mouse to the pane under it. A drag belongs to the pane it began in, wherever it goes.
func (m *Model) routePaneMouse(msg tea.MouseMsg, at image.Point, isDouble bool) (action.Action, tea.Cmd) {
	_, isClick := msg.(tea.MouseClickMsg)
	_, isRelease := msg.(tea.MouseReleaseMsg)
	_, isWheel := msg.(tea.MouseWheelMsg)
	if m.isDragging && !isClick && !isWheel {
		m.isDragging = !isRelease
		focused := m.region(m.focus)
		return focused.pane.Update(keys.RelativeTo(msg, focused.inside))
	}
	m.isDragging = false
	if isClick && at.In(m.layout.Header) {
		if command := m.header().CommandAt(at.X); command != "" {
			return m.handleCommand(command)
		}
	}
	for _, r := range m.regions() {
		if !at.In(r.rect) {
			continue
		}
		if r.isSide && !isWheel {
			return nil, nil
		}
		var focus tea.Cmd
		if isClick {
			m.isDragging = true
			focus = m.setFocus(r.id)
			r = m.region(r.id)
		}
		inside := at.Sub(r.inside)
		if d, ok := r.pane.(doubleClicker); ok && isDouble {
			m.isDragging = false
			then, cmd := d.DoubleClick(inside.X, inside.Y)
			return then, tea.Batch(focus, cmd)
		}
		then, cmd := r.pane.Update(keys.RelativeTo(msg, r.inside))
		return then, tea.Batch(focus, cmd)
	}
	return nil, nil
}

// clickHint presses the key of the hint that was clicked on, in the pane whose hint it is; ok is false where there is
// none.
func (m *Model) clickHint(at image.Point) (then action.Action, cmd tea.Cmd, ok bool) {
	if m.w == 0 || m.layout.TooSmall {
		return nil, nil, false
	}
	hint, pane, found := m.hintAt(at)
	press, ok := keys.Parse(hint.Key)
	if !found || !ok {
		return nil, nil, false
	}
	if m.dialogs.Len() == 0 {
		cmd = m.setFocus(pane)
	}
	then, more := m.routeKey(press)
	return then, tea.Batch(cmd, more), true
}

// hintAt returns the hint that is drawn at a cell of the screen, and the pane it belongs to. Hints stand in the footer,
// in borders, and where a pane or dialog says so: the texts of answers are not searched.
func (m *Model) hintAt(at image.Point) (keys.Hint, action.Pane, bool) {
	if at.In(m.layout.Footer) {
		line := plainLine(m.content(), at.Y, 0)
		if hint, ok := keys.HintAt(line, at.X, append(m.stopHints(), m.footerHints()...)); ok {
			return hint, m.focus, true
		}
		hint, ok := m.keyNamedAt(line, at.X)
		return hint, m.focus, ok
	}
	type hinter interface {
		HintAt(x, y int) (keys.Hint, bool)
	}
	// inBorder returns the hint at the point where the line of a rectangle is a border.
	inBorder := func(r image.Rectangle, hints []keys.Hint) (keys.Hint, bool) {
		line := plainLine(m.content(), at.Y, r.Min.X)
		if !widget.IsBorder(line) {
			return keys.Hint{}, false
		}
		return keys.HintAt(line, at.X-r.Min.X, hints)
	}
	if top := m.dialogs.Top(); top != nil {
		box := m.dialogBox()
		if !at.In(box) {
			return keys.Hint{}, 0, false
		}
		borders, _ := top.Hints()
		hint, ok := inBorder(box, slices.Concat(borders...))
		return hint, m.focus, ok
	}
	for _, r := range m.regions() {
		if !at.In(r.rect) {
			continue
		}
		if h, ok := r.pane.(hinter); ok && !r.isSide {
			inside := at.Sub(r.inside)
			if hint, ok := h.HintAt(inside.X, inside.Y); ok {
				return hint, r.id, true
			}
		}
		hints := m.borderHints(r)
		if r.id == action.PanePrompt {
			hints = append(hints, m.systemHint()...)
		}
		hint, ok := inBorder(r.rect, hints)
		if !ok && r.id == action.PanePrompt && at.Y == r.rect.Min.Y {
			hint, ok = m.promptTitleHint(plainLine(m.content(), at.Y, 0), at.X)
		}
		return hint, r.id, ok
	}
	return keys.Hint{}, 0, false
}

// keyNamedAt returns the key that a notice names at a column, as "alt+u" of "alt+u brings it back", when it does
// something now. Single letters are words.
func (m *Model) keyNamedAt(line string, x int) (keys.Hint, bool) {
	name := strings.Trim(widget.WordAt(line, x), ".,;:()")
	press, ok := keys.Parse(name)
	if !ok || len(name) < 2 || m.lookUp(press).Command == "" {
		return keys.Hint{}, false
	}
	return keys.Hint{Key: name}, true
}

// promptTitleHint returns what changes the setting that the title of the prompt names at a column: the models or the
// context.
func (m *Model) promptTitleHint(line string, x int) (keys.Hint, bool) {
	start := 0
	for piece := range strings.SplitSeq(line, "   ") {
		end := start + ansi.StringWidth(piece)
		if x >= start && x < end {
			return m.titlePieceHint(piece, x-start)
		}
		start = end + 3
	}
	return keys.Hint{}, false
}

func (m *Model) titlePieceHint(piece string, x int) (keys.Hint, bool) {
	for sign, command := range map[string]keys.Command{"→ ": keys.ChooseModels, "context: ": keys.ToggleContext} {
		before, after, ok := strings.Cut(piece, sign)
		from := ansi.StringWidth(before)
		until := from + ansi.StringWidth(sign+strings.TrimRight(after, " ─━╮┓"))
		if ok && x >= from && x < until {
			hints := m.o.Keys.Hints(keys.Everywhere, command)
			return append(hints, keys.Hint{})[0], len(hints) > 0
		}
	}
	return keys.Hint{}, false
}

// plainLine returns a line of a screen as plain text, from a column on.
func plainLine(screen string, y, from int) string {
	lines := strings.Split(screen, "\n")
	if y < 0 || y >= len(lines) {
		return ""
	}
	line := ansi.Strip(lines[y])
	return ansi.Cut(line, from, ansi.StringWidth(line))
}
