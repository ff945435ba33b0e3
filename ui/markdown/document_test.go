package markdown_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"confab/themes"
	"confab/ui/markdown"
)

// shape says everything of a block that decides how it is drawn, but for the definitions of links.
func shape(blocks []markdown.Block) []string {
	var out []string
	for _, b := range blocks {
		out = append(out, fmt.Sprintf("%d %t %t %q", b.Kind, b.IsPlain, b.IsContinuation, b.Source))
	}
	return out
}

func blocksOf(d markdown.Document) []markdown.Block { return slices.Concat(d.Stable(), d.Tail()) }

// A text that arrives in parts is cut like the whole, whatever the parts are; blocks that are said to stay do.
func TestGrownTextIsCutLikeTheWhole(t *testing.T) {
	for _, text := range []string{sample, international, longText("a paragraph of some words. ", "", 40_000),
		longText("\tcode(x) // of a line\n", "```go\n", 60_000), longText("1. an item\n   and more\n", "", 60_000),
		longText("| a | b |\n", "| h | i |\n|---|---|\n", 40_000), longText("> quoted\n", "", 40_000),
		longText("    indented\n", "", 30_000), longText("one line of words ", "", 40_000) + "\n\nend\n"} {
		r := rand.New(rand.NewPCG(1, uint64(len(text))))
		var d markdown.Document
		step := max(len(text)/200, 1)
		for n := 0; n < len(text); {
			n = min(n+1+r.IntN(2*step), len(text))
			before := d.Stable()
			d = d.Grow(text[:n])
			if got, want := shape(blocksOf(d)), shape(markdown.Split(text[:n])); !slices.Equal(got, want) {
				t.Fatalf("%.20q after %d bytes:\ngot  %.2000q\nwant %.2000q", text, n, got, want)
			}
			if !slices.Equal(shape(before), shape(d.Stable()[:len(before)])) {
				t.Fatalf("%.20q after %d bytes: a block that stays changed", text, n)
			}
		}
		if d.Text() != text {
			t.Errorf("%.20q: the text is another", text)
		}
	}
}

// longText repeats a part after a beginning, up to a length.
func longText(part, beginning string, size int) string {
	return beginning + strings.Repeat(part, (size-len(beginning))/len(part))
}

func TestOtherTextBeginsAnew(t *testing.T) {
	d := markdown.Document{}.Grow("# one\n\ntwo\n").Grow("three")
	if got, want := shape(blocksOf(d)), shape(markdown.Split("three")); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The bytes that are cut while a text arrives grow with its length, not with the square of it: also where all of it is
// one block, or one line.
func TestCuttingAGrowingTextIsLinear(t *testing.T) {
	const delta = 512
	for name, text := range growingTexts(1 << 20) {
		cut := func(text string) (bytes int) {
			var d markdown.Document
			for n := delta; n <= len(text); n += delta {
				from := d.TailStart()
				d = d.Grow(text[:n])
				bytes += n - from
			}
			return bytes
		}
		whole, half := cut(text), cut(text[:len(text)/2])
		if ratio := float64(whole) / float64(half); ratio > 2.2 {
			t.Errorf("%s: %d bytes are cut for 1 MB, %.1f times those for the half of it", name, whole, ratio)
		}
		if most := len(text) / delta * (16<<10 + 2*delta); whole > most {
			t.Errorf("%s: %d bytes are cut, more than a whole block for every part (%d)", name, whole, most)
		}
	}
}

// growingTexts are texts of a size that are hard to cut while they grow.
func growingTexts(size int) map[string]string {
	return map[string]string{
		"blocks":    longText(sample, "", size),
		"code":      longText("\tcall(x, y) // and so on\n", "```go\n", size),
		"one line":  longText("words without an end ", "", size),
		"list":      longText("- an item of the list\n", "", size),
		"numbered":  longText("1. an item of the list\n", "", size),
		"table":     longText("| a | b |\n", "| head | i |\n|---|---|\n", size),
		"quote":     longText("> quoted words\n", "", size),
		"indented":  longText("    indented code\n", "", size),
		"links":     longText("[label]: https://example.org\n", "", size),
		"paragraph": longText("a line of a paragraph\n", "", size),
	}
}

// Links are drawn with definitions that come later, once the text is whole.
func TestDefinitionsOfAGrowingTextAreFoundOnce(t *testing.T) {
	var d markdown.Document
	for n := range len("[a]: https://example.org/x\n") {
		d = d.Grow("[a]: https://example.org/x\n"[:n+1])
	}
	d = d.Grow("[a]: https://example.org/x\n\nsee [a]\n")
	r := markdown.NewRenderer(themes.New(themes.Pick(themes.Shipped(), "auto", true)), 60)
	blocks := blocksOf(d)
	got := strings.Join(r.Block(blocks[len(blocks)-1]), "\n")
	want := strings.Join(r.Block(markdown.Split("[a]: https://example.org/x\n\nsee [a]\n")[1]), "\n")
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkGrow(b *testing.B) {
	for name, text := range growingTexts(1 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var d markdown.Document
				for n := 512; n <= len(text); n += 512 {
					d = d.Grow(text[:n])
				}
			}
		})
	}
}

// Small texts in which a line decides what the lines before it are.
func TestSmallTextsGrowLikeTheWhole(t *testing.T) {
	lines := []string{"[1]: http://x\n", "a\n", "===\n", "---\n", ": b\n", "\n", "> q\n", "- i\n", "[^1]: f\n",
		"    c\n", "```\n", "$$\n", "|a|b|\n", "|-|-|\n", "# h\n"}
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		text := ""
		for range 1 + r.IntN(6) {
			text += lines[r.IntN(len(lines))]
		}
		var d markdown.Document
		for n := range len(text) {
			d = d.Grow(text[:n])
		}
		d = d.End(text)
		if got, want := shape(blocksOf(d)), shape(markdown.Split(text)); !slices.Equal(got, want) {
			t.Errorf("%q:\ngot  %q\nwant %q", text, got, want)
		}
	}
}
