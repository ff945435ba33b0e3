package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
)

// hintLine draws hints that [splitHints] found room for.
func hintLine(s *themes.Styles, hints []keys.Hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = s.Key.On(h.Key) + " " + s.KeyText.On(h.Text)
	}
	return strings.Join(parts, s.Faint.On(hintGap))
}

// hintGap stands between two hints.
const hintGap = " · "

// splitHints divides hints, the most useful first, among the borders of a dialog, whose widths are given in cells, and
// the footer, which gets the rest. A hint is never cut.
func splitHints(hints []keys.Hint, widths ...int) (borders [][]keys.Hint, footer []keys.Hint) {
	for _, w := range widths {
		n := 0
		for n < len(hints) {
			need := termtext.Width(hints[n].Key) + 1 + termtext.Width(hints[n].Text)
			if n > 0 {
				need += termtext.Width(hintGap)
			}
			if w -= need; w < 0 {
				break
			}
			n++
		}
		borders = append(borders, hints[:n])
		hints = hints[n:]
	}
	return borders, hints
}

// borderHints returns the part of a dialog's hints that a border of w cells has room for.
func borderHints(hints []keys.Hint, w int) []keys.Hint {
	borders, _ := splitHints(hints, w)
	return borders[0]
}

// divide returns the hints that the borders of a dialog show, and those that are left to the footer.
func divide(hints []keys.Hint, widths ...int) (border, footer []keys.Hint) {
	borders, footer := splitHints(hints, widths...)
	return slices.Concat(borders...), footer
}

// withHelp puts the key of the help behind the hints of a dialog.
func withHelp(m keys.Map, hints []keys.Hint) []keys.Hint {
	return append(hints, m.Hints(keys.Everywhere, keys.Help)...)
}

// hint returns the hint of an effect under another text than the map's.
func hint(m keys.Map, scope keys.Scope, effect keys.Effect, text string) []keys.Hint {
	hints := m.Hints(scope, effect)
	if text != "" {
		for i := range hints {
			hints[i].Text = text
		}
	}
	return hints
}

// unused says that a dialog has no use for a key.
func unused(msg tea.KeyPressMsg) action.Action { return action.Unused{Key: msg.String()} }
