package pixels

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Rewritten returns which cells of a row of the screen a renderer may write when
// its text changes: from the first that differs to the one before which all the
// rest is the same. What was painted over them is gone then. It is 0, 0 where
// nothing changes.
func Rewritten(before, after string) (from, to int) {
	if before == after {
		return 0, 0
	}
	whole := max(ansi.StringWidth(before), ansi.StringWidth(after))
	if strings.Contains(before, "\x1b]") || strings.Contains(after, "\x1b]") {
		return 0, whole // a link goes on until it is ended, and is no part of a style
	}
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	for n > 0 && n < len(before) && !utf8.RuneStart(before[n]) {
		n--
	}
	// A mark that follows belongs to the letter before it, which may be wide.
	from = max(ansi.StringWidth(before[:n])-2, 0)
	end := sameEnd(before[n:], after[n:])
	if tail := ansi.StringWidth(end); ansi.StringWidth(before) == ansi.StringWidth(after) {
		return from, whole - tail
	}
	return from, whole // the rest has moved
}

// sameEnd returns the longest common end of two texts that begins where all
// styles end, so that what stands before it does not show in it.
func sameEnd(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	end := a[len(a)-n:]
	first := -1
	for _, reset := range []string{ansi.ResetStyle, "\x1b[0m"} {
		if i := strings.Index(end, reset); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if first < 0 {
		return ""
	}
	return end[first:]
}
