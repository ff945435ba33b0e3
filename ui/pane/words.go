package pane

import (
	"strings"

	"confab/internal/termtext"
)

// fill makes the lines exactly w wide and h many.
func fill(lines []string, w, h int) []string {
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = termtext.Fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", w)
		}
	}
	return out
}
