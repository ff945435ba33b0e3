package runs

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
)

func cutEnd(text string, w int) string { return ansi.Truncate(text, w, "…") }

// cutReason cuts after the first part of a text, a reason, or else in the middle of that, whose end says most.
func cutReason(text string, w int) string {
	if reason, _, _ := strings.Cut(text, "; "); ansi.StringWidth(reason) >= w {
		return termtext.CutMiddle(reason, w)
	}
	return cutEnd(text, w)
}

// cutParts leaves out the last parts of a text.
func cutParts(text string, w int) string {
	for ansi.StringWidth(text) > w {
		at := strings.LastIndex(text, "; ")
		if at < 0 {
			return termtext.CutMiddle(text, w)
		}
		text = text[:at]
	}
	return text
}

// cutClauses leaves out the last parts of a text, also those after a comma.
func cutClauses(text string, w int) string {
	for ansi.StringWidth(text) > w {
		at := max(strings.LastIndex(text, "; "), strings.LastIndex(text, ", "))
		if at < 0 {
			return cutEnd(text, w)
		}
		text = text[:at]
	}
	return text
}

// wrapped breaks a text into at most n lines, the last of which is cut.
func wrapped(text string, w, n int, cut func(text string, w int) string) []string {
	lines := termtext.Wrap(text, w)
	if len(lines) > max(n, 0) {
		if n < 1 {
			return nil
		}
		rest := strings.Join(lines[n-1:], " ")
		lines = append(lines[:n-1:n-1], cut(rest, w))
	}
	return lines
}
