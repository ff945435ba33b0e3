package history

import (
	"slices"
	"strings"
	"testing"
)

// TestSnippetsAreReadInOneLine leaves out Markdown that says nothing in one line.
func TestSnippetsAreReadInOneLine(t *testing.T) {
	for _, c := range []struct{ typed, text, want string }{
		{"", "| | |\n|---|---|\n| Name | Kon-Tiki |\n| Crew | **6** |\n", "Name · Kon-Tiki · Crew · 6"},
		{"crew", "All before.\n\n| Ship | Crew |\n|:--|--:|\n| Ra | 7 |", "All before. Ship · [Crew] · Ra · 7"},
		{"w", "before.\n\n> And we went", "before. And [w]e [w]ent"},
		{"code", "# The *code*\n\n```go\na | b ** c\n```\n#define", "The *[code]* a | b ** c #define"},
		{"|", "| a |", "[|] a"},
		{"end", "\xffthe\tend", "?the [end]"},
	} {
		line, match := NewTextMatcher(c.typed).Snippet(c.text)
		for _, m := range slices.Backward(match) {
			line = line[:m[0]] + "[" + line[m[0]:m[1]] + "]" + line[m[1]:]
		}
		if line != c.want {
			t.Errorf("%q in %q\n got %q\nwant %q", c.typed, c.text, line, c.want)
		}
	}
}

// FuzzSnippet searches for any text in any text: matches are within the line, which is short and valid.
func FuzzSnippet(f *testing.F) {
	f.Add("refund", "please refund it")
	f.Add(`"in a row" x`, "words in a row")
	f.Add("退款", "請問退款流程是什麼")
	f.Add("\x00\xff", "\xff\x00\xed\xa0\x80")
	f.Add("e\u0301", "E\u0301\u0301\u0301 é")
	f.Add("++", "C++")
	f.Add("🎉", "\u200d🎉\ufe0f")
	f.Fuzz(func(t *testing.T, typed, text string) {
		m := NewTextMatcher(typed)
		line, match := m.Snippet(text)
		if strings.ContainsAny(line, "\n\r\t") || len(line) > snippetSize*3+len("……") {
			t.Fatalf("line %q", line)
		}
		last := 0
		for _, w := range match {
			if w[0] < last || w[1] <= w[0] || w[1] > len(line) {
				t.Fatalf("matches %v in %q", match, line)
			}
			last = w[1]
		}
		for _, w := range m.Matches(text, -1) {
			if w[0] >= w[1] || w[1] > len(text) {
				t.Fatalf("match %v in %q", w, text)
			}
		}
		if s := SegmentWords(text); isASCIIWithoutNUL(text) != (s == text) &&
			!strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f }) {
			t.Fatalf("%q is given to the index as %q", text, s)
		}
	})
}
