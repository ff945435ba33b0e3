package history

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The full-text indexes of databases split text at characters that are neither letters nor digits. In scripts without
// spaces a sentence would be one word, so each of their characters is a word, and a search for several in a row is a
// phrase search. Emoji, which indexes ignore, are words too.
//
// Removing a text from an index requires exactly the words that were added. So [SegmentWords] may change only with a
// migration that fills the index again; it uses these tables and not those of the Go release.

// isSingleCharacterWord reports whether a character is a word by itself.
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

// isSymbol reports whether a character is a picture rather than a letter.
func isSymbol(r rune) bool {
	return r >= 0x2190 && r <= 0x2BFF || r >= 0x1F000 && r <= 0x1FAFF
}

// SegmentWords returns text as full-text indexes take it.
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

// word is the byte range of a word in a text.
type word struct{ from, to int }

// eachWord calls yield with the words of a text in order until it returns false. It splits as indexes do, closely
// enough to show matches.
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

// IndexWords iterates over the words of a text for an index that does not split texts itself, folded like the words
// of a [Term].
func IndexWords(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		eachWord(text, func(w word) bool {
			folded := foldString(text[w.from:w.to])
			return len(folded) == 0 || yield(string(folded))
		})
	}
}

// isWordCharacter reports whether a character belongs to a word.
func isWordCharacter(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return r != utf8.RuneError &&
		(unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Mn, r))
}

// foldRune returns the form in which a character is compared: in lower case, and Latin letters without accents; 0 for
// a separate accent.
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

// matchesWord returns how many bytes of s match a folded word; 0 if s does not begin with it, or is longer and
// isPrefix is false.
func matchesWord(s string, want []rune, isPrefix bool) int {
	at, end := 0, 0
	for i, r := range s {
		f := foldRune(r)
		switch {
		case f == 0: // an accent belongs to the preceding letter
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
