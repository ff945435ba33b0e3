package themes_test

import (
	"strings"
	"testing"

	"confab/themes"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/charmbracelet/x/ansi"
)

const source = "package main\n\n/* two\nlines */\nfunc main() {\n\tprintln(\"hi\", 42, nil) // é 漢\n}\n"

func tokens(t testing.TB, language, text string) []chroma.Token {
	t.Helper()
	it, err := chroma.Coalesce(lexers.Get(language)).Tokenise(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	return it.Tokens()
}

func TestLinesKeepTheText(t *testing.T) {
	for _, p := range themes.Shipped() {
		lines := themes.NewCodeStyle(themes.New(p)).Lines(tokens(t, "go", source))
		if got := ansi.Strip(strings.Join(lines, "\n")) + "\n"; got != source {
			t.Errorf("%s: got %q, want %q", p.Name, got, source)
		}
		for _, l := range lines {
			// Between one start of a style and the next stands its end.
			for i, piece := range strings.Split(l, "\x1b[m") {
				if starts := strings.Count(piece, "\x1b["); starts > 1 ||
					(i == strings.Count(l, "\x1b[m") && starts > 0) {
					t.Errorf("%s: a style is left on: %q", p.Name, l)
				}
			}
		}
	}
}

func TestColors(t *testing.T) {
	var p themes.Palette
	p.Name, p.Success, p.Danger, p.Heading = "numbers", "106", "107", "108"
	p.Code.Text, p.Code.Comment, p.Code.Keyword = "100", "101", "102"
	p.Code.Name, p.Code.String, p.Code.Number = "103", "104", "105"
	code := themes.NewCodeStyle(themes.New(p))
	for _, tt := range []struct{ language, text, part, color string }{
		{"go", source, "func", "102"}, {"go", source, "main", "103"}, {"go", source, `"hi"`, "104"}, {"go", source,
			"42",
			"105"},
		{"go", source, "nil", "105"}, {"go", source, "lines */", "101"}, {"go", source, "// é 漢", "101"},
		{"python", "x = True\n", "True", "105"}, {"python", "class A: pass\n", "A", "103"}, {"python", "a and b\n",
			"and",
			"102"},
		{"json", `{"a": 1.5}`, "1.5", "105"}, {"diff", "-gone\n+new\n", "-gone", "107"}, {"diff", "-gone\n+new\n",
			"+new",
			"106"},
		{"html", "<b class='x'>", "b", "103"}, {"c", "#include <x>\n", "include", "102"},
	} {
		all := strings.Join(code.Lines(tokens(t, tt.language, tt.text)), "\n")
		found := false
		for piece := range strings.SplitSeq(all, "\x1b[38;5;"+tt.color+"m") {
			text, _, _ := strings.Cut(piece, "\x1b[m")
			found = found || (piece != all && strings.Contains(text, tt.part))
		}
		if !found {
			t.Errorf("%s: %q is not colored %s in %q", tt.language, tt.part, tt.color, all)
		}
	}
}

func TestNoColors(t *testing.T) {
	got := themes.NewCodeStyle(themes.New(themes.Palette{Name: "none"})).Lines(tokens(t, "go", source))
	if text := strings.Join(got, "\n") + "\n"; text != source {
		t.Errorf("got %q, want %q", text, source)
	}
}

func TestSixteenColorsStay(t *testing.T) {
	p := themes.Pick(themes.Shipped(), "ansi16-dark", true)
	all := strings.Join(themes.NewCodeStyle(themes.New(p)).Lines(tokens(t, "go", source)), "\n")
	if strings.Contains(all, "38;") || !strings.Contains(all, "\x1b[35mfunc\x1b[m") {
		t.Errorf("got %q", all)
	}
}

func BenchmarkLines(b *testing.B) {
	code := themes.NewCodeStyle(themes.New(themes.Default(true)))
	list := tokens(b, "go", strings.Repeat(source, 100))
	b.SetBytes(int64(len(source) * 100))
	for b.Loop() {
		_ = code.Lines(list)
	}
}

func TestWhereThereAreNoItalicsCodeIsUnderlined(t *testing.T) {
	for none, code := range map[bool]string{false: "3", true: "4"} {
		s := themes.New(themes.Default(true))
		s.NoItalics = none
		line := themes.NewCodeStyle(s).Lines([]chroma.Token{{Type: chroma.GenericEmph, Value: "word"}})[0]
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "\x1b["), ";")
		if strings.TrimSuffix(first, "m") != code {
			t.Errorf("without italics %t: %q", none, line)
		}
	}
}
