package api

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
)

// maxQuote is how much of a foreign text a sentence repeats, in runes.
const maxQuote = 200

// configError is an [Error] of code config; the arguments must be clean.
func configError(format string, args ...any) *Error {
	return &Error{Code: CodeConfig, Message: fmt.Sprintf(format, args...)}
}

// clean makes a foreign text fit for a sentence: one line, no control or invisible characters, no terminal sequences,
// at most [maxQuote] runes, no stop at its end. A sequence that never ends takes the rest of the text with it. It is
// empty when nothing readable is left.
func clean(s string) string {
	// Written as one character, the introducers are no sequences to the library.
	introducers := strings.NewReplacer("\u0090", "\x1bP", "\u0098", "\x1bX", "\u009b", "\x1b[", "\u009c", "\x1b\\",
		"\u009d", "\x1b]", "\u009e", "\x1b^", "\u009f", "\x1b_")
	var b strings.Builder
	runes, gap := 0, false
	for _, r := range ansi.Strip(introducers.Replace(s[:min(len(s), 64*maxQuote)])) {
		if unicode.IsSpace(r) {
			gap = runes > 0
			continue
		}
		if r == utf8.RuneError || !termtext.IsVisible(r) || unicode.Is(unicode.Mn, r) && runes == 0 {
			continue
		}
		if runes >= maxQuote || gap && runes+1 >= maxQuote {
			return b.String() + "…"
		}
		if gap {
			b.WriteByte(' ')
			runes++
			gap = false
		}
		b.WriteRune(r)
		runes++
	}
	return strings.TrimRight(b.String(), " .")
}

// quote returns a foreign text between quotation marks, cleaned.
func quote(s string) string { return "“" + clean(s) + "”" }

// size returns a number of bytes as people read it.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.3g KiB", float64(n)/(1<<10))
	}
	return format.Count(int(n), "byte")
}
