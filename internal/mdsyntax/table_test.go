package mdsyntax_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"confab/internal/mdsyntax"
)

// TestRowsKeepAllCells checks that rows lose no text.
func TestRowsKeepAllCells(t *testing.T) {
	md := goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithParagraphTransformers(mdsyntax.ParagraphTransformers()...)))
	for row, want := range map[string]string{
		"| 1 | 2 |":              "1, 2",
		"| 1 |":                  "1, ",
		"| 1 | 2 | 3 | 4 |":      "1, 2 | 3 | 4",
		"1 | 2 | 3":              "1, 2 | 3",
		"| `x | y` | code |":     "<code>x | y</code>, code",
		"| ``a|`b`` | `c | d` |": "<code>a|`b</code>, <code>c | d</code>",
		"| `x | y | z |":         "`x, y | z",
		"| 1 | 2 | |":            "1, 2 |",
		"| a \\| b | c | d |":    "a | b, c | d",
	} {
		for _, prefix := range []string{"", "> ", "- text\n\n  "} {
			indent := strings.NewReplacer("- text", "      ", "\n", "").Replace(prefix)
			if prefix == "- text\n\n  " {
				indent = "  "
			}
			source := prefix + "| a | b |\n" + indent + "|---|---|\n" + indent + row + "\n"
			var out bytes.Buffer
			if err := md.Convert([]byte(source), &out); err != nil {
				t.Fatal(err)
			}
			_, body, _ := strings.Cut(out.String(), "<tbody>")
			body, _, _ = strings.Cut(body, "</tbody>")
			got := strings.NewReplacer("<tr>", "", "</tr>", "", "<td>", "", "\n", "").Replace(body)
			if got = strings.ReplaceAll(strings.TrimSuffix(got, "</td>"), "</td>", ", "); got != want {
				t.Errorf("%q: got %q, want %q", source, got, want)
			}
		}
	}
}
