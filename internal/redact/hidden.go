package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"confab/internal/termtext"
)

// maxHidden bounds the invisible bytes between two characters of a secret, and so the bytes that a writer holds back.
const maxHidden = 4 << 10

// minBeforeBreak is the minimum number of bytes of a secret before a line break within it. A smaller one would make a
// writer hold back every line that ends like the beginning of a secret.
const minBeforeBreak = 4

func isLineBreak(c byte) bool { return c == '\n' || c == '\r' }

// isHidden reports whether a text is one character without a width of its own on a screen.
func isHidden(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return size == len(s) && size > 0 && isHiddenRune(r)
}

func isHiddenRune(r rune) bool {
	if r >= 0x20 && r < 0x7f || r == '\t' {
		return false
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.M, unicode.Zl, unicode.Zp) || termtext.IsInvisible(r)
}

// Drawn masks rendered text and keeps styles and positions: every cell of a secret becomes a dot. It finds secrets
// that rendering joined by removing markup, or broke into rows with leading blanks.
func (m *Masker) Drawn(lines string) string {
	if m = m.current(); m == nil || len(m.secrets().patterns) == 0 {
		return lines
	}
	dot := m.dots[:len(m.dots)/len("****")]
	masked, _, _ := m.replace("", lines, true, func(found string) string {
		var out, styles strings.Builder
		start := 0 // of the row
		endRow := func(end int) {
			out.WriteString(strings.Repeat(dot, termtext.Width(found[start:end])) + styles.String())
			styles.Reset()
		}
		for i := 0; i < len(found); {
			n := 1
			switch c := found[i]; {
			case c == escape:
				n, _ = hiddenLength(found[i:])
				styles.WriteString(found[i : i+n])
			case isLineBreak(c):
				endRow(i)
				n, _ = hiddenLength(found[i:])
				start = i + n
				out.WriteString(found[i:start])
			}
			i += n
		}
		endRow(len(found))
		return out.String()
	})
	return masked
}

// withoutHidden returns the visible part of a text without line breaks.
func withoutHidden(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if n, _ := hiddenLength(s[i:]); n > 0 {
			i += n
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// skipHidden adds the position after an invisible part of the text.
func (f *matcher) skipHidden(to *positions, at int) {
	start := at
	if f.matched < minBeforeBreak && at < len(f.text) && (isLineBreak(f.text[at]) || f.text[at] == '\\') {
		return
	}
	for at < len(f.text) && at-start < maxHidden {
		n, isOpen := hiddenLength(f.text[at:])
		f.more = f.more || isOpen
		if n == 0 {
			break
		}
		if f.text[at] == escape { // a reader may not interpret the sequence
			to.add(at + 1)
		}
		at += n
	}
	if at > start {
		to.add(at)
	}
}

// hiddenLength returns the length of the invisible character or escape sequence at the beginning of a text, 0 for
// none, and whether more text could extend it. It includes the blanks after a line break, and a backslash before it.
func hiddenLength(s string) (n int, isOpen bool) {
	switch c := s[0]; {
	case c == escape:
		return sequenceLength(s, 1)
	case c == '\n' || c == '\r':
		return len(s) - len(strings.TrimLeft(s, " \t\r\n")), false
	case c == '\\' && len(s) > 1 && (s[1] == '\n' || s[1] == '\r'):
		return 2, false
	case c < utf8.RuneSelf:
		if isHiddenRune(rune(c)) {
			n = 1
		}
		return n, false
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size <= 1:
		return 0, !utf8.FullRuneInString(s)
	case r >= 0x80 && r < 0xa0:
		return sequenceLength("\x1b"+string(r-0x40)+s[size:min(len(s), maxHidden)], size)
	case isHiddenRune(r):
		return size, false
	}
	return 0, false
}

const escape = 0x1b

// sequenceLength returns the length of the escape sequence at the beginning of a text, or of only its introducer for
// an invalid one, and whether more text could extend it.
func sequenceLength(s string, introducer int) (n int, isOpen bool) {
	s = s[:min(len(s), maxHidden)]
	if len(s) < 2 {
		return introducer, true
	}
	if strings.IndexByte("]PX^_", s[1]) >= 0 {
		for _, end := range []string{"\a", "\x1b\\", "\u009c"} {
			if i := strings.Index(s, end); i >= 0 && (n == 0 || i+len(end) < n) {
				n = i + len(end)
			}
		}
		if n == 0 {
			return introducer, len(s) < maxHidden
		}
		return n, false
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case i == 1 && c == '[', c >= 0x20 && c < 0x30, s[1] == '[' && c >= 0x30 && c < 0x40:
		case c >= 0x30 && c < 0x7f:
			return i + 1, false
		default:
			return introducer, false
		}
	}
	return introducer, len(s) < maxHidden
}
