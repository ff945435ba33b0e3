package termtext

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxTitle is the maximum width of a window title in cells.
const maxTitle = 100

// Line is [Clean] for one line: it replaces line breaks with surrounding blanks by one space and trims both ends.
func Line(s string) string {
	s = Clean(s)
	if !strings.Contains(s, "\n") {
		return trimSpaces(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for part := range strings.SplitSeq(s, "\n") {
		part = trimSpaces(part)
		if part == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return b.String()
}

// trimSpaces removes spaces at both ends, but not one with a mark.
func trimSpaces(s string) string {
	s = strings.TrimRight(s, " ")
	t := strings.TrimLeft(s, " ")
	if len(t) < len(s) {
		if r, _ := utf8.DecodeRuneInString(t); t != "" && (r == separator || joinsPrevious(r)) {
			return " " + t
		}
	}
	return t
}

// Title is [Line] for window titles of at most 100 cells. All titles must pass it, because they are sent to the
// terminal unfiltered.
func Title(s string) string {
	return ansi.Truncate(Line(s[:min(len(s), 4096)]), maxTitle, "…")
}

// Fit makes one line of cleaned, possibly styled text exactly w cells wide: cut with … or padded with spaces. It
// returns "" for w < 1.
func Fit(s string, w int) string {
	if w < 1 {
		return ""
	}
	if strings.Contains(s, "\n") {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	n := Width(s)
	if n > w {
		s = ansi.Truncate(s, w, "…")
		n = Width(s)
	}
	if n < w {
		s += strings.Repeat(" ", w-n)
	}
	return s
}

// Width returns the width of one line of styled text, as [ansi.StringWidth] does. It is faster for letters, lines and
// styles, which are most of a screen.
func Width(s string) int {
	n := 0
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7f && (i+1 == len(s) || s[i+1] < utf8.RuneSelf):
			n++
			i++
		case c == 0x1b:
			size := sgrLength(s[i:])
			if size == 0 {
				return n + ansi.StringWidth(s[i:])
			}
			i += size
		default:
			_, size, cells, ok := simpleCharacter(s[i:])
			if !ok {
				return n + ansi.StringWidth(s[i:])
			}
			n += cells
			i += size
		}
	}
	return n
}

// sgrLength returns the length of an SGR sequence at the beginning of s, 0 for others.
func sgrLength(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}
