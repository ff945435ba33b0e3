package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain replaces characters with a meaning in Markdown, so that texts can be quoted in it.
func plain(s string) string {
	return strings.NewReplacer(
		"|", "¦", "`", "'", "*", "∗", "_", " ", "[", "(", "]", ")", "<", "‹", ">", "›", "#", "＃",
	).Replace(s)
}

// oneLine replaces control characters and line breaks by spaces and keeps at most 2,000 runes.
func oneLine(s string) string {
	return shorten(strings.Join(strings.Fields(withoutControls(firstBytes(s, 8000))), " "), 2000)
}

// withoutControls replaces control characters but line breaks by spaces.
func withoutControls(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, s)
}

// firstBytes cuts s to at most n bytes of valid UTF-8.
func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// shorten cuts s to n runes at a space and marks the cut.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	out := string([]rune(s)[:n-1])
	if i := strings.LastIndexByte(out, ' '); i > len(out)/2 {
		out = out[:i]
	}
	return strings.TrimRight(out, " ,;:") + "…"
}

// before returns the part of s before sep.
func before(s, sep string) string {
	head, _, _ := strings.Cut(s, sep)
	return head
}

// lowerFirst lowers the first letter, except that of an abbreviation.
func lowerFirst(s string) string {
	if s == "" || len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// lineBreaks converts the line breaks of s to hard breaks in Markdown.
func lineBreaks(s string) string { return strings.ReplaceAll(s, "\n", "  \n") }
