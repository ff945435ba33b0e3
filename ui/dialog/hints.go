package dialog

import (
	"strings"

	"confab/themes"
	"confab/ui/keys"
	"confab/ui/terminal"
)

// hintLine draws as many hints as fit into w cells, whole ones only.
func hintLine(s *themes.Styles, hints []keys.Hint, w int) string {
	line, _ := hintLines(s, hints, w, 0)
	return line
}

// hintLines draws hints into two rooms, the second taking those that the first
// has no room for.
func hintLines(s *themes.Styles, hints []keys.Hint, w, more int) (line, rest string) {
	line, n := drawHints(s, hints, w)
	if n < len(hints) && more > 0 {
		rest, _ = drawHints(s, hints[n:], more)
	}
	return line, rest
}

// drawHints returns the hints that fit into w cells, and how many they are.
func drawHints(s *themes.Styles, hints []keys.Hint, w int) (string, int) {
	key, text, faint := s.Key, s.KeyText, s.Faint
	var b strings.Builder
	for i, h := range hints {
		need := terminal.Width(h.Key) + 1 + terminal.Width(h.Text)
		if i > 0 {
			need += 3
		}
		if w -= need; w < 0 {
			return b.String(), i
		}
		if i > 0 {
			b.WriteString(faint.On(" · "))
		}
		b.WriteString(key.On(h.Key) + " " + text.On(h.Text))
	}
	return b.String(), len(hints)
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
