package markdown_test

import (
	"strings"
	"testing"
	"time"

	"confab/internal/termtexttest"
	"confab/ui/markdown"

	"github.com/charmbracelet/x/ansi"
)

// budget is what one block may take here. What it guards against took minutes or
// for ever; a busy machine under the race detector takes a hundred times the 50 ms
// that a block takes at most.
const budget = 30 * time.Second

func FuzzBlock(f *testing.F) {
	f.Add(sample, 40)
	f.Add(international, 20)
	for _, s := range hostile() {
		f.Add(s[:min(len(s), 20000)], 80)
	}
	for _, put := range termtexttest.MarkdownPlaces() {
		f.Add(put("BEGIN\x1b[8m&#27;[8mEND"), 33)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 20 + (width&0x7fffffff)%140
		r := renderer(width)
		for _, b := range markdown.Split(text) {
			start := time.Now()
			lines := r.Block(b)
			if took := time.Since(start); took > budget {
				t.Fatalf("%v for %q", took, b.Source)
			}
			if why := termtexttest.Check(strings.Join(lines, "\n")); why != "" {
				t.Fatalf("%q: %s", b.Source, why)
			}
			for i, line := range lines {
				if n := ansi.StringWidth(line); n > width {
					t.Fatalf("%d cells in %d: %q of %q", n, width, line, b.Source)
				}
				if (i == 0 || i == len(lines)-1) && !b.IsContinuation && strings.TrimSpace(ansi.Strip(line)) == "" {
					t.Fatalf("empty line at an end: %q of %q", lines, b.Source)
				}
			}
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add(sample)
	f.Add(international)
	for _, s := range hostile() {
		f.Add(s[:min(len(s), 40000)])
	}
	f.Fuzz(func(t *testing.T, text string) {
		var joined strings.Builder
		for i, b := range markdown.Split(text) {
			if b.Source == "" {
				t.Fatalf("block %d is empty", i)
			}
			joined.WriteString(b.Source)
		}
		if joined.String() != text {
			t.Fatalf("the blocks of %q join to %q", text, joined.String())
		}
		for _, c := range markdown.CodeBlocks(text) {
			for line := range strings.SplitSeq(c.Text, "\n") {
				if !strings.Contains(text, strings.TrimSpace(line)) {
					t.Fatalf("code line %q is not in %q", line, text)
				}
			}
		}
	})
}
