package termtext_test

import (
	"strings"
	"testing"
	"unicode"

	"confab/internal/termtext"
	"confab/internal/termtexttest"

	"github.com/charmbracelet/x/ansi"
)

func TestCleanOfText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a b\nc", "a b\nc"},
		{"escape sequence stays readable", "a\x1b[31mb", "a␛[31mb"},
		{"unfinished sequence swallows nothing", "a\x1b]0;b", "a␛]0;b"},
		{"C1 as UTF-8", "a\u009d0;b\u009c", "a␛0;b␛"},
		{"C1 as a byte", "a\x9bb", "a\ufffdb"},
		{"controls", "a\x00\x07\b\x7fb", "ab"},
		{"line ends", "a\r\nb\rc\u2028d\u0085e\vf\fg", "a\nb\nc\nd\ne\nf\ng"},
		{"tabs stop at multiples of four", "\ta\tbcd\tx\n\tb", "    a   bcd x\n    b"},
		{"tab after wide text", "日本\tx", "日本    x"},
		{"direction", "a\u202eb\u2067c\u200f", "abc"},
		{"invisible", "a\u200b\u200d\ufeff\u00adb\U000e0041\ufe0f", "ab"},
		{"broken UTF-8", "a\xff\xed\xa0\x80b", "a\ufffd\ufffd\ufffd\ufffdb"},
		{"private use", "a\ue000\U0010eeeeb", "a\ufffd\ufffdb"},
		{"family", "👨\u200d👩\u200d👧", "👨👩👧"},
		{"skin tone", "👍🏽!", "👍!"},
		{"skin tone on a letter is kept", "a🏽", "a\u200b🏽"},
		{"flag", "🇩🇪", "🇩🇪"},
		{"half a flag", "🇩🇪🇫x", "🇩🇪Fx"},
		{"keycap", "1\ufe0f\u20e3 #\u20e3 a\u20e3", "1 # a\u20e3"},
		{"eight marks", "e" + strings.Repeat("\u0301", 20), "e" + strings.Repeat("\u0301", 8)},
		{"mark without a base", "\u0301a\n\u0301b", "◌\u0301a\n◌\u0301b"},
		{"Hindi", "हिन्दी", "ह\u200bिन्\u200bद\u200bी"},
		{"Thai", "ทำ", "ท\u200bำ"},
		{"Arabic and Hebrew", "مرحبا שלום", "مرحبا שלום"},
		{"Korean", "한국어 각", "한국어 각"},
		{"newer emoji", "\U0001fae9", "\U0001fae9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := termtext.Clean(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A character must not join what the program draws next to it, such as a border.
func TestCleanTextKeepsItsWidthBesideOther(t *testing.T) {
	for r := rune(0x80); r <= 0x323af; r++ {
		if r > 0x3400 && r < 0xa000 || r > 0xac00 && r < 0xf900 || r > 0x17000 && r < 0x1b000 || r > 0x20000 {
			r += 97 // one of many alike
		}
		s := termtext.Clean(string(r))
		if s != string(r) && strings.Contains("éжω日한。—│", string(r)) {
			t.Errorf("U+%04X became %q", r, s)
		}
		if got, want := ansi.StringWidth("│"+s+"│"), 2+ansi.StringWidthWc(s); got != want {
			t.Errorf("U+%04X: %q between borders is %d cells wide, want %d", r, s, got, want)
		}
	}
}

// Tests every function for plain text with every payload.
func TestPayloadsDoNotPass(t *testing.T) {
	doors := map[string]func(string) string{
		"Clean": termtext.Clean, "Line": termtext.Line, "Reveal": termtext.Reveal, "Title": termtext.Title,
		"Clean then Allow": func(s string) string { return termtext.Allow(termtext.Clean(s)) },
		"Line then Fit":    func(s string) string { return termtext.Fit(termtext.Line(s), 300) },
		"Clean then Wrap":  func(s string) string { return strings.Join(termtext.Wrap(termtext.Clean(s), 10), "\n") },
	}
	for name, p := range termtexttest.Payloads() {
		for door, clean := range doors {
			got := clean(p)
			if why := termtexttest.CheckPlain(got); why != "" {
				t.Errorf("%s of %s: %s", door, name, why)
			}
			if why := termtexttest.MissingFrame(got); why != "" {
				t.Errorf("%s of %s: %s is gone from %q", door, name, why, got)
			}
		}
		if why := termtexttest.Check(termtext.Allow(p)); why != "" && !isUnsettled(p) {
			t.Errorf("Allow of %s: %s", name, why)
		}
	}
}

// isUnsettled reports whether Allow alone may keep a disputed width or too many marks: it checks characters, Clean
// checks cells.
func isUnsettled(s string) bool {
	return strings.Contains(s, "👍🏽") || strings.Contains(s, "\u0301") || strings.ContainsRune(s, '🇩')
}

func TestReveal(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a\x1b[2J", "a␛[2J"},
		{"a\u202eb", "a⟨U+202E⟩b"},
		{"a\r\nb", "a␍\nb"},
		{"a\tb", "a⇥  b"},
		{"\x00\x7f\u009b", "␀␡⟨U+009B⟩"},
		{"\xff", "⟨0xFF⟩"},
		{"x\u00a0y\u200d", "x⟨U+00A0⟩y⟨U+200D⟩"},
		{"👍🏽", "👍⟨U+1F3FD⟩"},
		{"🇩", "D"},
		{"日本 ok", "日本 ok"},
	} {
		if got := termtext.Reveal(tt.in); got != tt.want {
			t.Errorf("Reveal(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, p := range termtexttest.Payloads() {
		f.Add(p)
	}
	f.Add("हिन्दी क्षि ทำงาน မြန်မာ ខ្មែរ தமிழ் മലയാളം\t각\u1100\u1161\u11a8")
	f.Add("\u0d4ea \u0600x \U0001f1e6🇩🇪🇫🇷 👩🏽\u200d💻")
	f.Fuzz(func(t *testing.T, s string) {
		got := termtext.Clean(s)
		if why := termtexttest.CheckPlain(got); why != "" {
			t.Fatalf("Clean(%q): %s", s, why)
		}
		if again := termtext.Clean(got); again != got {
			t.Fatalf("Clean is not idempotent: %q, then %q", got, again)
		}
		if missing := firstLostCharacter(s, got); missing != "" {
			t.Fatalf("Clean(%q) = %q lost %q", s, got, missing)
		}
		if why := termtexttest.CheckPlain(termtext.Reveal(s)); why != "" {
			t.Fatalf("Reveal(%q): %s", s, why)
		}
		if line := termtext.Line(s); strings.Contains(line, "\n") || termtext.Line(line) != line {
			t.Fatalf("Line(%q) = %q is not one line, or not idempotent", s, line)
		}
		if allowed := termtext.Allow(got); allowed != got {
			t.Fatalf("Allow changes cleaned text %q to %q", got, allowed)
		}
	})
}

// firstLostCharacter returns the first letter, number, punctuation or common symbol of in that is missing in out, of
// those that Clean keeps.
func firstLostCharacter(in, out string) string {
	keep := func(s string) []rune {
		var rs []rune
		for _, r := range s {
			if unicode.In(r, unicode.L, unicode.N, unicode.P) &&
				!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) &&
				termtext.Clean(string(r)) != "\ufffd" {
				rs = append(rs, r)
			}
		}
		return rs
	}
	rest := keep(out)
	for _, r := range keep(in) {
		i := 0
		for i < len(rest) && rest[i] != r {
			i++
		}
		if i == len(rest) {
			return string(r)
		}
		rest = rest[i+1:]
	}
	return ""
}

func BenchmarkClean(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":  strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 24<<10),
		"german": strings.Repeat("Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich.\n", 18<<10),
		"cjk":    strings.Repeat("日本語のテキストはスペースがない。\n", 20<<10),
		"esc":    strings.Repeat("\x1b[31mred\x1b[m ", 70<<10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				termtext.Clean(s)
			}
		})
	}
}

// TestDisarmLeavesTheText keeps texts of all scripts unchanged and removes terminal controls.
func TestDisarmLeavesTheText(t *testing.T) {
	for _, s := range []string{"हिन्दी नमस्ते", "ภาษาไทยน้ำ", "ກຳ",
		"👩‍💻 1️⃣ ❤️ 👍🏽 🏴\U000e0067\U000e0062\U000e007f", "a\tb\r\nc\n",
		"می\u200cخواهم", "שָׁלוֹם\u200f", "soft\u00adhyphen", "e\u0301\u0302"} {
		if got := termtext.Disarm(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	for in, want := range map[string]string{"a\x1b[31mb": "a␛[31mb", "\u009b2J": "␛2J", "a\rb": "a\nb",
		"x\x00\b\x7f":     "x",
		"\u202eabc\u2066": "abc", "\xff": "\ufffd"} {
		if got := termtext.Disarm(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	for _, p := range termtexttest.Payloads() {
		for _, r := range termtext.Disarm(p) {
			if unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' {
				t.Errorf("%q lets %q through", p, r)
			}
		}
	}
}
