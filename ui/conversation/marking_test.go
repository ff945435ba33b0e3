package conversation_test

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/part"
)

// answered returns a pane with an answer that is drawn, its top in sight.
func answered(t *testing.T, w, h int, prompt, text string) *conversation.Pane {
	t.Helper()
	a := growingAnswer(1, 2, "alpha")
	a.State, a.Text = history.Done, text
	c := newPane(w, h)
	c.SetTurns([]history.Turn{{ID: 1, Prompt: prompt, Answers: []history.Answer{a}}}, false)
	settle(t, c, nil)
	c.GoTo(1, 0)
	settle(t, c, nil)
	return c
}

// drag marks from the beginning of a text on the screen to the end of another one, and returns what is copied.
func drag(t *testing.T, c *conversation.Pane, from, to string) string {
	t.Helper()
	find := func(text string) (x, y int) {
		for y, line := range c.View() {
			if before, _, ok := strings.Cut(ansi.Strip(line), text); ok {
				return ansi.StringWidth(before), y
			}
		}
		t.Fatalf("%q is not on\n%s", text, screenOf(c))
		return 0, 0
	}
	x, y := find(from)
	c.Update(tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y})
	x, y = find(to)
	x += ansi.StringWidth(to) - 1
	c.Update(tea.MouseMotionMsg{Button: tea.MouseLeft, X: x, Y: y})
	return release(c, x, y)
}

func release(c *conversation.Pane, x, y int) string {
	done, _ := c.Update(tea.MouseReleaseMsg{Button: tea.MouseLeft, X: x, Y: y})
	copied, _ := done.(action.Copy)
	return copied.Text
}

func copyCase(t *testing.T) (text string, blocks []string) {
	t.Helper()
	b, err := os.ReadFile("../markdown/testdata/cases/copysel.md")
	if err != nil {
		t.Fatal(err)
	}
	text = string(b)
	code := text[strings.Index(text, "def f"):strings.Index(text, "\n```\n\n- ")]
	return text, []string{text[:strings.Index(text, "\n")], code,
		"- first item\n- second item with `code` and **bold**",
		"1. one\n2. two"}
}

// TestDraggingCopiesTheSource marks what is drawn and gets the text as it came: paragraphs in one line, code with its
// empty lines and without its header, lists with their marks.
func TestDraggingCopiesTheSource(t *testing.T) {
	text, blocks := copyCase(t)
	c := answered(t, 60, 40, "A prompt that is long enough to be wrapped at the width of the pane as well.", text)
	for _, tt := range []struct{ from, to, want string }{
		{"This is", "two", strings.Join(blocks, "\n\n")},
		{"This is", "no breaks.", blocks[0]},
		{"paragraph that", "width of the pane, more",
			"paragraph that is long enough to be wrapped at the width of the pane, more"},
		{"def f(x)", "return None", blocks[1]},
		{"if x:", "a very long", "    if x:\n        return \"a very long"},
		{"line of code", "goes on and",
			"line of code that does not fit into the width of the pane \" + \"and goes on and"},
		{"python", "return None", blocks[1]},
		{"• first", "bold", blocks[2]},
		{"second", "bold", "- second item with `code` and **bold**"},
		{"item with code", "item with code", "item with `code`"},
		{"1. one", "2. two", "1. one\n2. two"},
		{"A prompt", "as well.", "A prompt that is long enough to be wrapped at the width of the pane as well."},
		{"as well.", "This is", "as well.\n\n" + "● alpha" + "…\n\nThis is"},
	} {
		got := drag(t, c, tt.from, tt.to)
		if before, after, ok := strings.Cut(tt.want, "…"); ok {
			if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
				t.Errorf("from %q to %q: got %q, want %q", tt.from, tt.to, got, tt.want)
			}
		} else if got != tt.want {
			t.Errorf("from %q to %q: got\n%q, want\n%q\n%s", tt.from, tt.to, got, tt.want, screenOf(c))
		}
	}
}

// TestDraggingCopiesWhatMarkupStandsFor marks constructs whose drawing differs from their source.
func TestDraggingCopiesWhatMarkupStandsFor(t *testing.T) {
	for _, tt := range []struct{ text, from, to, want string }{
		{"See [the paper](https://example.com/a/very/long/path) and **more** of it.", "paper", "more",
			"paper](https://example.com/a/very/long/path) and **more**"},
		{"# A title\n\ntext", "A title", "title", "# A title"},
		{"> quoted text\n> and more", "quoted", "more", "> quoted text\n> and more"},
		{"| a | b |\n|---|---|\n| one | two |\n| three | four |", "one", "four", "| one | two |\n| three | four |"},
		{"- [x] done\n- [ ] open", "done", "open", "- [x] done\n- [ ] open"},
		{"前文**测试。**后文 and so on", "测试", "后文", "**测试。**后文"},
		{"x\tb\u200bc &amp; d z", "bc &", "& d", "b\u200bc &amp; d"},
		{"one\ntwo\nthree", "two", "three", "two\nthree"},
		{"one e\u0301 two", "one", "e\u0301", "one e\u0301"},
		{"one \xff two \xff", "one", "two", "one \xff two"},
		{"- item\n\n  ```go\n  x := 1\n\n  y := 2\n  ```", "x := 1", "y := 2", "  x := 1\n\n  y := 2"},
		{"```\nall of it\n\n  is code\n```", "all of", "code", "all of it\n\n  is code"},
	} {
		if got := drag(t, answered(t, 80, 30, "p", tt.text), tt.from, tt.to); got != tt.want {
			t.Errorf("%q from %q to %q: got %q, want %q", tt.text, tt.from, tt.to, got, tt.want)
		}
	}
}

// TestDraggingBeyondTheEdgeScrolls marks more than the window shows, in both directions.
func TestDraggingBeyondTheEdgeScrolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := strings.TrimSpace(strings.Repeat("line of a long answer\n\n", 40))
		c := answered(t, 60, 10, "p", text)
		var cmd tea.Cmd
		follow := func(y int) {
			_, cmd = c.Update(tea.MouseMotionMsg{Button: tea.MouseLeft, X: 30, Y: y})
			for range 200 {
				if cmd == nil {
					break
				}
				msg, _ := cmd().(part.Result)
				_, cmd = c.Update(msg.Msg)
				settle(t, c, nil)
			}
		}
		c.Update(tea.MouseClickMsg{Button: tea.MouseLeft, X: 3, Y: 4})
		began := time.Now()
		follow(12)
		if got := release(c, 30, 12); got != text {
			t.Errorf("got %d bytes, want %d: %.100q", len(got), len(text), got)
		}
		if time.Since(began) > 10*time.Second {
			t.Errorf("it took %v", time.Since(began))
		}
		c.Update(tea.MouseClickMsg{Button: tea.MouseLeft, X: 30, Y: 9})
		follow(-2)
		if got := release(c, 0, -2); !strings.HasSuffix(got, text) || !strings.HasPrefix(got, "p") {
			t.Errorf("upwards: got %d bytes, want %d: %.100q", len(got), len(text), got)
		}
	})
}
