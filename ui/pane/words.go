package pane

import (
	"strings"

	"confab/ui/terminal"
)

// fill makes the lines exactly w wide and h many.
func fill(lines []string, w, h int) []string {
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = terminal.Fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", w)
		}
	}
	return out
}
