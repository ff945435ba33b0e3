package termtext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reveal is the unformatted view of text from outside: every control and
// invisible character is shown by a visible one (␛, ␇, ⇥) or by its number
// (⟨U+202E⟩, ⟨0xFF⟩ for a byte that is not UTF-8). Lines stay lines. Like the
// result of [Clean] it is safe to draw as plain text.
func Reveal(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	marks := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size <= 1:
			fmt.Fprintf(&b, "⟨0x%02X⟩", s[i])
		case r == '\n':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("⇥\t")
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune('␡')
		case r == 0x2028, r == 0x2029:
			fmt.Fprintf(&b, "⟨U+%04X⟩\n", r)
		case isIntroducer(r), IsInvisible(r), !isPrintable(r), isSkinTone(r),
			r > ' ' && unicode.Is(unicode.Zs, r), marks > maxMarks:
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return normalizeClusters(b.String())
}
