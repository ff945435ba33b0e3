package history

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The full-text indexes of databases split text at what is neither letter nor digit. Scripts written without spaces
// would be one word per sentence, so each of their characters is made a word; a search for some of them in a row is a
// search for a phrase. Emoji, which indexes leave out, become words too.
//
// What is written into an index must be written the same way again to be taken
// out of it. So [SegmentWords] may only change together with a migration that fills
// the index anew; it depends on these tables alone, not on those of the Go release.

// isSingleCharacterWord tells whether a character is a word by itself.
func isSingleCharacterWord(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF, // Thai, Lao
		r >= 0x1000 && r <= 0x109F, // Burmese
		r >= 0x1780 && r <= 0x17FF, // Khmer
		r >= 0x2E80 && r <= 0x2FDF, // radicals
		r >= 0x3005 && r <= 0x3007, r >= 0x3021 && r <= 0x3029,
		r >= 0x3041 && r <= 0x3096, r >= 0x309D && r <= 0x309F, // Hiragana
		r >= 0x30A1 && r <= 0x30FA, r >= 0x30FC && r <= 0x30FF, // Katakana and its long mark
		r >= 0x3105 && r <= 0x312F, r >= 0x31A0 && r <= 0x31BF, // Bopomofo
		r >= 0x31F0 && r <= 0x31FF,
		r >= 0x3400 && r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, // Han
		r >= 0xF900 && r <= 0xFAFF,
		r >= 0xFF66 && r <= 0xFF9F, // half-width Katakana
		r >= 0x20000 && r <= 0x3FFFF:
		return true
	}
	return isSymbol(r)
}

// isSymbol tells whether a character is a picture rather than a letter.
func isSymbol(r rune) bool {
	return r >= 0x2190 && r <= 0x2BFF || r >= 0x1F000 && r <= 0x1FAFF
}

// SegmentWords returns text as it is given to a full-text index.
func SegmentWords(text string) string {
	if isASCIIWithoutNUL(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/2)
	for _, r := range text {
		switch {
		case r < ' ' || r == utf8.RuneError:
			b.WriteByte(' ')
		case isSymbol(r):
			b.WriteString(" \uE001" + strconv.FormatInt(int64(r), 16) + " ")
		case isSingleCharacterWord(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isASCIIWithoutNUL(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c == 0 {
			return false
		}
	}
	return true
}

// word is a word of a text by its place in bytes.
type word struct{ from, to int }

// eachWord calls yield with the words of a text in order until it returns false.
// It splits as indexes do, closely enough to show where a match is.
func eachWord(text string, yield func(word) bool) {
	from := -1
	for i, r := range text {
		single := isSingleCharacterWord(r)
		if from >= 0 && (single || !isWordCharacter(r)) {
			if !yield(word{from, i}) {
				return
			}
			from = -1
		}
		switch {
		case single && (isSymbol(r) || isWordCharacter(r)) && !unicode.Is(unicode.Mn, r):
			if !yield(word{i, i + utf8.RuneLen(r)}) {
				return
			}
		case !single && from < 0 && isWordCharacter(r) && !unicode.Is(unicode.Mn, r):
			from = i
		}
	}
	if from >= 0 {
		yield(word{from, len(text)})
	}
}

// IndexWords iterates over the words of a text as an index holds them that does not split texts itself: folded as the
// words of a [Term] are.
func IndexWords(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		eachWord(text, func(w word) bool {
			folded := foldString(text[w.from:w.to])
			return len(folded) == 0 || yield(string(folded))
		})
	}
}

// isWordCharacter tells whether a character belongs to a word.
func isWordCharacter(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return r != utf8.RuneError &&
		(unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Mn, r))
}

// foldRune returns the form in which a character is compared: small, and without
// its accent where it is Latin; 0 for an accent by itself.
func foldRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0xC0 && r <= 0x24F, r >= 0x1E00 && r <= 0x1EFF:
		base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		return unicode.ToLower(base)
	}
	return unicode.ToLower(r)
}

func foldString(s string) []rune {
	var rs []rune
	for _, r := range s {
		if f := foldRune(r); f != 0 {
			rs = append(rs, f)
		}
	}
	return rs
}

// matchesWord compares a word with a folded one. It returns how many bytes of the word matched, 0 when it does not
// begin with it, or is longer and only whole words are wanted.
func matchesWord(s string, want []rune, isPrefix bool) int {
	at, end := 0, 0
	for i, r := range s {
		f := foldRune(r)
		switch {
		case f == 0: // an accent belongs to the letter before it
		case at == len(want):
			if !isPrefix {
				return 0
			}
			return end
		case f != want[at]:
			return 0
		default:
			at++
		}
		end = i + utf8.RuneLen(r)
	}
	if at < len(want) {
		return 0
	}
	return end
}
