package termtext_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
)

// FuzzWidth compares Width with the parser that its fast paths avoid.
func FuzzWidth(f *testing.F) {
	for _, s := range []string{
		"", "plain", "\x1b[1;38;2;1;2;3mred\x1b[m and not", "┏━ Models ━┓", "→ 3 models ↓ newest ▌ ████░░░",
		"日本語のテキスト、です。",
		"e\u0301 a\u0308\u0323 x", "👩‍👩‍👧 ok ✌️ ↔️ ©️ #️⃣", "\x1b]8;;https://a.example\x1b\\link\x1b]8;;\x1b\\",
		"\x1b[38:2::1:2:3mx\x1b[0", "\x1b[5Cx", "a\x1b[m\u0301",
		"tab\there", "\x1b", "\x1b[", "\x1b[31", "ไทย हिन्दी 한국어", "\u200bzero\u00ad", "a\r\nb", "\xff\xc3(",
		"─\ufe0f →\ufe0f ▌\u0301",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := termtext.Width(s), ansi.StringWidth(s); got != want {
			t.Errorf("%q is %d cells wide, said %d", s, want, got)
		}
	})
}
