package themes_test

import (
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"confab/themes"
)

// xterm has the terminal's own sixteen colors as xterm has them, for pictures.
var xterm = []string{"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5", "#7f7f7f",
	"#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"}

// TestPicturesOfThemes holds docs/themes to the shipped themes; -update draws the pictures again.
func TestPicturesOfThemes(t *testing.T) {
	page, err := os.ReadFile("../docs/themes.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range themes.Shipped() {
		file := filepath.Join("..", "docs", "themes", p.Name+".svg")
		want := picture(p)
		if flag.Lookup("update").Value.String() == "true" {
			if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s is not of this theme (%v); go test ./themes -run Pictures -update draws it", file, err)
		}
		if !strings.Contains(string(page), "themes/"+p.Name+".svg") {
			t.Errorf("docs/themes.md does not show %s", p.Name)
		}
	}
}

// TestKeysOfThemesAreDocumented asks that docs/themes.md names every key of a theme file.
func TestKeysOfThemesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/themes.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range themes.Keys() {
		if key = strings.TrimPrefix(key, "code."); !strings.Contains(string(page), "`"+key+"`") {
			t.Errorf("docs/themes.md does not tell of %s", key)
		}
	}
}

// picture draws a theme as SVG: a pane with an answer, a list with its selected row, code, the colors of models, and
// a dialog.
func picture(p themes.Palette) string {
	var b strings.Builder
	color := func(name, otherwise string) string {
		if name == "" {
			name = otherwise
		}
		if name == themes.Dim {
			name = map[bool]string{true: "#999999", false: "#555555"}[p.Dark]
		}
		if n, err := strconv.Atoi(name); err == nil && n < len(xterm) {
			return xterm[n]
		}
		return name
	}
	base, text := color(p.Background, "#ffffff"), color(p.Text, "#000000")
	if p.Background == "" && p.Dark {
		base, text = "#000000", "#e5e5e5"
	}
	box := func(x, y, w, h int, fill, stroke string, width int) {
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="%s" stroke-width="%d"/>`+"\n",
			x, y, w, h, color(fill, base), color(stroke, "none"), width)
	}
	write := func(x, y int, fill, words string) {
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", x, y, color(fill, text), html.EscapeString(words))
	}
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="720" height="176" font-family="monospace" ` +
		`font-size="14" xml:space="preserve">` + "\n")
	box(0, 0, 720, 176, base, "", 0)
	box(10, 10, 340, 156, base, p.Focus, 2)
	write(22, 32, p.Person, "you")
	write(56, 32, p.Muted, "14:02   3 models")
	write(22, 52, "", p.Name)
	write(22, 72, p.Heading, "A heading")
	write(112, 72, p.Link, "a link")
	write(176, 72, p.Faint, "a hint")
	box(22, 82, 316, 26, p.Surface, "", 0)
	write(30, 100, p.Code.Keyword, "func")
	write(71, 100, p.Code.Name, "greet")
	write(121, 100, p.Code.String, `"hello"`)
	write(188, 100, p.Code.Number, "42")
	write(213, 100, p.Code.Comment, "// a comment")
	for i, c := range []struct{ name, word string }{{p.Success, "✓ done"}, {p.Info, "i info"}, {p.Warning, "! slow"},
		{p.Danger, "× failed"}} {
		write(22+72*i, 130, c.name, c.word)
	}
	for i, c := range p.Models {
		if c != "" {
			write(22+26*i, 154, c, "●")
		}
	}
	box(370, 10, 340, 156, p.Overlay, p.Border, 1)
	write(384, 34, p.Focus, "Sessions")
	write(464, 34, p.Muted, "3 of 41")
	bar, onBar := p.Focus, p.FocusText
	if p.FocusText == "" {
		bar, onBar = text, base
	}
	box(372, 46, 336, 44, bar, "", 0)
	write(384, 64, onBar, "Refund wording          12 minutes ago")
	write(384, 82, onBar, "say it in one warm line       4 turns")
	write(384, 112, "", "Refund policy")
	write(560, 112, p.Muted, "yesterday")
	box(382, 122, 112, 22, p.Match, "", 0)
	if p.Match == "" {
		box(382, 122, 112, 22, text, "", 0)
		write(388, 138, base, "found text")
	} else {
		write(388, 138, p.MatchText, "found text")
	}
	box(502, 122, 90, 22, p.Removed, "", 0)
	write(508, 138, "", "taken out")
	box(600, 122, 90, 22, p.Added, "", 0)
	write(606, 138, "", "put in")
	return b.String() + "</svg>\n"
}
