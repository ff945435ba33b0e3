package termtext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// normalizeClusters expands tabs, bounds combining marks and gives every grapheme cluster one width. Its input has
// passed replaceControls. It writes to b from a column on and returns the next column.
func normalizeClusters(b *strings.Builder, s string, col int) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			col = writeASCII(b, c, col)
			i++
			continue
		}
		if c == '\n' || c == '\t' { // never part of a cluster
			col = writeASCII(b, c, col)
			i++
			continue
		}
		if _, size, cells, ok := simpleCharacter(s[i:]); ok {
			b.WriteString(s[i : i+size])
			i += size
			col += cells
			continue
		}
		cluster, _ := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
		next := i + len(cluster)
		if i == 0 || s[i-1] == '\n' || s[i-1] == '\t' { // nothing to join
			if r, _ := utf8.DecodeRuneInString(cluster); joinsPrevious(r) {
				cluster = string(markBase) + cluster
			}
		}
		i = next
		cluster = agreedCluster(cluster)
		b.WriteString(cluster)
		col += ansi.StringWidth(cluster)
	}
	return col
}

// writeASCII writes one byte and returns the next column.
func writeASCII(b *strings.Builder, c byte, col int) int {
	switch c {
	case '\n':
		b.WriteByte('\n')
		return 0
	case '\t':
		n := tabStop - col%tabStop
		b.WriteString("    "[:n])
		return col + n
	}
	b.WriteByte(c)
	return col + 1
}

// agreedCluster returns a cluster in a form whose width is undisputed.
func agreedCluster(c string) string {
	if r, size := utf8.DecodeRuneInString(c); size == len(c) && !isRegional(r) {
		if wcWidth(c) == graphemeWidth(c) {
			return c
		}
	}
	c = trimCluster(c)
	if wcWidth(c) == graphemeWidth(c) {
		return c
	}
	return separateCluster(c)
}

// trimCluster drops surplus combining marks and the skin tone of an emoji.
func trimCluster(c string) string {
	var b strings.Builder
	marks, pictograph := 0, false
	for i, r := range c {
		switch {
		case i == 0:
			pictograph = unicode.Is(unicode.So, r)
		case pictograph && isSkinTone(r):
			continue
		case wcWidth(string(r)) > 0 && !unicode.Is(unicode.Mc, r):
			marks = 0
		default:
			if marks++; marks > maxMarks {
				continue
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// separateCluster splits a cluster of disputed width: Indic conjuncts and vowel signs, Thai and Lao AM, half a flag.
// It puts a zero-width space, the only separator without a width in all terminals, before every character that takes
// a cell.
func separateCluster(c string) string {
	var b strings.Builder
	part := make([]rune, 0, 8)
	flush := func() {
		if len(part) == 0 {
			return
		}
		p := string(part)
		if wcWidth(p) != graphemeWidth(p) {
			p = replacementFor(part[0])
		}
		if b.Len() > 0 {
			b.WriteRune(separator)
		}
		b.WriteString(p)
		part = part[:0]
	}
	for _, r := range c {
		flag := len(part) == 1 && isRegional(part[0]) && isRegional(r)
		if wcWidth(string(r)) > 0 && !flag {
			flush()
		}
		part = append(part, r)
	}
	flush()
	return b.String()
}

// replacementFor returns the replacement of a character without an agreed width.
func replacementFor(r rune) string {
	if isRegional(r) {
		return string('A' + r - 0x1f1e6)
	}
	return string(replacement)
}

// joinsPrevious reports whether r joins any preceding character into one cell.
func joinsPrevious(r rune) bool {
	s := "a" + string(r)
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(cluster) == len(s)
}

func isRegional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

func isSkinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

func wcWidth(s string) int { return ansi.WcWidth.StringWidth(s) }

func graphemeWidth(s string) int { return ansi.GraphemeWidth.StringWidth(s) }

// simpleWidth returns the width of a character that takes one or two cells unless the next one joins it, and 0 for
// others. It is the fast path for ordinary text.
func simpleWidth(r rune) int {
	switch {
	case r >= 0x20 && r < 0x7f:
		return 1
	case r < 0xa0:
		return 0
	case r < 0x300: // Latin
		if r == 0xa9 || r == 0xad || r == 0xae { // emoji, soft hyphen
			return 0
		}
		return 1
	case r >= 0x391 && r <= 0x3c9 && r != 0x3a2, r >= 0x400 && r <= 0x481: // Greek, Cyrillic
		return 1
	case r >= 0x2010 && r <= 0x2027: // dashes, quotes, dots
		return 1
	case r >= 0x2190 && r <= 0x2193, r >= 0x2500 && r <= 0x259f: // arrows, boxes, blocks
		return 1
	case r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa, r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3:
		return 2
	case r >= 0x3001 && r <= 0x3029, r >= 0xff01 && r <= 0xff60:
		return 2
	}
	return 0
}

// simpleCharacter returns the first character of s with its bytes and cells if it is simple and nothing joins it.
func simpleCharacter(s string) (r rune, size, cells int, ok bool) {
	r, size = utf8.DecodeRuneInString(s)
	if cells = simpleWidth(r); cells == 0 {
		return 0, 0, 0, false
	}
	if size == len(s) || s[size] < utf8.RuneSelf {
		return r, size, cells, true
	}
	next, _ := utf8.DecodeRuneInString(s[size:])
	return r, size, cells, simpleWidth(next) > 0
}
