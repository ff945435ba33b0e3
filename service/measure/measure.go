package measure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
)

// Size is what a text measures.
type Size struct {
	Bytes int // of UTF-8
	Chars int // grapheme clusters: what a person sees as characters
	Words int // Unicode words that hold a letter or a digit
	Lines int // a last line without an end counts, an empty text has none
}

// Of returns what a text measures.
func Of(text string) Size {
	return Size{Bytes: len(text), Chars: Graphemes(text), Words: Words(text), Lines: Lines(text)}
}

// Graphemes returns the number of grapheme clusters.
func Graphemes(text string) int {
	n := 0
	for tokens := graphemes.FromString(text); tokens.Next(); {
		n++
	}
	return n
}

// Words returns the number of words by the Unicode word boundaries that hold a
// letter or a digit; punctuation, blanks and emoji are none. Ideographs count
// one each, as the boundaries have them.
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

// Lines returns the number of lines.
func Lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// Tokens returns a guess at the tokens of a text of so many bytes: a quarter
// of them, rounded to two figures. It is a guess and never money.
func Tokens(bytes int) int {
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

// SayTokens returns the guess as it is shown, "~150 tok".
func SayTokens(bytes int) string { return "~" + strconv.Itoa(Tokens(bytes)) + " tok" }

// Summary is what samples of a time or another figure say together.
type Summary struct {
	N                int
	Median, Min, Max time.Duration
}

// PercentileSamples is from how many samples on a percentile is said.
const PercentileSamples = 20

// Summarise returns the median and range of samples; those below zero are
// unknown and left out. The median of an even number is the mean of the two in
// the middle.
func Summarise(samples []time.Duration) Summary {
	s := known(samples)
	if len(s) == 0 {
		return Summary{}
	}
	low, high := s[(len(s)-1)/2], s[len(s)/2]
	return Summary{N: len(s), Median: low + (high-low)/2, Min: s[0], Max: s[len(s)-1]}
}

func known(samples []time.Duration) []time.Duration {
	s := slices.DeleteFunc(slices.Clone(samples), func(d time.Duration) bool { return d < 0 })
	slices.Sort(s)
	return s
}

// Percentile returns the sample that p per cent of the samples do not exceed
// (nearest rank), p from 1 to 100. It is false under [PercentileSamples]
// samples, because such a figure says nothing.
func Percentile(samples []time.Duration, p int) (time.Duration, bool) {
	s := known(samples)
	if len(s) < PercentileSamples || p < 1 || p > 100 {
		return 0, false
	}
	rank := int(math.Ceil(float64(p) / 100 * float64(len(s))))
	return s[rank-1], true
}

// String returns the summary as it is shown: "2.1 s (1.8–4.0, n=5)", only the
// figure for one sample, and nothing for none.
func (s Summary) String() string {
	switch s.N {
	case 0:
		return ""
	case 1:
		return Say(s.Median)
	}
	return fmt.Sprintf("%s (%s–%s, n=%d)", Say(s.Median), seconds(s.Min), seconds(s.Max), s.N)
}

// Say returns a time as it is shown: seconds with one decimal, "1.9 s".
func Say(d time.Duration) string { return seconds(d) + " s" }

func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
}
