package api

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"confab/internal/errtext"
)

// maxQuote is how much of a foreign text a sentence repeats, in runes.
const maxQuote = 200

// configError is an [Error] of code config; the arguments must be clean.
func configError(format string, args ...any) *Error {
	return &Error{Code: CodeConfig, Message: fmt.Sprintf(format, args...)}
}

// clean makes a foreign text fit for a sentence: one line, no control or invisible characters, no terminal sequences,
// at most [maxQuote] runes, no stop at its end. It is empty when nothing readable is left.
func clean(s string) string {
	var b strings.Builder
	runes, gap := 0, false
	for _, r := range dropSequences(s[:min(len(s), 64*maxQuote)]) {
		if unicode.IsSpace(r) {
			gap = runes > 0
			continue
		}
		if r == utf8.RuneError || !errtext.IsVisible(r) || unicode.Is(unicode.Mn, r) && runes == 0 {
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

// dropSequences removes whole escape sequences, so that what is inside of one (a window title, the numbers of a colour)
// does not become text. A sequence that is not ended within 64 runes loses its introducer only.
func dropSequences(s string) []rune {
	in := []rune(s)
	out := in[:0:0]
	for i := 0; i < len(in); i++ {
		if n := sequence(in[i:]); n > 0 {
			i += n - 1
			continue
		}
		out = append(out, in[i])
	}
	return out
}

// sequence returns the length of the escape sequence at the beginning of in, in runes; 0 when there is none.
func sequence(in []rune) int {
	const (
		esc = '\x1b'
		csi = '\u009b'
	)
	body := 1
	first := in[0]
	if first == esc {
		if len(in) < 2 {
			return 1
		}
		body = 2
		first = in[1] + 0x40 // ESC [ is U+009B, ESC ] is U+009D and so on
	}
	switch {
	case first == csi:
		for i := body; i < min(len(in), body+64); i++ {
			if in[i] >= 0x40 && in[i] <= 0x7e {
				return i + 1
			}
		}
	case strings.ContainsRune("\u0090\u0098\u009d\u009e\u009f", first): // DCS, SOS, OSC, PM, APC
		for i := body; i < min(len(in), body+64); i++ {
			switch {
			case in[i] == '\a' || in[i] == '\u009c':
				return i + 1
			case in[i] == esc && i+1 < len(in) && in[i+1] == '\\':
				return i + 2
			}
		}
	case body == 2:
		return 2
	default:
		return 0
	}
	return body
}

// quote returns a foreign text between quotation marks, cleaned.
func quote(s string) string {
	if s = clean(s); s == "" {
		return "“”"
	}
	return "“" + s + "”"
}

// count returns n with its unit, as in "1 byte".
func count(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// size returns a number of bytes as people read it.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.3g KiB", float64(n)/(1<<10))
	}
	return count(n, "byte")
}
