package ui

import (
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/widget"
)

// footerHints returns the keys of the top layer that do something now, the most useful first. A dialog shows the first
// of its keys in its border.
func (m *Model) footerHints() []keys.Hint {
	if top := m.dialogs.Top(); top != nil {
		_, footer := top.Hints()
		return footer
	}
	focused := m.region(m.focus)
	own := focused.pane.Hints()
	switch {
	case focused.drawsBorder():
		n := min(len(own), 3)
		return keys.UniqueHints(slices.Concat(own[:n], m.o.Keys.Hints(keys.Everywhere, keys.Back), own[n:],
			m.o.Keys.Hints(keys.Everywhere, keys.Help)))
	case m.focus == action.PanePrompt:
		return m.o.Keys.Hints(keys.Everywhere, keys.Commands, keys.Help, keys.ChooseModels, keys.Sessions,
			keys.OldPrompts, keys.NextPane)
	case m.focus == action.PaneModels && !focused.rect.Empty():
		own = own[len(m.borderHints(focused)):]
	}
	n := min(len(own), 4)
	everywhere := m.o.Keys.Hints(keys.Everywhere, keys.Help, keys.NextPane, keys.Commands)
	return keys.UniqueHints(slices.Concat(own[:n], everywhere, own[n:]))
}

// stopHints returns the key that stops what runs, while it would not close a layer instead.
func (m *Model) stopHints() []keys.Hint {
	reads := m.focus == action.PaneConversation && (m.mode != modePanes || m.conversation.IsFinding())
	if m.dialogs.Len() > 0 || reads || m.isZoomed || m.capturesText() {
		return nil
	}
	return overlay.Hint(m.o.Keys, keys.Everywhere, keys.Back, "cancel")
}

// borderHints returns the hints in the border of a pane.
func (m *Model) borderHints(r region) []keys.Hint {
	switch {
	case r.isSide:
		return m.o.Keys.Hints(keys.Conversation, keys.CompareAnswers)
	case r.drawsBorder():
		return r.pane.Hints()
	case r.id == action.PaneModels:
		hints := r.pane.Hints()
		return hints[:min(len(hints), 2)]
	case r.id == action.PaneSystem:
		return overlay.Hint(m.o.Keys, keys.Everywhere, keys.Personas, "picks one")
	case r.id == action.PanePrompt:
		return append(r.pane.Hints(), m.sideBySideHint()...)
	}
	return nil
}

// clickHint presses the key of the hint that was clicked on, in the pane whose hint it is; ok is false where there is
// none.
func (m *Model) clickHint(at image.Point) (then action.Action, cmd tea.Cmd, ok bool) {
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
// in borders, and where a pane says so: the texts of answers are not searched.
func (m *Model) hintAt(at image.Point) (keys.Hint, action.Pane, bool) {
	// in returns the hint at the point in the line of a rectangle, of which only borders count unless it is the footer.
	in := func(r image.Rectangle, hints []keys.Hint) (keys.Hint, bool) {
		line := plainLine(m.content(), at.Y, r.Min.X)
		if r != m.layout.Footer && !widget.IsBorder(line) {
			return keys.Hint{}, false
		}
		return keys.HintAt(line, at.X-r.Min.X, hints)
	}
	if at.In(m.layout.Footer) {
		hint, ok := in(m.layout.Footer, append(m.stopHints(), m.footerHints()...))
		return hint, m.focus, ok
	}
	if top := m.dialogs.Top(); top != nil {
		borders, _ := top.Hints()
		box := m.dialogBox()
		if !at.In(box) {
			return keys.Hint{}, 0, false
		}
		hint, ok := in(box, slices.Concat(borders...))
		return hint, m.focus, ok
	}
	for _, r := range m.regions() {
		if !at.In(r.rect) {
			continue
		}
		type hinter interface {
			HintAt(x, y int) (keys.Hint, bool)
		}
		if h, ok := r.pane.(hinter); ok && !r.isSide {
			inside := at.Sub(r.inside)
			if hint, ok := h.HintAt(inside.X, inside.Y); ok {
				return hint, r.id, true
			}
		}
		hint, ok := in(r.rect, m.borderHints(r))
		return hint, r.id, ok
	}
	return keys.Hint{}, 0, false
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
