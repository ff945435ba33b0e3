package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"confab/ui/markdown"

	"github.com/charmbracelet/x/ansi"
)

// names writes blocks as a test can say them: the kind and the first line.
func names(blocks []markdown.Block) []string {
	kinds := []string{"paragraph", "heading", "list", "quote", "code", "table", "rule", "definitions"}
	var out []string
	for _, b := range blocks {
		first, _, _ := strings.Cut(strings.TrimLeft(b.Source, "\n"), "\n")
		out = append(out, kinds[b.Kind]+" "+strings.TrimSpace(first))
	}
	return out
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"empty lines", "\n \n", []string{"paragraph "}},
		{"paragraphs", "a\nb\n\nc\n", []string{"paragraph a", "paragraph c"}},
		{"leading empty lines", "\n\na", []string{"paragraph a"}},
		{"CRLF", "a\r\nb\r\n\r\nc", []string{"paragraph a", "paragraph c"}},
		{"heading between", "a\n# h\nb", []string{"paragraph a", "heading # h", "paragraph b"}},
		{"no heading", "#hash", []string{"paragraph #hash"}},
		{"underlined heading", "a\n---\nb", []string{"heading a", "paragraph b"}},
		{"rule", "a\n\n---\n***\nb", []string{"paragraph a", "rule ---", "rule ***", "paragraph b"}},
		{"list after text", "a\n- b\n- c\n\nd", []string{"paragraph a", "list - b", "paragraph d"}},
		{"loose list is one", "- a\n\n- b\n\n  c\n\n      code\n\nd", []string{"list - a", "paragraph d"}},
		{"another mark, another list", "- a\n* b\n1. c\n2. d\n1) e",
			[]string{"list - a", "list * b", "list 1. c", "list 1) e"}},
		{"only 1 interrupts text", "in the year\n1984. it was", []string{"paragraph in the year"}},
		{"lazy item", "- a\nb\n\nc", []string{"list - a", "paragraph c"}},
		{"code in an item", "- a\n\n  ```\n\n  x\n\n  ```\n- b", []string{"list - a"}},
		{"code ends a list", "- a\n```\n- b\n```", []string{"list - a", "code ```"}},
		{"fence with empty lines", "```go\na\n\n# b\n```\nc", []string{"code ```go", "paragraph c"}},
		{"fence of four", "````\n```\n````\na", []string{"code ````", "paragraph a"}},
		{"tildes", "~~~\n```\n~~~\na", []string{"code ~~~", "paragraph a"}},
		{"open fence", "a\n```\nb\n\nc", []string{"paragraph a", "code ```"}},
		{"not a fence", "``` a`b\nc", []string{"paragraph ``` a`b"}},
		{"indented", "a\n\n    b\n\n    c\nd", []string{"paragraph a", "code b", "paragraph d"}},
		{"quote", "> a\nb\n> c\n\nd", []string{"quote > a", "paragraph d"}},
		{"table", "| a | b |\n|---|---|\n| 1 | 2 |\n\nc", []string{"table | a | b |", "paragraph c"}},
		{"definitions", "[a]: http://x\n[b]: http://y\n\nc [a]",
			[]string{"definitions [a]: http://x", "paragraph c [a]"}},
		{"html is text", "<div>\n\n# a\n\n</div>", []string{"paragraph <div>", "heading # a", "paragraph </div>"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := names(markdown.Split(tt.in))
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A block that is too long is cut so that each piece still is what it was.
func TestLongBlocksAreCut(t *testing.T) {
	rep := strings.Repeat
	for _, tt := range []struct {
		name, in string
		plain    bool
		last     string // the last line drawn
	}{
		{"code", "```go\n" + rep("var x = 1 // note\n", 3000) + "return\n```", false, "return"},
		{"numbers", rep("1. item\n", 5000), false, "5000. item"},
		{"numbers from seven", "7. a\n" + rep("1. item\n", 4999), false, "5006. item"},
		{"list", rep("- item\n", 5000), false, "• item"},
		{"table", "| head | b |\n|---|---|\n" + rep("| x | y |\n", 5000), false, "x    │ y"},
		{"quote", rep("> line\n> \n", 5000), false, "│ line"},
		{"paragraph", rep("word ", 10000) + "end", true, "end"},
		{"long item", "- " + rep("word ", 10000) + "end", true, "end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			blocks := markdown.Split(tt.in)
			if len(blocks) < 3 {
				t.Fatalf("got %d blocks, want more", len(blocks))
			}
			for i, b := range blocks {
				if len(b.Source) > 17<<10 {
					t.Errorf("block %d has %d bytes", i, len(b.Source))
				}
				if b.IsContinuation != (i > 0) || b.IsPlain != tt.plain {
					t.Errorf("block %d: joined %v, plain %v", i, b.IsContinuation, b.IsPlain)
				}
			}
			lines := renderer(80).Block(blocks[len(blocks)-1])
			if got := strings.TrimSpace(ansi.Strip(lines[len(lines)-1])); !strings.HasSuffix(got, tt.last) {
				t.Errorf("last line %q, want %q", got, tt.last)
			}
			if tt.name == "table" {
				if got := ansi.Strip(lines[0]); !strings.HasPrefix(got, "head │ b") {
					t.Errorf("first line of the last piece %q, want the head", got)
				}
			}
		})
	}
}

func TestEmptyLinesOfCutCodeAreKept(t *testing.T) {
	text := "```\n" + strings.Repeat("x\n\n\n", 20000) + "y\n```\n"
	n := 0
	for _, b := range markdown.Split(text) {
		n += len(renderer(40).Block(b))
	}
	if want := 3*20000 + 1; n != want {
		t.Errorf("%d lines drawn, want %d", n, want)
	}
}

func TestCodeBlocks(t *testing.T) {
	text := "a\n\n```go title=x\nif a && b {\n\treturn \"\x1b[31m\"\n}\n```\n\n- item\n\n  ```py\n  x = 1\n\n    y = " +
		"2\n  ```\n\n> ~~~\n> quoted\n> ~~~\n\n    indented\n      more\n\n  ```\n  two in\n  ```\n\n```\nopen"
	want := []markdown.Code{
		{Lang: "go", Text: "if a && b {\n\treturn \"\x1b[31m\"\n}\n"},
		{Lang: "py", Text: "x = 1\n\n  y = 2\n"},
		{Lang: "", Text: "quoted\n"},
		{Lang: "", Text: "indented\n  more\n"},
		{Lang: "", Text: "two in\n"},
		{Lang: "", Text: "open"},
	}
	got := markdown.CodeBlocks(text)
	if len(got) != len(want) {
		t.Fatalf("got %d blocks %q, want %d", len(got), got, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("block %d: got %q, want %q", i, got[i], want[i])
		}
	}
}

func TestLongCodeIsCopiedWhole(t *testing.T) {
	code := strings.Repeat("x := \"日本\"\n\n", 10000)
	got := markdown.CodeBlocks("a\n```go\n" + code + "```\nb")
	if len(got) != 1 || got[0].Text != code || got[0].Lang != "go" {
		t.Errorf("got %d blocks", len(got))
	}
}

func TestALongLineOfCodeIsCopiedWhole(t *testing.T) {
	code := strings.Repeat("x", 50_000)
	for _, end := range []string{"", "\n```\n"} {
		got := markdown.CodeBlocks("```\n" + code + end)
		if len(got) != 1 || strings.TrimSuffix(got[0].Text, "\n") != code {
			t.Errorf("got %d blocks", len(got))
		}
	}
}

func BenchmarkSplit1MiB(b *testing.B) {
	text := strings.Repeat(sample, 1<<20/len(sample))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		markdown.Split(text)
	}
}
