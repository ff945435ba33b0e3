package terminput

import (
	"unicode/utf8"
)

// The limits of one escape sequence. Keys, mouse events and answers are much shorter, and the library's parser panics
// above 32 parameters.
const (
	maxParams   = 24
	maxDigits   = 7       // of one parameter; code points have seven
	maxControl  = 256     // bytes of a control sequence (CSI, SS3)
	maxSequence = 4 << 10 // bytes of a control string (OSC, DCS, APC)
)

const (
	esc = 0x1b
	bel = 0x07
	can = 0x18
	sub = 0x1a
	del = 0x7f
)

// The markers of a bracketed paste.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// tokenKind is the kind of a token.
type tokenKind int

const (
	incomplete      tokenKind = iota // needs more bytes
	textRun                          // a run of printable characters
	controlKey                       // one control character
	escapeSequence                   // a complete escape sequence, or escape and the key of an alt combination
	invalid                          // not sent by terminals: it is dropped
	oversizeControl                  // the beginning of an oversize control sequence
	oversizeString                   // the beginning of an oversize control string
)

// scan returns the kind and length of the first token of b, which is not empty. The length of an incomplete token is
// that of b.
func scan(b []byte) (tokenKind, int) {
	switch {
	case b[0] == esc:
		return scanEscape(b)
	case isControl(b[0]):
		return controlKey, 1
	}
	if n := printable(b); n > 0 {
		return textRun, n
	}
	if !utf8.FullRune(b) {
		return incomplete, len(b)
	}
	return invalid, 1
}

func isControl(c byte) bool { return c < ' ' || c == del }

// printable returns the length of the leading characters of b that are no control characters.
func printable(b []byte) int {
	n := 0
	for n < len(b) {
		if b[n] < utf8.RuneSelf {
			if isControl(b[n]) {
				return n
			}
			n++
			continue
		}
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 || r < 0xa0 { // C1 controls end at U+009F
			return n
		}
		n += size
	}
	return n
}

// scanEscape scans a token that begins with an escape character.
func scanEscape(b []byte) (tokenKind, int) {
	if len(b) == 1 {
		return incomplete, 1
	}
	switch c := b[1]; {
	case c == '[':
		return scanControlSequence(b)
	case c == 'O':
		return scanSingleShift(b)
	case c == ']' || c == 'P' || c == '_':
		return scanString(b)
	case c == esc:
		return scanAltSequence(b)
	case isControl(c):
		return escapeSequence, 2
	}
	// One character with alt.
	switch r, size := utf8.DecodeRune(b[1:]); {
	case r != utf8.RuneError:
		return escapeSequence, 1 + size
	case !utf8.FullRune(b[1:]):
		return incomplete, len(b)
	}
	return invalid, 2
}

// scanAltSequence scans an escape character before an escape sequence, which is alt in older terminals. Two escapes
// before anything else are the escape key pressed twice.
func scanAltSequence(b []byte) (tokenKind, int) {
	if len(b) == 2 {
		return incomplete, 2
	}
	if b[2] != '[' && b[2] != 'O' {
		return escapeSequence, 1
	}
	kind, n := scanEscape(b[1:])
	if kind == escapeSequence || kind == incomplete {
		return kind, n + 1
	}
	return escapeSequence, 1
}

// scanControlSequence scans CSI: parameters, intermediate bytes and a final byte.
func scanControlSequence(b []byte) (tokenKind, int) {
	params, digits, valid := 1, 0, true
	i := 2
	for ; i < len(b) && b[i] >= ' ' && b[i] <= '?'; i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == ';' || c == ':':
			params, digits = params+1, 0
		}
		valid = valid && params <= maxParams && digits <= maxDigits && i < maxControl
		if !valid && i >= maxControl {
			return oversizeControl, i + 1
		}
	}
	switch {
	case i == len(b):
		return incomplete, i
	case b[i] < '@' || b[i] >= del:
		if b[i-1] == '$' && valid { // rxvt ends sequences of shifted keys so
			return escapeSequence, i
		}
		return altOrInvalid(i)
	case !valid:
		return invalid, i + 1
	case i == 2 && b[i] == 'M': // the oldest mouse report: three bytes follow
		return fixedLength(b, 6)
	case i == 2 && b[i] == '[': // a function key of the Linux console: a letter follows
		return fixedLength(b, 4)
	}
	return escapeSequence, i + 1
}

// fixedLength scans a sequence with a number of bytes after its final byte. These may be any but control characters;
// the 95th column or row of the mouse is DEL, and one past the 223rd is NUL.
func fixedLength(b []byte, n int) (tokenKind, int) {
	for i := 3; i < min(n, len(b)); i++ {
		if b[i] != 0 && b[i] < ' ' {
			return invalid, i
		}
	}
	if len(b) < n {
		return incomplete, len(b)
	}
	return escapeSequence, n
}

// scanSingleShift scans SS3: digits for the modifiers, and a letter.
func scanSingleShift(b []byte) (tokenKind, int) {
	i := 2
	for i < len(b) && i < 2+maxDigits && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	switch {
	case i == len(b):
		return incomplete, i
	case b[i] <= ' ' || b[i] >= del:
		return altOrInvalid(i)
	}
	return escapeSequence, i + 1
}

// altOrInvalid returns the kind of an invalid sequence of n bytes. With two bytes it is alt with the letter that
// would begin a sequence.
func altOrInvalid(n int) (tokenKind, int) {
	if n == 2 {
		return escapeSequence, n
	}
	return invalid, n
}

// scanString scans a control string up to its terminator. If it does not begin like a terminal's answer, it is alt
// with the letter that would begin one.
func scanString(b []byte) (tokenKind, int) {
	if len(b) > 2 && !beginsAnswer(b[1], b[2]) {
		return escapeSequence, 2
	}
	end, n := stringEnd(b[2:], b[1] == ']')
	switch {
	case end == unterminated && len(b) > maxSequence:
		return oversizeString, n + 2
	case end == unterminated:
		return incomplete, len(b)
	case end == aborted || n+2 > maxSequence:
		return invalid, n + 2
	}
	return escapeSequence, n + 2
}

// beginsAnswer reports whether c can follow the letter of a control string: the number of an OSC, the parameters of a
// DCS, and the G of kitty's pictures.
func beginsAnswer(letter, c byte) bool {
	switch letter {
	case ']':
		return c >= '0' && c <= '9'
	case 'P':
		return c > ' ' && c <= '?'
	}
	return c == 'G'
}

// stringEnding is the way a control string ends.
type stringEnding int

const (
	unterminated stringEnding = iota
	terminated
	aborted
)

// stringEnd returns the length of a control string and how it ends. Another control character, such as that of a
// pressed key, aborts the string and is not part of it. An escape character at the end of b leaves the string
// unterminated.
func stringEnd(b []byte, isCommand bool) (stringEnding, int) {
	for i, c := range b {
		switch {
		case !isControl(c) || c == bel && !isCommand:
		case c == can || c == sub:
			return aborted, i + 1
		case c == bel:
			return terminated, i + 1
		case c != esc:
			return aborted, i
		case i+1 == len(b):
			return unterminated, i
		case b[i+1] == '\\':
			return terminated, i + 2
		default:
			return aborted, i
		}
	}
	return unterminated, len(b)
}
