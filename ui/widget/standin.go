package widget

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A text area of bubbles makes four blanks of a tab, a line feed of a carriage return, and drops other control
// characters, U+FFFD and bytes that are no UTF-8 (v2.2.1). They are kept in it as characters that it leaves alone: a
// tab as a rare blank that more rare blanks fill up to the width of a tab, all others as characters for private use.
// These characters themselves, where a text has them, are kept by the same means.
const (
	tabStandIn = '\u205f'
	tabFiller  = '\u2008'
	tabCells   = 4

	controlStandIns = 0xF0000 // and the control character
	byteStandIns    = 0xF0100 // and the byte
	otherStandIns   = 0xF0200 // and the index in otherKept
	quoteStandIn    = 0xF0300 // before a character that is one of these itself
	endOfStandIns   = 0xF0301
)

// otherKept are the characters that stand-ins are for, besides control characters and bytes.
const otherKept = "\uFFFD\u205f\u2008"

func isStandIn(r rune) bool { return r >= controlStandIns && r < endOfStandIns }

// encode returns a text with stand-ins.
func encode(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return needsStandIn(r) }) {
		return text
	}
	var b strings.Builder
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		switch {
		case !needsStandIn(r):
			b.WriteRune(r)
		case r == '\t':
			b.WriteRune(tabStandIn)
			b.WriteString(strings.Repeat(string(tabFiller), tabCells-1))
		case r == utf8.RuneError && size == 1:
			b.WriteRune(byteStandIns + rune(text[i]))
		case unicode.IsControl(r):
			b.WriteRune(controlStandIns + r)
		case isStandIn(r):
			b.WriteRune(quoteStandIn)
			b.WriteRune(r)
		default:
			b.WriteRune(otherStandIns + rune(slices.Index([]rune(otherKept), r)))
		}
	}
	return b.String()
}

func needsStandIn(r rune) bool {
	return r != '\n' && unicode.IsControl(r) || r == tabStandIn || r == tabFiller || r == utf8.RuneError || isStandIn(r)
}

// decode returns the text that encode was given.
func decode(kept string) string {
	if !strings.ContainsFunc(kept, func(r rune) bool { return isStandIn(r) || isTabPart(r) }) {
		return kept
	}
	var b strings.Builder
	isQuoted := false
	for _, r := range kept {
		switch {
		case isQuoted:
			b.WriteRune(r)
			isQuoted = false
		case r == quoteStandIn:
			isQuoted = true
		case r == tabStandIn:
			b.WriteByte('\t')
		case r == tabFiller:
		case !isStandIn(r):
			b.WriteRune(r)
		case r >= otherStandIns:
			kept := []rune(otherKept)
			b.WriteRune(kept[min(int(r-otherStandIns), len(kept)-1)])
		case r >= byteStandIns:
			b.WriteByte(byte(r - byteStandIns))
		default:
			b.WriteRune(r - controlStandIns)
		}
	}
	return b.String()
}

func isTabPart(r rune) bool { return r == tabStandIn || r == tabFiller }

// drawn returns a text with stand-ins as it is drawn, which is as wide: control characters as their pictures.
func drawn(kept string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case isTabPart(r):
			return ' '
		case !isStandIn(r):
			return r
		case r < controlStandIns+' ':
			return r - controlStandIns + '␀'
		case r == controlStandIns+0x7F:
			return '␡'
		}
		return utf8.RuneError
	}, kept)
}
