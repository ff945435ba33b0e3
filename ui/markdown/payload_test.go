package markdown_test

import (
	"strings"
	"testing"

	"confab/internal/termtexttest"
	"confab/themes"
	"confab/ui/markdown"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

func renderer(width int) *markdown.Renderer {
	return markdown.NewRenderer(themes.New(themes.Default(true)), width)
}

// render draws a whole text as a pane does: block after block.
func render(r *markdown.Renderer, text string) []string {
	var lines []string
	for _, b := range markdown.Split(text) {
		part := r.Block(b)
		if len(lines) > 0 && len(part) > 0 && !b.IsContinuation {
			lines = append(lines, "")
		}
		lines = append(lines, part...)
	}
	return lines
}

// Every payload in every place of Markdown: only what is allowed comes out, all
// that can be read of it is there, and a terminal it is written to is unmoved.
func TestPayloadsDoNotPass(t *testing.T) {
	r := renderer(60)
	for place, put := range termtexttest.MarkdownPlaces() {
		em := vt.NewEmulator(80, 60)
		defer em.Close()
		for name, p := range termtexttest.Payloads() {
			out := strings.Join(render(r, put(p)), "\n")
			if why := termtexttest.Check(out); why != "" {
				t.Errorf("%s in %s: %s", name, place, why)
			}
			shown := ansi.Strip(out)
			if strings.HasPrefix(place, "link-") { // of an ordinary address only the host is shown
				shown = out
			}
			if why := termtexttest.MissingFrame(shown); why != "" {
				t.Errorf("%s in %s: %s is gone from %q", name, place, why, shown)
			}
			emulate(t, em, name+" in "+place, out)
		}
	}
}

// emulate writes lines into a terminal and looks at what they did to it.
func emulate(t *testing.T, em *vt.Emulator, what, out string) {
	t.Helper()
	if _, err := em.WriteString("\x1b[H"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out, "\n")
	em.SetCallbacks(vt.Callbacks{
		Bell:             func() { t.Errorf("%s rang the bell", what) },
		Title:            func(s string) { t.Errorf("%s set the title to %q", what, s) },
		AltScreen:        func(bool) { t.Errorf("%s switched the screen", what) },
		CursorVisibility: func(bool) { t.Errorf("%s changed the cursor", what) },
		WorkingDirectory: func(s string) { t.Errorf("%s set the directory to %q", what, s) },
		EnableMode:       func(m ansi.Mode) { t.Errorf("%s set mode %v", what, m) },
	})
	for y, line := range lines {
		if _, err := em.WriteString(line); err != nil {
			t.Fatal(err)
		}
		pos := em.CursorPosition()
		if want := ansi.StringWidth(line); pos.X != want || pos.Y != y {
			t.Errorf("%s: cursor at %d, %d after line %d %q, want %d, %d", what, pos.X, pos.Y, y, line, want, y)
		}
		if _, err := em.WriteString("\r\n"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLinks(t *testing.T) {
	for _, tt := range []struct{ name, in, want, target string }{
		{"label", "[docs](https://a.example/b)", "docs (a.example)", "https://a.example/b"},
		{"label says the host", "[a.example/b](https://a.example/b)", "a.example/b", "https://a.example/b"},
		{"label lies", "[https://good.example](https://evil.example/x)", "https://good.example (evil.example)",
			"https://evil.example/x"},
		{"label lies with a path", "[https://good.example/evil.example](https://evil.example/)",
			"https://good.example/evil.example (evil.example)", "https://evil.example/"},
		{"name in the address", "[a](https://good.example@evil.example/)", "a (https://good.example@evil.example/)",
			"https://good.example@evil.example/"},
		{"bare address", "https://a.example/b", "https://a.example/b", "https://a.example/b"},
		{"autolink", "<https://a.example/b>", "https://a.example/b", "https://a.example/b"},
		{"reference", "[docs][1]\n\n[1]: https://a.example/b", "docs (a.example)", "https://a.example/b"},
		{"title", "[docs](https://a.example/b \"the title\")", "docs (a.example, the title)", "https://a.example/b"},
		{"javascript", "[a](javascript:alert(1))", "a (javascript:alert(1))", ""},
		{"file", "[a](file:///etc/passwd)", "a (file:///etc/passwd)", ""},
		{"data", "[a](data:text/html,x)", "a (data:text/html,x)", ""},
		{"relative", "[a](b.md)", "a (b.md)", ""},
		{"mail", "<a@b.example>", "a@b.example", ""},
		{"image", "![a cat](https://a.example/c.png)", "[image: a cat] (a.example)", "https://a.example/c.png"},
		{"colored label", "[**bold** and `code`](https://a.example/b)", "bold and code (a.example)",
			"https://a.example/b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := renderer(100)
			out := r.Block(markdown.Split(tt.in)[0])
			if got := ansi.Strip(out[0]); got != tt.want {
				t.Errorf("shown %q, want %q", got, tt.want)
			}
			links := strings.Count(out[0], ";"+tt.target+"\x1b\\")
			if tt.target == "" {
				if strings.Contains(out[0], "\x1b]8;") {
					t.Errorf("clickable: %q", out[0])
				}
			} else if links == 0 {
				t.Errorf("not clickable: %q", out[0])
			}
		})
	}
}
