package termtext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// MaxQuoted is the maximum number of characters of untrusted text in an error.
const MaxQuoted = 80

// IsInvisible reports whether a character is invisible: direction marks, joiners, variation selectors, tags, Hangul
// fillers and other default ignorables of Unicode.
func IsInvisible(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return true
	case r == 0x1d159: // musical null notehead
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff // the plane of tags, assigned or not
}

// CountHidden returns the number of invisible characters of a text: controls except line breaks and tabs, and others
// that are not part of letters or emoji.
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

// IsVisible reports whether a character is visible or the plain space.
func IsVisible(r rune) bool { return strconv.IsPrint(r) && !IsInvisible(r) }

// Cut returns at most [MaxQuoted] characters of a text, with an ellipsis for the rest.
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

// Escape returns at most [MaxQuoted] characters of a text with invisible ones escaped as in Go and TOML, such as
// \u200b.
func Escape(s string) string { return escape(Cut(s), "") }

// Quote is [Escape] in double quotes; it also escapes quotes and backslashes.
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

// NearestName returns the candidate that a misspelt name most likely means, or "": one with the same last part (after
// the last dot), or with at most two different characters.
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
