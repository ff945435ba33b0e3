package termtext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// MaxQuoted is how many characters of a foreign text an error sentence quotes.
const MaxQuoted = 80

// IsInvisible reports whether a character occupies a text without showing in it: direction marks, joiners,
// variation selectors, tags, Hangul fillers and whatever else Unicode calls default ignorable.
func IsInvisible(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return true
	case r == 0x1d159: // musical null notehead
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff // the whole plane of tags, assigned or not
}

// CountHidden returns how many characters of a text show nothing: controls but line breaks and tabs, and invisible ones
// but those that letters and emoji are made with.
func CountHidden(s string) (n int) {
	for i, r := range s {
		switch r {
		case '\n', '\t', 0x200c, 0x200d, 0xfe0e, 0xfe0f:
		case '\r':
			if !strings.HasPrefix(s[i+1:], "\n") {
				n++
			}
		default:
			if unicode.IsControl(r) || IsInvisible(r) {
				n++
			}
		}
	}
	return n
}

// IsVisible reports whether a character shows in a text, or is the plain space.
func IsVisible(r rune) bool { return strconv.IsPrint(r) && !IsInvisible(r) }

// Cut returns at most [MaxQuoted] characters of a text, with an ellipsis in place of the rest.
func Cut(s string) string {
	if len(s) <= MaxQuoted {
		return s
	}
	count := 0
	for i := range s {
		if count++; count > MaxQuoted {
			return s[:i] + "…"
		}
	}
	return s
}

// Escape returns at most [MaxQuoted] characters of a text with everything that does not show in it written as
// Go and TOML escape it, such as \u200b.
func Escape(s string) string { return escape(Cut(s), "") }

// Quote is [Escape] between double quotes; quotes and backslashes in the text are escaped as well.
func Quote(s string) string { return `"` + escape(Cut(s), `"\`) + `"` }

// escape also puts a backslash before each of the characters in marked.
func escape(s, marked string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case strings.ContainsRune(marked, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case IsVisible(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// NearestName returns the candidate that a misspelt name most likely stands for, or "" when none is near: a candidate
// with the same last part (after the last dot), or one that differs by at most two characters.
func NearestName(name string, candidates []string) string {
	lastPart := func(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
	best, distance := "", 3
	for _, c := range candidates {
		d := 99
		switch n := len(name) - len(c); {
		case strings.Contains(c, ".") && lastPart(name) == lastPart(c):
			d = 1
		case len(c) <= 60 && n >= -2 && n <= 2:
			d = levenshtein.ComputeDistance(name, c)
		}
		if d < distance || d == distance && d < 3 && c < best {
			best, distance = c, d
		}
	}
	return best
}
