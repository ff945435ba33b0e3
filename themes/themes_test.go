package themes_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"confab/themes"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/lucasb-eyer/go-colorful"
)

func TestShipped(t *testing.T) {
	palettes := themes.Shipped()
	var names []string
	for _, p := range palettes {
		names = append(names, p.Name)
		if p.About == "" || strings.HasSuffix(p.About, ".") {
			t.Errorf("%s: about is %q", p.Name, p.About)
		}
		if _, err := os.Stat("palettes/" + p.Name + ".toml"); err != nil {
			t.Errorf("%s is not named as its file: %v", p.Name, err)
		}
	}
	if len(names) != 7 || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("got %v", names)
	}
	for _, want := range []string{themes.DefaultDark, themes.DefaultLight, "high-contrast-dark", "high-contrast-light",
		"ansi16-dark", "ansi16-light"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not shipped", want)
		}
	}
	for _, old := range []string{"catppuccin-like-dark", "gruvbox-like-light", "nord-like", "catppuccin-latte"} {
		if now, _ := themes.Successor(old); slices.Contains(names, old) || !slices.Contains(names, now) {
			t.Errorf("%s is replaced by %q", old, now)
		}
	}
	if !slices.Equal(palettes, themes.Shipped()) {
		t.Error("a second call gives others")
	}
}

func TestPick(t *testing.T) {
	own := themes.Palette{Name: "own"}
	all := append(themes.Shipped(), own)
	for _, tt := range []struct {
		name string
		dark bool
		want string
	}{
		{"auto", true, themes.DefaultDark}, {"auto", false, themes.DefaultLight}, {"", true, themes.DefaultDark},
		{"own", true, "own"}, {"catppuccin-mocha", false, "catppuccin-mocha"}, {"gone", false, themes.DefaultLight},
		{"colour-blind-light", true, "high-contrast-light"},
	} {
		if got := themes.Pick(all, tt.name, tt.dark); got.Name != tt.want {
			t.Errorf("%q, dark %t: got %s, want %s", tt.name, tt.dark, got.Name, tt.want)
		}
	}
	if got := themes.Default(true); !got.Dark || themes.Default(false).Dark {
		t.Errorf("the defaults are of the wrong brightness: %+v", got)
	}
}

func TestParse(t *testing.T) {
	p, err := themes.Parse(
		[]byte("name = 'mine'\ndark = true\ntext = '#Ab01ff'\nmuted = '255'\n[code]\nkeyword = '0'\n"),
	)
	if err != nil || p.Name != "mine" || !p.Dark || p.Text != "#Ab01ff" || p.Muted != "255" || p.Code.Keyword != "0" ||
		p.Focus != "" {
		t.Errorf("got %+v, %v", p, err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"unknown key", "name = 'a'\n\ncolor = '#000000'\n", "line 3: color is not a key of a theme"},
		{"unknown key of code", "name = 'a'\n[code]\ntype = ''\n", "line 3: code.type is not a key of a theme"},
		{"unknown table", "name = 'a'\n[ui]\n", "line 2: ui is not a key of a theme"},
		{"short color", "name = 'a'\ntext = '#fff'\n", "line 2: text must be a color"},
		{"color by name", "name = 'a'\ntext = 'red'\n", "line 2: text must be a color"},
		{"color of seven digits", "name = 'a'\ntext = '#0000000'\n", "line 2: text must be a color"},
		{"signed color", "name = 'a'\ntext = '#+12345'\n", "line 2: text must be a color"},
		{"number over 255", "name = 'a'\ntext = '256'\n", "line 2: text must be a color"},
		{"number with a nought", "name = 'a'\ntext = '07'\n", "line 2: text must be a color"},
		{"number without quotes", "name = 'a'\ntext = 7\n", "line 2: text must be a color"},
		{"dark as text", "name = 'a'\ndark = 'yes'\n", "line 2: dark must be true or false"},
		{"table for a color", "name = 'a'\n[text]\nx = 1\n", "line 2: text must be a color"},
		{"no name", "dark = true\n", "the theme has no name"},
		{"name with an escape", "name = \"a\\u001b\"\n", "line 1: name must be"},
		{"name with a space", "name = 'a b'\n", "line 1: name must be 1 to 40"},
		{"reserved name", "name = 'auto'\n", "line 1: name must be"},
		{"about of two lines", "name = 'a'\nabout = \"a\\nb\"\n", "line 2: about must be a text of one line"},
		{"no TOML", "name = 'a'\ntext =\n", "line 2: "},
		{"many keys", strings.Repeat("[[a]]\n", 10_000), "the file has more than 1000 lines"},
		{"near miss", "name = 'a'\nhedding = '1'\n", "line 2: hedding is not a key of a theme; did you mean heading?"},
		{"too many models", "name = 'a'\nmodels = [" + strings.Repeat("'1',", 13) + "]\n", "line 2: models must be"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := themes.Parse([]byte(tt.text))
			var e *themes.ParseError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"confab-dark", "ansi16-light"} {
		data, err := os.ReadFile("palettes/" + name + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("name='x'\ntext='#00000g'"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := themes.Parse(data)
		if err != nil {
			return
		}
		for _, l := range themes.Sample(themes.New(p), 40) {
			if ansi.StringWidth(l) > 40 || strings.ContainsAny(ansi.Strip(l), "\x1b\n\r\u009b") {
				t.Fatalf("not a clean line: %q", l)
			}
		}
	})
}

// pair is a foreground that must be readable on a background.
type pair struct {
	name     string
	fore, on string
	bar      float64
}

// pairs lists what is drawn on what, with the contrast that WCAG 2.2 asks for
// it: 7 for text, 4.5 for all else that is read.
func pairs(p themes.Palette) []pair {
	list := []pair{
		{"text", p.Text, p.Background, 7}, {"text on surface", p.Text, p.Surface, 7},
		{"text on overlay", p.Text, p.Overlay, 7},
		{"text on removed", p.Text, p.Removed, 4.5}, {"text on added", p.Text, p.Added, 4.5},
		{"border", p.Border, p.Background, 2.4}, {"focus text", p.FocusText, p.Focus, 4.5},
		{"selection", or(p.SelectionText, p.Text), p.Selection, 4.5}, {"match", or(p.MatchText, p.Text), p.Match, 4.5},
	}
	readable := map[string]string{"muted": p.Muted, "faint": p.Faint, "focus": p.Focus, "person": p.Person,
		"heading": p.Heading, "link": p.Link, "success": p.Success, "warning": p.Warning, "danger": p.Danger,
		"info": p.Info, "code text": p.Code.Text, "code comment": p.Code.Comment, "code keyword": p.Code.Keyword,
		"code name": p.Code.Name, "code string": p.Code.String, "code number": p.Code.Number}
	for i, c := range p.Models {
		if c != "" {
			readable[fmt.Sprintf("model %d", i)] = c
		}
	}
	for name, c := range readable {
		list = append(list, pair{name, c, p.Background, 4.5}, pair{name + " on surface", c, p.Surface, 4.5},
			pair{name + " on overlay", c, p.Overlay, 4.5})
	}
	prompt, hasPrompt := colorful.MakeColor(themes.New(p).Prompt.GetBackground())
	for name, c := range map[string]string{"text": p.Text, "muted": p.Muted, "faint": p.Faint, "person": p.Person} {
		if hasPrompt && p.Surface != "" {
			list = append(list, pair{name + " on prompt", c, prompt.Hex(), 4.5})
		}
	}
	if strings.HasPrefix(p.Name, "high-contrast") {
		for i := range list {
			list[i].bar = 7
			if list[i].name == "border" {
				list[i].bar = 4.5
			}
		}
	}
	return list
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func TestContrast(t *testing.T) {
	for _, p := range themes.Shipped() {
		if strings.HasPrefix(p.Name, "ansi16") {
			continue // the terminal's own, see TestANSI16
		}
		for _, c := range pairs(p) {
			if got := contrast(t, c.fore, c.on); got < c.bar {
				t.Errorf("%s: %s has %.2f, want %.1f", p.Name, c.name, got, c.bar)
			}
		}
		if dark := luminance(t, p.Background) < 0.18; dark != p.Dark {
			t.Errorf("%s: dark is %t, its background says %t", p.Name, p.Dark, dark)
		}
		if got := contrast(t, p.Selection, p.Background); got < 1.15 {
			t.Errorf("%s: selected text does not stand out: %.2f", p.Name, got)
		}
		idle := background(t, themes.New(p).SelectedIdle)
		if got := themes.Contrast(idle, parseColor(t, p.Surface)); got < 1.1 {
			t.Errorf("%s: a selected row without focus looks like code: %.2f", p.Name, got)
		}
		for _, c := range append(modelsOf(p), p.Text, p.Muted) {
			if got := themes.Contrast(idle, parseColor(t, c)); got < 3 || c == p.Muted && got < 4.5 {
				t.Errorf("%s: %s on a selected row without focus has %.2f", p.Name, c, got)
			}
		}
	}
}

// TestIn256Colors asks that large areas stay quiet where the terminal has 256
// colors: what is dark and greyish must not become one of the few dark colors
// of the cube, which are garish, nor the background of a light dialog turn colorful.
func TestIn256Colors(t *testing.T) {
	for _, p := range themes.Shipped() {
		for name, c := range map[string]string{"selection": p.Selection, "surface": p.Surface,
			"overlay": p.Overlay} {
			if !p.Dark && name != "overlay" || !strings.HasPrefix(c, "#") {
				continue
			}
			r, g, b, _ := ansi.Convert256(lipgloss.Color(c)).RGBA()
			if most, least := max(r, g, b)>>8, min(r, g, b)>>8; most-least > 16 && (p.Dark || most-least > 40) {
				t.Errorf("%s: %s %s becomes #%02x%02x%02x", p.Name, name, c, r>>8, g>>8, b>>8)
			}
			if name == "selection" {
				on := fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
				if got := contrast(t, or(p.SelectionText, p.Text), on); got < 4.5 {
					t.Errorf("%s: text on the selection has %.2f", p.Name, got)
				}
			}
		}
	}
}

// TestBasicColorsAreNotBold asks that no style has a terminal draw one of the first eight colors in a bright one.
func TestBasicColorsAreNotBold(t *testing.T) {
	s := themes.New(themes.Pick(themes.Shipped(), "ansi16-light", false))
	for _, style := range []themes.Style{s.TitleFocused, s.You, s.Marked, s.AddedCurrent, s.RemovedCurrent,
		s.ModelStyle("beta").Inherit(s.Strong)} {
		c, isBasic := style.GetForeground().(ansi.BasicColor)
		if _, isOwn := style.GetForeground().(lipgloss.NoColor); !isOwn && (!isBasic || c > 7 || style.GetBold()) {
			t.Errorf("%q is bold or bright", style.Prefix)
		}
	}
	if s.AddedCurrent.Prefix == s.Added.Prefix || s.RemovedCurrent.Prefix == s.Removed.Prefix {
		t.Error("the current change looks like the others")
	}
}

// TestANSI16 judges the sixteen colors by those of xterm and of VGA.
func TestANSI16(t *testing.T) {
	xterm := []string{"#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5", "#7f7f7f",
		"#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"}
	vga := []string{"#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa", "#555555",
		"#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff"}
	for _, name := range []string{"ansi16-dark", "ansi16-light"} {
		p := themes.Pick(themes.Shipped(), name, true)
		back := map[bool]string{true: "#000000", false: "#ffffff"}[p.Dark]
		for _, c := range pairs(p) {
			for _, set := range [][]string{xterm, vga} {
				if c.fore == "dim" {
					continue // of the text
				}
				fore, on := basicColorOf(t, set, c.fore,
					map[bool]string{true: "#ffffff", false: "#000000"}[p.Dark]), basicColorOf(t, set,
					c.on, back)
				if (c.name == "selection" || c.name == "match") && c.on == "" || c.name == "focus text" {
					continue // swapped by the terminal; bold black turns grey in xterm
				}
				least := 2.75 // bright black of VGA on black
				if !p.Dark {
					least = 3.9 // bright black of xterm on white, which its green and all bright colors do not reach
				}
				if got := contrast(t, fore, on); got < least {
					t.Errorf("%s: %s has %.2f", p.Name, c.name, got)
				}
			}
		}
	}
}

func basicColorOf(t *testing.T, set []string, name, none string) string {
	t.Helper()
	if name == "" {
		return none
	}
	n, err := strconv.Atoi(name)
	if err != nil || n > 15 {
		t.Fatalf("%q is not one of the sixteen colors", name)
	}
	return set[n]
}

// TestColorBlind sees the colors that mean something as people with the two
// common kinds of color blindness do, and asks that they stay apart.
func TestColorBlind(t *testing.T) {
	for _, name := range []string{"high-contrast-dark", "high-contrast-light"} {
		p := themes.Pick(themes.Shipped(), name, true)
		for kind, m := range colorBlindness() {
			for _, two := range [][2]string{{p.Success, p.Danger}, {p.Success, p.Warning}, {p.Danger, p.Text},
				{p.Success, p.Text}} {
				if got := distance(transformColor(t, m, two[0]), transformColor(t, m, two[1])); got < 40 {
					t.Errorf("%s, %s: %s and %s are only %.0f apart", name, kind, two[0], two[1], got)
				}
			}
		}
	}
}

// colorBlindness returns how colors are seen, after Machado, Oliveira and Fernandes 2009 at severity 1.
func colorBlindness() map[string][9]float64 {
	return map[string][9]float64{
		"protanopia": {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
			1.051998},
		"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
			0.968881},
	}
}

func transformColor(t *testing.T, m [9]float64, c string) [3]float64 {
	t.Helper()
	l := linear(t, c)
	var out [3]float64
	for i := range out {
		v := m[3*i]*l[0] + m[3*i+1]*l[1] + m[3*i+2]*l[2]
		out[i] = 255 * math.Pow(min(1, max(0, v)), 1/2.2)
	}
	return out
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

func linear(t *testing.T, c string) [3]float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(c, "#"), 16, 32)
	if err != nil {
		t.Fatalf("%q is no color", c)
	}
	var l [3]float64
	for i := range l {
		v := float64(n>>(16-8*i)&0xff) / 255
		if l[i] = v / 12.92; v > 0.04045 {
			l[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return l
}

func luminance(t *testing.T, c string) float64 {
	t.Helper()
	l := linear(t, c)
	return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	return themes.Contrast(parseColor(t, a), parseColor(t, b))
}

func TestSample(t *testing.T) {
	for _, name := range []string{"confab-dark", "ansi16-light"} {
		t.Run(name, func(t *testing.T) {
			s := themes.New(themes.Pick(themes.Shipped(), name, true))
			golden.RequireEqual(t, strings.Join(themes.Sample(s, 60), "\n")+"\n")
		})
	}
	s := themes.New(themes.Default(true))
	for w := range 70 {
		for _, l := range themes.Sample(s, w) {
			if got := ansi.StringWidth(l); got > w {
				t.Errorf("at %d cells: %d cells in %q", w, got, l)
			}
		}
	}
}

// TestTerminalsOwn asks that a palette without colors sets none, and still
// tells apart by attributes.
func TestTerminalsOwn(t *testing.T) {
	s := themes.New(themes.Palette{Name: "none"})
	for name, got := range map[string]string{"text": s.Text.Render("x"), "muted": s.Muted.Render("x"),
		"border": s.Border.Render("x"), "badge": s.Badge.Render("x")} {
		if got != "x" {
			t.Errorf("%s: got %q, want x", name, got)
		}
	}
	for name, got := range map[string]string{"selected": s.Selected.Render("x"), "match": s.Match.Render("x"),
		"strong": s.Strong.Render("x"), "heading": s.Heading.Render("x")} {
		if got == "x" || strings.Contains(got, "38;") || strings.Contains(got, "48;") {
			t.Errorf("%s: got %q, want attributes only", name, got)
		}
	}
	if s.Background != nil || s.Foreground != nil || s.Cursor != nil {
		t.Error("it has a background, a foreground or a cursor of its own")
	}
}

// TestStylesFit asks that no style adds cells to what it draws: panes count
// them.
func TestStylesFit(t *testing.T) {
	for _, p := range themes.Shipped() {
		s := themes.New(p)
		for _, got := range []string{s.Badge.Render("ab"), s.Selected.Render("ab"), s.Code.Render("ab"),
			s.Title.Render("ab"),
			s.Key.Render("ab")} {
			if ansi.Strip(got) != "ab" {
				t.Errorf("%s: got %q", p.Name, got)
			}
		}
		// A cluster of runes stays whole, see New.
		for _, got := range []string{s.Match.Render("e\u0301e\u0301"), s.Link.Render("e\u0301e\u0301"),
			s.Selected.Render("e\u0301e\u0301")} {
			if !strings.Contains(got, "e\u0301e\u0301") {
				t.Errorf("%s: tears a cluster: %q", p.Name, got)
			}
		}
	}
}

func BenchmarkNew(b *testing.B) {
	p := themes.Default(true)
	for b.Loop() {
		_ = themes.New(p)
	}
}

func BenchmarkShipped(b *testing.B) {
	for b.Loop() {
		_ = themes.Shipped()
	}
}

func BenchmarkDefault(b *testing.B) {
	for b.Loop() {
		_ = themes.Default(true)
	}
}
