package markdown_test

import (
	"embed"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"confab/internal/termtext"
	"confab/ui/markdown"

	"github.com/charmbracelet/x/ansi"
)

//go:embed testdata/cases
var caseFiles embed.FS

// constructs are texts of every construct whose characters are all drawn.
var constructs = []string{
	sample, international,
	"# A\n## B\n### C\n#### D\n##### E\n###### F\n\nG\n===\n\nH\nand I\n---\n",
	"- a\n- b\n\n  c\n\n      d\n  - e\n    1. f\n    2. g\n+ h\n* i\n\n7) j\n8) k",
	"- [ ] open\n- [x] done\n-\n- after an empty item",
	"> a\n> b\n>\n> > c\nlazy d\n\n>e\n>- f\n>- g",
	"```\ncode\n\n\n  more\n```\n~~~ python title=\"x.py\"\nprint(1)\n~~~\n\n    indented\n\n\tby a tab\n",
	"```unclosed\nand so on",
	"| a | b |\n|---|---|\n| 1 | 2 | 3 | 4 |\n| 5 |\n| `p | q` | r |\n| long words that do not fit | more |",
	"| one |\n|---|\n| x |\n\na | b\n--|--\nc | d\nnot a row after all",
	"text\n| h | i |\n|---|---|\n| j | k |\nafter\n\n| m | n |\n| o | p |",
	"a <b>bold</b> <i>x <kbd>k</kbd> <!-- note --> <br> z <u>under</u>\n\n<div class=\"q\">\n  <p>inner</p>\n</div>",
	"*a* **b** ***c*** _d_ __e__ ~~f~~ `g` ``h ` i`` *j **k** l* a*b*c x_y_z 2*3*4 ** not ** bold",
	"a\\\nb  \nc\nd\\*e \\_ f\\g",
	"Term\n: definition\n: second\n\nOther\n\n: third",
	"[a]: no definition\n\n[b]\n\n[c][d] [e][] ![f]",
	"https://example.org/a_b_c www.example.org me@example.org <https://example.net/x>",
	"Name:   Anna\n  Age: 33\n\tCity: Oslo\n\n  ____\n /    \\\n| o  o |\n \\____/",
	"---\n***\n___\n- - -\na\n* * *\nb",
	"**标题：**内容\n*强调*、~~删除~~。\n「**（重要）**」です\n**한국어(Korean)**는",
	"1986\\. A great year\n1986. Another\n\n1) x\n- y\n+ z",
	"+1 555 0100\n-5 degrees\n# not\n#hashtag\n100%\n50/50 {a} a@b \"q\" 'r' ; ? ,",
}

// TestEveryVisibleCharacterIsDrawn holds that markdown hides nothing but its own marks.
func TestEveryVisibleCharacterIsDrawn(t *testing.T) {
	texts := constructs
	files, err := fs.Glob(caseFiles, "testdata/cases/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range files {
		b, err := caseFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	for _, text := range texts {
		for _, width := range []int{20, 47, 120} {
			if missing := missingIn(drawn(renderer(width), text), text); missing != "" {
				t.Errorf("%d cells wide, %q is missing of\n%s\n\ndrawn as\n%s", width, missing, text,
					drawn(renderer(width), text))
			}
		}
	}
}

// FuzzEveryVisibleCharacterIsDrawn holds the same for any text without what stands for something else: entities,
// formulas, targets of links, footnotes, tags.
func FuzzEveryVisibleCharacterIsDrawn(f *testing.F) {
	for _, text := range constructs {
		f.Add(text, uint8(40))
	}
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		if len(text) > 4000 || strings.ContainsAny(text, "&$<^") || regexp.MustCompile(`\]\(|\\[(\[]`).MatchString(text) {
			return
		}
		if missing := missingIn(drawn(renderer(int(width)), text), text); missing != "" {
			t.Fatalf("%q is missing, %d cells wide, of %q\ndrawn as\n%s", missing, width, text,
				drawn(renderer(int(width)), text))
		}
	})
}

func drawn(r *markdown.Renderer, text string) string {
	var lines []string
	for _, b := range markdown.Split(text) {
		lines = append(lines, r.Block(b)...)
	}
	return ansi.Strip(strings.Join(lines, "\n"))
}

// notDrawn matches what stands for something else: numbers of lists, which are counted anew, boxes of tasks, targets of
// links, and the tags and entities that are drawn as what they mean.
var notDrawn = regexp.MustCompile(`(?m)^[ \t>*+-]*\d+[.)]|\[[ xX]\]|\]\([^)]*\)|<br ?/?>|&[a-z]+;`)

// missingIn returns the letters, digits and signs of a text of which fewer were drawn. Those of markup do not count.
func missingIn(drawn, text string) string {
	counts := map[rune]int{}
	for _, r := range drawn {
		counts[r]++
	}
	var missing strings.Builder
	for _, r := range notDrawn.ReplaceAllString(termtext.Clean(text), "") {
		isSign := r < unicode.MaxASCII && strings.ContainsRune(`,;'"?%@/{}`, r)
		if !isSign && !unicode.In(r, unicode.L, unicode.N, unicode.Sc, unicode.So) {
			continue
		}
		if counts[r]--; counts[r] < 0 {
			missing.WriteRune(r)
		}
	}
	return missing.String()
}
