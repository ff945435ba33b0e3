package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
)

// TextSize is the size of a text in several units.
type TextSize struct {
	Bytes int // of UTF-8
	Chars int // grapheme clusters, the characters that people see
	Words int // Unicode words with a letter or a digit
	Lines int // including a last line without a line end; 0 for an empty text
}

// MeasureText returns the size of a text.
func MeasureText(text string) TextSize {
	return TextSize{Bytes: len(text), Chars: Graphemes(text), Words: Words(text), Lines: countLines(text)}
}

// Graphemes returns the number of grapheme clusters.
func Graphemes(text string) int {
	n := 0
	for tokens := graphemes.FromString(text); tokens.Next(); {
		n++
	}
	return n
}

// Words returns the number of Unicode words with a letter or a digit, so that punctuation, blanks and emoji do not
// count. Each ideograph counts as one.
func Words(text string) int {
	n := 0
	for tokens := words.FromString(text); tokens.Next(); {
		if strings.ContainsFunc(tokens.Value(), isWord) {
			n++
		}
	}
	return n
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// FirstLine returns the first nonblank line of a text.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// countLines returns the number of lines.
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// estimateTokens estimates the tokens of a text of this size: a quarter of the bytes, rounded to two digits.
func estimateTokens(bytes int) int {
	if bytes <= 0 {
		return 0
	}
	n := bytes/4 + (bytes%4+3)/4
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// ShortTokens formats an estimated number of tokens with two digits: "87", "150", "2.1k", "128k".
func ShortTokens(n int) string {
	switch {
	case n < 100:
		return strconv.Itoa(n)
	case n < 995:
		return strconv.Itoa((n + 5) / 10 * 10)
	case n < 9950:
		return strings.TrimSuffix(strconv.FormatFloat(float64(n)/1000, 'f', 1, 64), ".0") + "k"
	}
	return strconv.Itoa((n+500)/1000) + "k"
}

// EstimatedTokens formats an estimate of the tokens of a text of this size: "~150 tokens".
func EstimatedTokens(bytes int) string { return "~" + strconv.Itoa(estimateTokens(bytes)) + " tokens" }

// Rate formats how many of a unit come in a second: "109 tokens/s".
func Rate(perSecond float64, unit string) string { return fmt.Sprintf("%.0f %ss/s", perSecond, unit) }

// Summary holds the median and range of durations.
type Summary struct {
	N                int
	Median, Min, Max time.Duration
}

// Summarize returns the median and range of samples. It ignores unknown ones, which are below zero. The median of an
// even number of samples is the mean of the two middle ones.
func Summarize(samples []time.Duration) Summary {
	s := slices.DeleteFunc(slices.Clone(samples), func(d time.Duration) bool { return d < 0 })
	slices.Sort(s)
	if len(s) == 0 {
		return Summary{}
	}
	low, high := s[(len(s)-1)/2], s[len(s)/2]
	return Summary{N: len(s), Median: low + (high-low)/2, Min: s[0], Max: s[len(s)-1]}
}

// String returns "2.1 s (1.8–4.0, n=5)", only the duration for one sample, and "" for none.
func (s Summary) String() string {
	switch s.N {
	case 0:
		return ""
	case 1:
		return Seconds(s.Median)
	}
	return fmt.Sprintf("%s (%s, n=%d)", Seconds(s.Median), s.Range(), s.N)
}

// Range returns the shortest and the longest duration, "1.8–4.0"; with their units from 100 seconds on.
func (s Summary) Range() string {
	low, high := Seconds(s.Min), Seconds(s.Max)
	if before, isSeconds := strings.CutSuffix(high, " s"); isSeconds && !strings.Contains(high, "m") {
		low, high = strings.TrimSuffix(low, " s"), before
	}
	return low + "–" + high
}

// Capitalize makes the first letter of a text a capital.
func Capitalize(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}
