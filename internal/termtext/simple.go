package termtext

import "unicode/utf8"

// simple returns the cells of a character that is a cell or two by itself unless
// what follows joins it, and 0 for one that has to be looked at closely. It is
// what makes ordinary text cheap.
func simple(r rune) int {
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

// simpleAt returns the first character of s with its bytes and cells when it is
// simple and nothing joins it.
func simpleAt(s string) (r rune, size, cells int, ok bool) {
	r, size = utf8.DecodeRuneInString(s)
	if cells = simple(r); cells == 0 {
		return 0, 0, 0, false
	}
	if size == len(s) || s[size] < utf8.RuneSelf {
		return r, size, cells, true
	}
	next, _ := utf8.DecodeRuneInString(s[size:])
	return r, size, cells, simple(next) > 0
}
