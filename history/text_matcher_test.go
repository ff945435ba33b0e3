package history

import (
	"strings"
	"testing"
)

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
