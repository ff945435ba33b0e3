package termtext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Emoji selects the emoji of several characters that a terminal draws as one, two cells wide. Terminals differ, so
// [Clean] splits all of them; the methods of an Emoji keep the selected ones.
type Emoji uint8

const (
	SingleEmoji   Emoji = iota // none of several characters
	EmojiVariants              // those with a variation selector, such as ❤️
	EmojiClusters              // all, including joined ones, skin tones and keycaps
)

const (
	emojiVariant    = '\ufe0f' // selects the emoji of a character that is also a sign
	zeroWidthJoiner = '\u200d'
	keycapEnd       = string(emojiVariant) + string(keycap)
	maxEmoji        = 64 // in bytes; the longest emoji has 35
)

// Clean is like [Clean] and keeps emoji that the terminal draws as one.
func (e Emoji) Clean(s string) string {
	if e == SingleEmoji || isPlain(s) {
		return Clean(s)
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/16)
	for col := 0; s != ""; {
		at, size := e.find(s)
		col = normalizeClusters(&b, replaceControls(s[:at]), col)
		b.WriteString(s[at : at+size])
		s, col = s[at+size:], col+2
	}
	return b.String()
}

// find returns the position and length of the first emoji to keep; the end of s and 0 if there is none.
func (e Emoji) find(s string) (at, size int) {
	for i := 0; i < len(s); {
		n := strings.IndexFunc(s[i:], modifiesEmoji)
		if n < 0 {
			break
		}
		i += n
		_, before := utf8.DecodeLastRuneInString(s[:i])
		if size := e.prefix(s[i-before:]); size > 0 {
			return i - before, size
		}
		_, n = utf8.DecodeRuneInString(s[i:])
		i += n
	}
	return len(s), 0
}

func modifiesEmoji(r rune) bool {
	return r == emojiVariant || r == zeroWidthJoiner || isSkinTone(r) || isTag(r)
}

func isTag(r rune) bool { return r >= 0xe0020 && r <= 0xe007f }

// prefix returns the length of an emoji of several characters to keep at the beginning of s, 0 if there is none.
func (e Emoji) prefix(s string) int {
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); e == SingleEmoji || !modifiesEmoji(next) {
		return 0
	}
	cluster, cells := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	_, isSign := slices.BinarySearchFunc(signs, first, compareRange)
	isVariant := isSign && cluster == string(first)+string(emojiVariant)
	if cells != 2 || len(cluster) > maxEmoji || !isVariant && (e == EmojiVariants || !isEmojiCluster(cluster)) {
		return 0
	}
	return len(cluster)
}

// isEmojiCluster reports whether a cluster is a keycap, a flag of a region, or joined emoji with skin tones and
// variation selectors.
func isEmojiCluster(cluster string) bool {
	if rest, ok := strings.CutSuffix(cluster, keycapEnd); ok {
		return len(rest) == 1 && endsInKey(rest)
	}
	if strings.ContainsFunc(cluster, isTag) { // other tags hide text
		return slices.Contains(regionFlags, cluster)
	}
	needsBase := true
	for _, r := range cluster {
		switch {
		case needsBase && !isEmoji(r), !needsBase && r != zeroWidthJoiner && r != emojiVariant && !isSkinTone(r):
			return false
		}
		needsBase = r == zeroWidthJoiner
	}
	return !needsBase
}

// regionFlags are the flags of England, Scotland and Wales.
var regionFlags = []string{
	"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
	"🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	"🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f",
}

// isEmoji reports whether a character is an emoji by itself or with a variation selector.
func isEmoji(r rune) bool {
	_, isSign := slices.BinarySearchFunc(signs, r, compareRange)
	return isSign || r > 0x2300 && unicode.Is(unicode.So, r) && wcWidth(string(r)) == 2
}

func compareRange(known [2]rune, r rune) int {
	switch {
	case known[1] < r:
		return -1
	case known[0] > r:
		return 1
	}
	return 0
}

// signs are the ranges of characters of Unicode 16 that are emoji only with a variation selector.
var signs = [][2]rune{
	{0xa9, 0xa9}, {0xae, 0xae}, {0x203c, 0x203c}, {0x2049, 0x2049}, {0x2122, 0x2122}, {0x2139, 0x2139},
	{0x2194, 0x2199}, {0x21a9, 0x21aa}, {0x2328, 0x2328}, {0x23cf, 0x23cf}, {0x23ed, 0x23ef}, {0x23f1, 0x23f2},
	{0x23f8, 0x23fa}, {0x24c2, 0x24c2}, {0x25aa, 0x25ab}, {0x25b6, 0x25b6}, {0x25c0, 0x25c0}, {0x25fb, 0x25fc},
	{0x2600, 0x2604}, {0x260e, 0x260e}, {0x2611, 0x2611}, {0x2618, 0x2618}, {0x261d, 0x261d}, {0x2620, 0x2620},
	{0x2622, 0x2623}, {0x2626, 0x2626}, {0x262a, 0x262a}, {0x262e, 0x262f}, {0x2638, 0x263a}, {0x2640, 0x2640},
	{0x2642, 0x2642}, {0x265f, 0x2660}, {0x2663, 0x2663}, {0x2665, 0x2666}, {0x2668, 0x2668}, {0x267b, 0x267b},
	{0x267e, 0x267e}, {0x2692, 0x2692}, {0x2694, 0x2697}, {0x2699, 0x2699}, {0x269b, 0x269c}, {0x26a0, 0x26a0},
	{0x26a7, 0x26a7}, {0x26b0, 0x26b1}, {0x26c8, 0x26c8}, {0x26cf, 0x26cf}, {0x26d1, 0x26d1}, {0x26d3, 0x26d3},
	{0x26e9, 0x26e9}, {0x26f0, 0x26f1}, {0x26f4, 0x26f4}, {0x26f7, 0x26f9}, {0x2702, 0x2702}, {0x2708, 0x2709},
	{0x270c, 0x270d}, {0x270f, 0x270f}, {0x2712, 0x2712}, {0x2714, 0x2714}, {0x2716, 0x2716}, {0x271d, 0x271d},
	{0x2721, 0x2721}, {0x2733, 0x2734}, {0x2744, 0x2744}, {0x2747, 0x2747}, {0x2763, 0x2764}, {0x27a1, 0x27a1},
	{0x2934, 0x2935}, {0x2b05, 0x2b07}, {0x3030, 0x3030}, {0x303d, 0x303d}, {0x3297, 0x3297}, {0x3299, 0x3299},
	{0x1f170, 0x1f171}, {0x1f17e, 0x1f17f}, {0x1f202, 0x1f202}, {0x1f237, 0x1f237}, {0x1f321, 0x1f321},
	{0x1f324, 0x1f32c}, {0x1f336, 0x1f336}, {0x1f37d, 0x1f37d}, {0x1f396, 0x1f397}, {0x1f399, 0x1f39b},
	{0x1f39e, 0x1f39f}, {0x1f3cb, 0x1f3ce}, {0x1f3d4, 0x1f3df}, {0x1f3f3, 0x1f3f3}, {0x1f3f5, 0x1f3f5},
	{0x1f3f7, 0x1f3f7}, {0x1f43f, 0x1f43f}, {0x1f441, 0x1f441}, {0x1f4fd, 0x1f4fd}, {0x1f549, 0x1f54a},
	{0x1f56f, 0x1f570}, {0x1f573, 0x1f579}, {0x1f587, 0x1f587}, {0x1f58a, 0x1f58d}, {0x1f590, 0x1f590},
	{0x1f5a5, 0x1f5a5}, {0x1f5a8, 0x1f5a8}, {0x1f5b1, 0x1f5b2}, {0x1f5bc, 0x1f5bc}, {0x1f5c2, 0x1f5c4},
	{0x1f5d1, 0x1f5d3}, {0x1f5dc, 0x1f5de}, {0x1f5e1, 0x1f5e1}, {0x1f5e3, 0x1f5e3}, {0x1f5e8, 0x1f5e8},
	{0x1f5ef, 0x1f5ef}, {0x1f5f3, 0x1f5f3}, {0x1f5fa, 0x1f5fa}, {0x1f6cb, 0x1f6cb}, {0x1f6cd, 0x1f6cf},
	{0x1f6e0, 0x1f6e5}, {0x1f6e9, 0x1f6e9}, {0x1f6f0, 0x1f6f0}, {0x1f6f3, 0x1f6f3},
}
