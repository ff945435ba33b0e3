package format_test

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"confab/internal/format"
)

// FuzzFenced parses fenced texts as Markdown: none closes its fence, and all of it is there.
func FuzzFenced(f *testing.F) {
	for _, s := range []string{"", "a", "```", "a\n```\nb", "````\n```", "~~~\n", "`` ` ```````", "\n\n```\n",
		"    ```\nx",
		"> ```", "<!-- \n```"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsAny(s, "\r\x00") { // goldmark changes them
			t.Skip()
		}
		source := []byte("before\n\n" + format.Fenced("go", s) + "\nafter")
		document := goldmark.DefaultParser().Parse(text.NewReader(source))
		code, ok := document.FirstChild().NextSibling().(*ast.FencedCodeBlock)
		if !ok || document.ChildCount() != 3 {
			t.Fatalf("%q is %d blocks", source, document.ChildCount())
		}
		want := s
		if s != "" && !strings.HasSuffix(s, "\n") {
			want += "\n"
		}
		if got := string(code.Lines().Value(source)); got != want {
			t.Errorf("%q is read as %q", want, got)
		}
	})
}
