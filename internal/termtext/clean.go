package termtext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tabStop is the distance of tab stops in cells.
const tabStop = 4

// maxMarks bounds the combining marks of one cell. More of them make a glyph
// that covers its neighbours, and have crashed terminals.
const maxMarks = 8

const (
	escapeSign  = '␛' // U+241B, stands where a sequence began
	replacement = utf8.RuneError
	markBase    = '◌' // U+25CC, carries a mark that has no base
	separator   = '\u200b'
	keycap      = '\u20e3'
)

// Clean makes text from outside safe to draw as plain text. It returns only
// printable characters and line feeds:
//
//   - the start of an escape sequence (ESC, or a C1 control) becomes ␛ and what
//     followed it stays readable; other controls are dropped
//   - characters that show nothing (direction overrides, joiners, variation
//     selectors, tags, fillers) are dropped, as are the keycaps around digits
//   - CR, CRLF, vertical tab, form feed, NEL, U+2028 and U+2029 become a line feed;
//     a tab becomes spaces up to the next multiple of four cells
//   - invalid UTF-8, unassigned and private-use characters become U+FFFD, as do
//     letters of old scripts that would join what is drawn after them
//   - a cell carries at most eight combining marks, and emoji lose what makes
//     their width a matter of opinion: joiners, skin tones, half flags
//
// Nothing printable is lost but those skin tones, keycaps and surplus marks.
// Clean is idempotent.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	return withNormalClusters(replaceControls(s))
}

func withNormalClusters(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/16)
	normalizeClusters(&b, s, 0)
	return b.String()
}

// Disarm is for text that is printed as it runs, where nothing is laid out: it replaces what a terminal obeys, and
// leaves every other character as it is, tabs, joiners and carriage returns before line feeds too. What may turn the
// direction of a line is dropped.
func Disarm(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		switch {
		case r == '\n', r == '\t', r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			b.WriteRune(r)
		case isIntroducer(r):
			b.WriteRune(escapeSign)
		case r == '\r':
			b.WriteByte('\n')
		case r < 0x20, r == 0x7f, unicode.Is(unicode.Bidi_Control, r) && r != 0x200e && r != 0x200f && r != 0x61c:
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isPlain reports whether s is printable ASCII and line feeds only.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 0x20 && c != '\n') || c > 0x7e {
			return false
		}
	}
	return true
}

// replaceControls replaces or drops every character that may not be drawn, each judged by itself.
func replaceControls(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			b.WriteByte(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if simpleWidth(r) > 0 {
			b.WriteString(s[i-size : i])
			continue
		}
		switch {
		case r == utf8.RuneError && size <= 1:
			b.WriteRune(replacement)
		case r == '\r':
			if i < len(s) && s[i] == '\n' {
				i++
			}
			b.WriteByte('\n')
		case isLineBreak(r):
			b.WriteByte('\n')
		case isIntroducer(r):
			b.WriteRune(escapeSign)
		case r < 0x20, r == 0x7f, IsInvisible(r), r == keycap && endsInKey(b.String()):
		case isPrintable(r) && !joinsNext(r):
			b.WriteRune(r)
		default:
			b.WriteRune(replacement)
		}
	}
	return b.String()
}

// endsInKey reports whether a text ends in what has a keycap as an emoji. Terminals draw the two as one glyph that no
// cell has place for, so that nothing was seen of the digit.
func endsInKey(s string) bool { return s != "" && strings.IndexByte("0123456789#*", s[len(s)-1]) >= 0 }

// isLineBreak reports whether r ends a line though it is no line feed.
func isLineBreak(r rune) bool {
	return r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// isIntroducer reports whether r starts an escape sequence or is one by itself.
// VTE and Konsole obey C1 controls written as UTF-8.
func isIntroducer(r rune) bool {
	return r == 0x1b || r >= 0x80 && r < 0xa0
}

// joinsNext reports whether r joins whatever comes after it into one cell, be it
// a border: letters of a few old scripts that stand before their base (Unicode's
// Prepend).
func joinsNext(r rune) bool {
	switch r {
	case 0xd4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11a3a, 0x11d46, 0x11f02:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89
}

// isPrintable reports whether r is a letter, mark, number, punctuation, symbol
// or space that Unicode has assigned. Emoji newer than Go's tables are let
// through by their block, as the width tables already know them.
func isPrintable(r rune) bool {
	return unicode.IsGraphic(r) || r >= 0x1f000 && r <= 0x1fbff
}

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
	return withNormalClusters(b.String())
}
