package termtext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tabStop is the distance of tab stops in cells.
const tabStop = 4

// maxMarks bounds the combining marks of one cell. More of them overlap other cells, and have crashed terminals.
const maxMarks = 8

const (
	escapeSign  = '␛' // U+241B, replaces the start of a sequence
	replacement = utf8.RuneError
	markBase    = '◌' // U+25CC, carries a mark without a base
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

// Disarm sanitises text that is printed without layout: it replaces characters that control a terminal and drops
// those that change the direction of a line. It keeps others, including tabs, joiners and carriage returns before
// line feeds.
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

// replaceControls replaces or drops every character that must not be drawn, one by one.
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

// endsInKey reports whether a text ends in a character with a keycap emoji. Terminals draw the two as one glyph
// without a cell of its own, which would hide the digit.
func endsInKey(s string) bool { return s != "" && strings.IndexByte("0123456789#*", s[len(s)-1]) >= 0 }

// isLineBreak reports whether r ends a line and is not a line feed.
func isLineBreak(r rune) bool {
	return r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// isIntroducer reports whether r starts or is an escape sequence. VTE and Konsole interpret C1 controls in UTF-8.
func isIntroducer(r rune) bool {
	return r == 0x1b || r >= 0x80 && r < 0xa0
}

// joinsNext reports whether r joins any following character into one cell, even a border: letters of a few old
// scripts that precede their base (Unicode's Prepend).
func joinsNext(r rune) bool {
	switch r {
	case 0xd4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11a3a, 0x11d46, 0x11f02:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89
}

// isPrintable reports whether r is an assigned letter, mark, number, punctuation, symbol or space. It accepts emoji
// newer than Go's tables by their block, since the width tables include them.
func isPrintable(r rune) bool {
	return unicode.IsGraphic(r) || r >= 0x1f000 && r <= 0x1fbff
}

// Reveal shows untrusted text unformatted: it replaces each control or invisible character by a visible one (␛, ␇, ⇥)
// or its number (⟨U+202E⟩, ⟨0xFF⟩ for an invalid byte). It keeps lines. Like the result of [Clean] the result is safe
// to draw as plain text.
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
