package termtext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"confab/internal/termtext"
)

func TestQuote(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain name", `"plain name"`},
		{`say "hi" \ so`, `"say \"hi\" \\ so"`},
		{"Zoë 日本 👍", `"Zoë 日本 👍"`},
		{"a\u3164b\U000e0101c\u200dd\ufe0f\u115f", `"a\u3164b\U000e0101c\u200dd\ufe0f\u115f"`},
		{"a\U000e0041\U000e0fffb", `"a\U000e0041\U000e0fffb"`},
		{"a\x1b[31m\n\tb", `"a\u001b[31m\n\tb"`},
		{"a\xffb\ufffdc", `"a\xffb�c"`},
		{strings.Repeat("ä", 81), `"` + strings.Repeat("ä", 80) + `…"`},
		{strings.Repeat("ä", 80), `"` + strings.Repeat("ä", 80) + `"`},
	} {
		if got := termtext.Quote(tt.in); got != tt.want {
			t.Errorf("Quote(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"log.level", "serve.addr", "service.base_url", "ui.theme", "send"}
	for name, want := range map[string]string{
		"service.base_urk": "service.base_url", "service.theme": "ui.theme", "theme": "ui.theme", "sned": "send",
		"send": "send", "color": "", strings.Repeat("x", 1<<20): "",
	} {
		if got := termtext.NearestName(name, names); got != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("a\u3164\U000e0101\x1b[2J\xff\\\"")
	f.Fuzz(func(t *testing.T, s string) {
		got := termtext.Quote(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !termtext.IsVisible(r) }) {
			t.Fatalf("Quote(%q) = %q shows something invisible", s, got)
		}
		if utf8.RuneCountInString(got) > 10*termtext.MaxQuoted+3 {
			t.Fatalf("Quote(%q) has %d characters", s, utf8.RuneCountInString(got))
		}
	})
}

func TestCountHidden(t *testing.T) {
	for s, want := range map[string]int{"": 0, "plain\ttext\r\n": 0, "❤️ 👩‍💻 می\u200cخواهم": 0,
		"a\u200bb\u00ad": 2, "\x00\x1b[m\u009b": 3,
		"\u202e\U000e0041": 2, "a\rb": 1} {
		if got := termtext.CountHidden(s); got != want {
			t.Errorf("%q has %d, want %d", s, got, want)
		}
	}
}
