package ui

import (
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
)

// footer is the line at the bottom: what happens or happened, then the keys of the top layer.
func (m *Model) footer() string {
	s := m.styles
	left := ""
	ended, all := m.turns.Progress()
	switch {
	case m.notice.View(s) != "":
		left = " " + m.notice.View(s)
	case all > 0:
		left = fmt.Sprintf(" %d of %d answered   ", ended, all) + m.bar(ended, all)
		for _, h := range m.cancelHints() {
			left += "  " + s.Key.Render(h.Key) + s.KeyText.Render(" "+h.Text)
		}
	}
	right := ""
	for _, h := range m.fittingHints(m.w - termtext.Width(left) - 1) {
		right += "  " + s.Key.Render(h.Key) + " " + s.KeyText.Render(h.Text)
	}
	gap := max(m.w-termtext.Width(left)-termtext.Width(right)-1, 0)
	return termtext.Fit(left+strings.Repeat(" ", gap)+right, m.w)
}

// fittingHints returns the hints of the footer that fit into a number of cells. The last ones, which are the least
// useful, are left out first.
func (m *Model) fittingHints(cells int) []keys.Hint {
	hints := m.footerHints()
	for i, h := range hints {
		if cells -= termtext.Width(h.Key) + termtext.Width(h.Text) + 3; cells < 0 {
			return hints[:i]
		}
	}
	return hints
}

// footerHints returns the keys of the top layer that do something now, the most useful first. A dialog shows the first
// of its keys in its border.
func (m *Model) footerHints() []keys.Hint {
	if top := m.dialogs.Top(); top != nil {
		_, footer := top.Hints()
		return footer
	}
	if v := m.staged(); v != nil && m.focus == action.PaneConversation {
		own := v.Hints()
		ways := m.keys.Hints(keys.Everywhere, keys.Back, keys.Help)
		n := min(len(own), 3)
		return dedupe(slices.Concat(own[:n], ways[:min(len(ways), 1)], own[n:], ways[min(len(ways), 1):]))
	}
	if m.focus == action.PanePrompt {
		return m.keys.Hints(keys.Everywhere, keys.Commands, keys.Help, keys.ChooseModels, keys.Sessions,
			keys.OldPrompts,
			keys.NextPane)
	}
	own, ways := m.pane(m.focus).Hints(), m.keys.Hints(keys.Everywhere, keys.Help, keys.NextPane, keys.Commands)
	if m.focus == action.PaneModels && !m.layout.Panes[action.PaneModels].Empty() {
		own = own[len(m.modelHints()):] // the border has these
	}
	n := min(len(own), 4)
	return dedupe(slices.Concat(own[:n], ways, own[n:]))
}

// dedupe leaves out hints whose key another one has already.
func dedupe(hints []keys.Hint) []keys.Hint {
	var out []keys.Hint
	for _, h := range hints {
		if h.Key != "" && !slices.ContainsFunc(out, func(o keys.Hint) bool { return o.Key == h.Key }) {
			out = append(out, h)
		}
	}
	return out
}

// cancelHints returns the key that stops what runs, while it would not close a layer instead.
func (m *Model) cancelHints() []keys.Hint {
	reading := m.focus == action.PaneConversation && (m.mode != panes || m.conversation.Finding())
	if m.dialogs.Len() > 0 || reading || m.zoom || m.capturesText() {
		return nil
	}
	hints := m.keys.Hints(keys.Everywhere, keys.Back)
	for i := range hints {
		hints[i].Text = "cancel"
	}
	return hints
}

func (m *Model) hintText(hints []keys.Hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = h.Key + " " + h.Text
	}
	return strings.Join(parts, " · ")
}

// modelHints are the keys in the border of the model list.
func (m *Model) modelHints() []keys.Hint {
	hints := m.models.Hints()
	return hints[:min(len(hints), 2)]
}

// personaHints are the keys in the title line of an empty system prompt.
func (m *Model) personaHints() []keys.Hint {
	hints := m.keys.Hints(keys.Everywhere, keys.Personas)
	for i := range hints {
		hints[i].Text = "picks one"
	}
	return hints
}

// clickHint presses the key of the hint that was clicked on, in the pane whose hint it is; ok is false where there is
// none.
func (m *Model) clickHint(at image.Point) (wish action.Action, cmd tea.Cmd, ok bool) {
	hint, focus, ok := m.hintAt(at)
	if !ok {
		return nil, nil, false
	}
	press, ok := keys.Parse(hint.Key)
	if !ok {
		return nil, nil, false
	}
	if m.dialogs.Len() == 0 {
		cmd = m.setFocus(focus)
	}
	wish, then := m.routeKey(press)
	return wish, tea.Batch(cmd, then), true
}

// hintAt returns the hint that is drawn at a place of the screen, and the pane it belongs to. Hints stand in the
// footer, in borders, and where a pane says so: what answers say is not looked at.
func (m *Model) hintAt(at image.Point) (keys.Hint, action.Pane, bool) {
	if at.Y == m.layout.Footer.Min.Y {
		h, ok := keys.HintAt(m.lineAt(at.Y, 0), at.X, append(m.cancelHints(), m.footerHints()...))
		return h, m.focus, ok
	}
	if top := m.dialogs.Top(); top != nil {
		borders, _ := top.Hints()
		box := m.dialogBox()
		if line := m.lineAt(at.Y, box.Min.X); at.In(box) && isBorder(line) {
			h, ok := keys.HintAt(line, at.X-box.Min.X, slices.Concat(borders...))
			return h, m.focus, ok
		}
		return keys.Hint{}, 0, false
	}
	if r := m.layout.Beside; at.In(r) {
		h, ok := keys.HintAt(m.lineAt(at.Y, r.Min.X), at.X-r.Min.X, m.sidePaneHints())
		return h, action.PaneConversation, ok && at.Y == r.Max.Y-1
	}
	for i, r := range m.layout.Panes {
		p := action.Pane(i)
		if !at.In(r) {
			continue
		}
		inside := at.Sub(m.corner(p))
		if hinter, ok := m.pane(p).(interface {
			HintAt(x, y int) (keys.Hint, bool)
		}); ok {
			if h, ok := hinter.HintAt(inside.X, inside.Y); ok {
				return h, p, true
			}
		}
		if line := m.lineAt(at.Y, r.Min.X); isBorder(line) {
			h, ok := keys.HintAt(line, at.X-r.Min.X, m.borderHints(p))
			return h, p, ok
		}
	}
	return keys.Hint{}, 0, false
}

// borderHints returns the hints in the border of a pane.
func (m *Model) borderHints(p action.Pane) []keys.Hint {
	switch v := m.staged(); {
	case v != nil && p == action.PaneConversation:
		return v.Hints()
	case p == action.PaneModels:
		return m.modelHints()
	case p == action.PaneSystem:
		return m.personaHints()
	case p == action.PanePrompt:
		return append(m.prompt.Hints(), m.layoutHint()...)
	}
	return nil
}

// lineAt returns a line of the screen as plain text, from a column on.
func (m *Model) lineAt(y, from int) string {
	lines := strings.Split(m.content(), "\n")
	if y < 0 || y >= len(lines) {
		return ""
	}
	line := ansi.Strip(lines[y])
	return ansi.Cut(line, from, ansi.StringWidth(line))
}

// isBorder tells whether a line begins with a corner or a rule of a box.
func isBorder(line string) bool { return strings.IndexAny(line, "╭╰┏┗─") == 0 }
