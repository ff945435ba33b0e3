package termtext_test

import (
	"slices"
	"strings"
	"testing"

	"confab/internal/termtext"
	"confab/internal/termtexttest"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		w        int
		want     []string
	}{
		{"short", "a b", 10, []string{"a b"}},
		{"empty", "", 10, []string{""}},
		{"lines", "a\n\nb", 10, []string{"a", "", "b"}},
		{"words", "one two three", 7, []string{"one two", "three"}},
		{"spaces at the break are dropped", "one   two", 4, []string{"one", "two"}},
		{"spaces within are kept", "a  b c", 4, []string{"a  b", "c"}},
		{"trailing spaces hang", "abcd   ", 4, []string{"abcd"}},
		{"long word", "abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"long word after a short one", "a bcdefgh", 4, []string{"a", "bcde", "fgh"}},
		{"long word after a sign", "f(x,y)=abcdefghij+k", 9, []string{"f(x,y)=", "abcdefghi", "j+k"}},
		{"long path", "/home/someone/pictures", 16, []string{"/home/someone/", "pictures"}},
		{"long word with an early sign", "a=bcdefghijk", 8, []string{"a=bcdefg", "hijk"}},
		{"indentation", "    abc def", 8, []string{"    abc", "def"}},
		{"nothing but spaces", "          ", 4, []string{""}},
		{"hyphen", "well-known fact", 6, []string{"well-", "known", "fact"}},
		{"no break after a minus", "a -5 b", 3, []string{"a", "-5", "b"}},
		{"Chinese", "日本語文字列", 5, []string{"日本", "語文", "字列"}},
		{"mixed", "ab 日本語", 6, []string{"ab 日", "本語"}},
		{"no full stop at the start", "日本語。文", 6, []string{"日本", "語。文"}},
		{"no bracket at the end", "日本「語」", 6, []string{"日本", "「語」"}},
		{"a separator stays with what it separates", termtext.Clean("ककककि"), 4, []string{"कककक", "\u200bि"}},
		{"wide in a narrow column", "日本", 1, []string{"日", "本"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := termtext.Wrap(tt.in, tt.w); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("The quick-brown 日本語「テ」fox  jumps over हिन्दी", 7)
	f.Add("    code    here", 5)
	f.Fuzz(func(t *testing.T, s string, w int) {
		w = 2 + (w&0x7fffffff)%100
		s = termtext.Clean(s)
		lines := termtext.Wrap(s, w)
		for _, l := range lines {
			if n := ansi.StringWidth(l); n > w {
				t.Fatalf("%d cells in %d: %q", n, w, l)
			}
		}
		squeeze := strings.NewReplacer(" ", "", "\n", "").Replace
		if got, want := squeeze(strings.Join(lines, "")), squeeze(s); got != want {
			t.Fatalf("text changed: got %q, want %q", got, want)
		}
	})
}

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		in   string
		w    int
		want string
	}{
		{"abc", 5, "abc  "}, {"abcdef", 4, "abc…"}, {"日本語", 4, "日… "}, {"日本", 4, "日本"}, {"", 2, "  "}, {"abc", 0,
			""}, {"a\nb", 4, "a b "},
		{"\x1b[1mabcdef\x1b[m", 4, "\x1b[1mabc…\x1b[m"},
	} {
		if got := termtext.Fit(tt.in, tt.w); got != tt.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.want)
		}
	}
}

func TestTitle(t *testing.T) {
	if got := termtext.Title("a\nb\x1b]0;x\x07"); got != "a b␛]0;x" {
		t.Errorf("got %q", got)
	}
	if got := ansi.StringWidth(termtext.Title(strings.Repeat("日", 5000))); got > 100 {
		t.Errorf("%d cells, want at most 100", got)
	}
	if why := termtexttest.CheckPlain(termtext.Title(strings.Repeat("é", 4095) + "\xe9")); why != "" {
		t.Error(why)
	}
}

// The layout's width equals the cursor movement of a terminal.
func TestWidthIsTheEmulators(t *testing.T) {
	texts := []string{
		"plain", "日本語", "👨\u200d👩\u200d👧\u200d👦 family", "👍🏽👍", "🇩🇪🇫🇷🇩", "❤\ufe0f1\ufe0f\u20e3",
		"हिन्दी में नमस्ते क्षत्रिय", "ทำงาน น้ำ",
		"မြန်မာ ខ្មែរ தமிழ் മലയാളം", "e" + strings.Repeat("\u0301",
			50), "\u0301x", "مرحبا שלום", "한국어 \u1100\u1161\u11a8", "a\tb", "\u0d4ea",
	}
	for _, p := range termtexttest.Payloads() {
		texts = append(texts, p)
	}
	for _, text := range texts {
		line := termtext.Line(text)
		em := vt.NewEmulator(200, 2)
		var title string
		em.SetCallbacks(vt.Callbacks{Title: func(s string) { title = s }})
		if _, err := em.WriteString(line + "|"); err != nil {
			t.Fatal(err)
		}
		if got, want := em.CursorPosition().X, ansi.StringWidth(line)+1; got != want {
			t.Errorf("%q: cursor in column %d, want %d", line, got, want)
		}
		if title != "" {
			t.Errorf("%q set the title to %q", line, title)
		}
		if err := em.Close(); err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkWrap(b *testing.B) {
	s := strings.Repeat(strings.Repeat("The quick brown fox jumps over the lazy dog. ", 20)+"\n", 1200)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		termtext.Wrap(s, 80)
	}
}
