package markdown_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"confab/internal/termtexttest"
	"confab/themes"
	"confab/ui/markdown"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

func TestRendered(t *testing.T) {
	for name, text := range map[string]string{"sample": sample, "international": international} {
		for _, width := range []int{20, 40, 80} {
			t.Run(fmt.Sprint(name, width), func(t *testing.T) {
				out := strings.Join(render(renderer(width), text), "\n")
				if why := termtexttest.Check(out); why != "" {
					t.Error(why)
				}
				golden.RequireEqual(t, []byte(ansi.Strip(out)+"\n"))
			})
		}
	}
}

// One golden with its colors: that each element has a look of its own. The first time that code is colored compiles the
// expressions of its language, which on a busy machine takes the time that one block may take.
func TestRenderedInColor(t *testing.T) {
	render(renderer(60), sample)
	golden.RequireEqual(t, []byte(strings.Join(render(renderer(60), sample), "\n")))
}

func TestBlock(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"soft break", "a\nb", "a\nb"},
		{"soft breaks with styles", "*a\nb* **c**\n`d`\n<i>e\nf", "a\nb c\nd\n<i>e\nf"},
		{"soft break in an item", "- a\n  b\n> c\nd", "  • a\n    b\n│ c\n│ d"},
		{"break by a tag and a line feed", "a<br>\nb<br><br>c", "a\nb\n\nc"},
		{"indented lines", "Dear Ana,\n   thank you,\n\n Bo\n  Al\n`x`", "Dear Ana,\n   thank you,\n Bo\n  Al\nx"},
		{"drawing", "  /\\_/\\\n ( o.o )\n  > ^ <", "  /\\_/\\\n ( o.o )\n  > ^ <"},
		{"bold beside Chinese", "**测试。**后文 ~~删除。~~后文", "测试。后文 删除。后文"},
		{"too many cells", "|a|b|\n|-|-|\n|1|2|3|", "a │ b  \n──┼────\n1 │ 2|3"},
		{"code with a pipe in a cell", "|a|b|\n|-|-|\n|`x | y`|2|", "a     │ b\n──────┼──\nx | y │ 2"},
		{"hard break", "a  \nb\\\nc", "a\nb\nc"},
		{"lines of wide characters", "日本\n語", "日本\n語"},
		{"paragraphs of an item are apart", "- a\n\n  b", "  • a\n\n    b"},
		{"hanging indent", "- aaaa bbbb cccc dddd eeee ffff", "  • aaaa bbbb cccc dddd\n    eeee ffff"},
		{"numbers in a column", "9. a\n10. b", "   9. a\n  10. b"},
		{"entities", "&lt;a&gt; &copy; &#65; &nosuch; `&lt;`", "<a> © A &nosuch; &lt;"},
		{"escapes", "\\*a\\* \\&amp;", "*a* &amp;"},
		{"html", "a <b>c</b>", "a <b>c</b>"},
		{"br", "a<br>b<br/>c", "a\nb\nc"},
		{"rule", "---", "────────────────────────"},
		{"empty code", "```\n```", ""},
		{"long code line", "```\nabcdefghijklmnopqrstuvwxyz0123\n```",
			"  abcdefghijklmnopqrstuv\n↳ wxyz0123              "},
		{"tabs in code", "```\n\tx\n```", "      x                 "},
		{"code is broken at blanks", "```go\nfoo(aa, bb-cc-dd, eeeeeeeee-f)\n```",
			"  go                    \n  foo(aa, bb-cc-dd,     \n↳ eeeeeeeee-f)          "},
		{"a word that fits is whole", "```\n          abcdefghijklmnopqrst x\n```",
			"    abcdefghijklmnopqrst\n↳ x                     "},
		{"table with a break", "|a|b|\n|-|-|\n|x<br>y|z|", "a │ b\n──┼──\nx │ z\ny │  "},
		{"pipe in a cell", "|a|b|\n|-|-|\n|`x\\|y`|z|", "a   │ b\n────┼──\nx|y │ z"},
		{"too many columns", "|a|b|c|d|e|\n|-|-|-|-|-|\n|one thing|two things|3|4|5|",
			"╭ a: one thing\n│ b: two things\n│ c: 3\n│ d: 4\n│ e: 5"},
		{"formula", "so \\(\\alpha^2 \\le x_{i+1}\\)", "so α² ≤ xᵢ₊₁"},
		{"fraction", "$$\\frac{-b}{2a}$$", "  (−b)/(2a)"},
		{"formula of lines", "\\[\n\\begin{aligned} a &= b \\\\\n- c &= d \\end{aligned}\n\\]",
			"  a = b\n  − c = d"},
		{"unknown command", "so \\(\\foo{x}\\).", "so \\(\\foo{x}\\)."},
		{"unknown command alone", "\\[\n\\foo{x}\n\\]", "  \\[                    \n  \\foo{x}" +
			"               \n  \\]                    "},
		{"dollars", "$5 and $6, $HOME_DIR$ and $x$", "$5 and $6, $HOME_DIR$\nand x"},
		{"brackets", "a\\[0\\] \\[x = 1\\]", "a[0] x = 1"},
		{"functions", "\\(2\\sin x+\\log(y)\\)", "2 sin x+log(y)"},
		{"matrix", "$$\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}$$", "  (a b; c d)"},
		{"root", "\\(\\sqrt[3]{x+1} \\hat{y} \\mathbb{R}\\)", "³√(x+1) y\u0302 ℝ"},
		{"small characters", "H<sub>2</sub>O x<sup>a+b</sup> y<sup>q</sup>", "H₂O xᵃ⁺ᵇ y^q"},
		{"details", "<details>\n<summary>The *why*</summary>\n\nbody\n\n</details>", "▾ The why\nbody\n▴"},
		{"details in one", "<details><summary>Why</summary>so</details>", "▾ Why\nso\n▴"},
		{"terms", "One\n: first\n: second\n\nTwo\n\n: third", "One\n    first\n    second\nTwo\n    third"},
		{"footnotes", "so[^1] and[^12], not [^a-z]\n\n[^1]: The first\n    one.\n[^12]: Second.",
			"so¹ and¹², not [^a-z]\n¹ The first\n  one.\n¹² Second."},
		{"named footnotes", "so[^note] and[^Big_1], not[^no]\n\n[^note]: First.\n[^Big_1]: second",
			"so[note] and[Big_1],\nnot[^no]\n[note] First.\n[Big_1] second"},
		{"definitions are seen", "[a]: http://x", "[a]: http://x"},
		{"nesting ends at 16", strings.Repeat(">", 18) + " x", strings.Repeat("│ ", 7) + ">> x"},
		{"deep marks are text", strings.Repeat(" ", 2) + strings.Repeat("- ", 17) + "x", "  • • • • • • - x"},
		{"blank", "\n\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := renderer(24)
			var lines []string
			for _, b := range markdown.Split(tt.in) {
				lines = append(lines, r.Block(b)...)
			}
			for i := range lines {
				lines[i] = ansi.Strip(lines[i])
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Two themes in one process: the code of each has its own colors.
func TestThemesDoNotMix(t *testing.T) {
	text := markdown.Block{Source: "```go\nfunc f() {}\n```", Kind: markdown.Fence}
	dark := markdown.NewRenderer(themes.New(themes.Default(true)), 40).Block(text)
	light := markdown.NewRenderer(themes.New(themes.Default(false)), 40).Block(text)
	again := markdown.NewRenderer(themes.New(themes.Default(true)), 40).Block(text)
	if dark[0] == light[0] {
		t.Errorf("light and dark are the same: %q", dark[0])
	}
	if dark[0] != again[0] {
		t.Errorf("dark differs from itself: %q, %q", dark[0], again[0])
	}
}

func BenchmarkBlock(b *testing.B) {
	blocks := markdown.Split(sample)
	r := renderer(100)
	b.SetBytes(int64(len(sample)))
	b.ReportAllocs()
	for b.Loop() {
		for _, block := range blocks {
			r.Block(block)
		}
	}
}

func BenchmarkNewRenderer(b *testing.B) {
	s := themes.New(themes.Default(true))
	for b.Loop() {
		r := markdown.NewRenderer(s, 80)
		r.Block(markdown.Block{Source: "a"})
	}
}

// GNU screen swaps the colors of what should be in italics.
func TestWhereThereAreNoItalicsTextIsUnderlined(t *testing.T) {
	text := "an *emphatic* word, an **_emphatic_** one\n\n> an *emphatic* quotation"
	italic, underlined := regexp.MustCompile(`\x1b\[(\d+;)*3[;m]`), regexp.MustCompile(
		`\x1b\[([\d;]+;)?4[;m][^\x1b]*emphatic`,
	)
	for _, none := range []bool{false, true} {
		s := themes.New(themes.Default(true))
		s.NoItalics = none
		for _, line := range render(markdown.NewRenderer(s, 60), text) {
			if !strings.Contains(line, "emphatic") {
				continue
			}
			if got := italic.MatchString(line); got == none {
				t.Errorf("without italics %t: %q", none, line)
			}
			if got := underlined.MatchString(line); got != none {
				t.Errorf("without italics %t: %q", none, line)
			}
		}
	}
}

// What is compared of two answers is what they read like, not how they are marked up.
func TestDrawn(t *testing.T) {
	text := "# A *title*\n\n1. one **bold**\n2. `code` and \\(x^2\\)\n\n> said\n\n```go\nf()\n```\n\n" +
		"| a | b |\n|---|---|\n" +
		"| 1 | [x](https://a.example/) |\n\n- [x] done\n"
	want := "A title\n\n  1. one bold\n  2. code and x²\n\n│ said\n\nf()\n\na │ b\n1 │ x (a.example)\n\n  ☑ done"
	if got := markdown.PlainText(text); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	styled := markdown.StyledText(text, themes.New(themes.Default(true)))
	if got := ansi.Strip(styled); got != want {
		t.Errorf("with styles %q, want %q", got, want)
	}
	if bold := regexp.MustCompile(`\x1b\[[0-9;]*\b1m?[0-9;]*m?bold`); !bold.MatchString(styled) {
		t.Errorf("nothing is bold in %q", styled)
	}
}

// The header of each block of code has the number that copies it, also where the block stands in a list, a quote, or is
// one of several in one block of the text.
func TestCodeHasItsNumber(t *testing.T) {
	text := "```go\na\n```\n- b\n\n  ```\n  c\n  ```\n\n      d\n\n> ```sh\n> e\n> ```\n\n" +
		"```\n" + strings.Repeat("a line\n", 2000) + "```\n\n    f\n\n```py\ng\n```\n"
	r := renderer(24)
	r.CopyKey = "c"
	var headers []string
	for _, line := range render(r, text) {
		if line = ansi.Strip(line); regexp.MustCompile(` c \d +$`).MatchString(line) {
			headers = append(headers, strings.TrimSpace(line))
		}
	}
	want := []string{"go                c 1", "c 2", "c 3", "│   sh              c 4",
		"c 5", "c 6", "py                c 7"}
	if !slices.Equal(headers, want) {
		t.Errorf("got %q, want %q", headers, want)
	}
	if got := len(markdown.CodeBlocks(text)); got != len(want) {
		t.Errorf("%d blocks are copied, want %d", got, len(want))
	}
}

// A line of code that has no blank to break it at is cut where keys move it, other lines are not.
func TestCodeThatCannotBeBrokenMovesSideways(t *testing.T) {
	text := "```sh\nls 0123456789abcdefghijklmnopqrstuvwxyz\nab cd ef gh ij kl mn op qr\n```"
	for sideways, want := range map[int]string{
		0:  "  sh  ( ) sideways   c 1\n  ls 0123456789abcdefgh›\n  ab cd ef gh ij kl mn  \n↳ op qr                 ",
		10: "  sh  ( ) sideways   c 1\n‹ 789abcdefghijklmnopqr›\n  ab cd ef gh ij kl mn  \n↳ op qr                 ",
		99: "  sh  ( ) sideways   c 1\n‹ efghijklmnopqrstuvwxyz\n  ab cd ef gh ij kl mn  \n↳ op qr                 ",
	} {
		r := renderer(24)
		r.CopyKey, r.SidewaysKeys, r.Sideways = "c", "( )", sideways
		if got := ansi.Strip(strings.Join(render(r, text), "\n")); got != want {
			t.Errorf("%d sideways: got\n%s\nwant\n%s", sideways, got, want)
		}
	}
	if got := markdown.CodeOverflow(text, 24); got != 17 {
		t.Errorf("%d cells do not fit", got)
	}
	if got := markdown.CodeOverflow("```\n"+strings.Repeat("words ", 20)+"\n日本語日本語日本語日本語日本語\n```", 24); got != 0 {
		t.Errorf("%d cells of what can be broken do not fit", got)
	}
}
