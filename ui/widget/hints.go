package widget

import (
	"strings"

	"confab/themes"
	"confab/ui/keys"
)

// HintGap is drawn between two hints.
const HintGap = " · "

// HintLine draws hints in one line.
func HintLine(s *themes.Styles, hints []keys.Hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = s.Key.On(h.Key) + " " + s.KeyText.On(h.Text)
	}
	return strings.Join(parts, s.Faint.On(HintGap))
}
