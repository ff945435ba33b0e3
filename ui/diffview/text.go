package diffview

import (
	"strings"

	"confab/service/diff"
)

// Text returns a difference as plain text, what was removed in [- -] and what was
// added in {+ +}. The texts are as they came, to be copied and not to be drawn.
func Text(d diff.Result) string {
	var out strings.Builder
	for _, part := range d.Parts {
		switch part.Op {
		case diff.Removed:
			mark(&out, "[-", part.Text, "-]")
		case diff.Added:
			mark(&out, "{+", part.Text, "+}")
		default:
			out.WriteString(part.Text)
		}
	}
	return out.String()
}

// mark writes a changed text with its marks close to its words: the line end that
// a changed line ends with stands behind them.
func mark(out *strings.Builder, open, text, shut string) {
	inner := strings.TrimRight(text, "\n")
	if inner == "" {
		inner = text
	}
	out.WriteString(open + inner + shut + text[len(inner):])
}
