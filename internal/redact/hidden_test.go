package redact_test

import (
	"strings"
	"testing"

	"confab/internal/redact"
)

// disguises are invisible texts that a service may insert into a key.
var disguises = map[string]string{
	"NUL": "\x00", "backspace": "\b", "delete": "\x7f", "zero width space": "\u200b", "joiner": "\u200d",
	"word joiner": "\u2060", "byte order mark": "\ufeff", "soft hyphen": "\u00ad", "tag": "\U000e0041",
	"variation selector": "\ufe0f", "supplementary selector": "\U000e0100", "Mongolian selector": "\u180b",
	"combining mark": "\u0301", "enclosing mark": "\u20dd", "Hangul filler": "\u3164", "bidi": "\u202e",
	"isolate": "\u2066", "line break": "\n", "broken and indented": "\r\n    ", "paragraph separator": "\u2029",
	"continued line": "\\\n", "style": "\x1b[1;31m", "C1 style": "\u009b0m", "link": "\x1b]8;;https://a.b/\x1b\\",
	"title": "\x1b]0;x\a", "charset": "\x1b(B", "bare escape": "\x1b", "next line": "\u0085",
	"many": strings.Repeat("\u200b", 900),
	"JSON": `\u200b`, "JSON pair": `\udb40\udc41`, "JSON twice": `\\u00ad`, "Go": `\x00`, "bytes": `\xe2\x80\x8b`,
	"percent": "%E2%80%8B", "percent twice": "%25E2%2580%258B", "entity": "&shy;", "entity number": "&#8203;",
	"several": "\u200b\x00\x1b[m&zwj;%00\u0301\n",
}

// TestHiddenCharactersDoNotHideTheKey inserts invisible text between all characters of a key, and at one place.
func TestHiddenCharactersDoNotHideTheKey(t *testing.T) {
	const k = "sk-Live-0123456789abcdef"
	m, echo := redact.NewMasker(k), redact.NewEchoMasker("se-1")
	for name, between := range disguises {
		texts := []string{strings.Join(strings.Split(k, ""), between), k[:9] + between + k[9:]}
		if strings.ContainsAny(between, "\n\r") { // a line that ends like the beginning of a key is not held back
			texts[0] = k[:4] + strings.Join(strings.Split(k[3:], ""), between)[1:]
		}
		for _, text := range texts {
			if got, want := m.String("a "+text+" b"), "a "+redact.Dots+" b"; got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
			for cut := range len(text) {
				if got := masked(t, m, "a "+text[:cut], text[cut:]+" b"); got != "a "+redact.Dots+" b" {
					t.Fatalf("%s cut at %d: got %q", name, cut, got)
				}
				if len(text) > 1000 && cut > 9 {
					break
				}
			}
		}
		if strings.ContainsAny(between, "\n\r") {
			continue
		}
		if got := echo.String("a s" + between + "e" + between + "-1."); got != "a "+redact.Dots+"." {
			t.Errorf("a short key with %s: got %q", name, got)
		}
	}
	for name, text := range map[string]string{
		"upper": strings.ToUpper(k), "lower": strings.ToLower(k),
		"UTF-16 big":    "\x00" + strings.Join(strings.Split(k, ""), "\x00"),
		"UTF-16 little": strings.Join(strings.Split(k, ""), "\x00") + "\x00",
		"base64 broken": "c2stTGl2ZS0wMTIzN\u200bDU2Nzg5YWJjZGVm",
	} {
		if got := m.String(text); !strings.Contains(got, redact.Dots) || len(got) > len(redact.Dots)+2 {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if got := redact.NewMasker("abc").String("a\x00b\u200bc"); got != redact.Dots {
		t.Errorf("a short key that is the whole text: got %q", got)
	}
}

// TestDrawnTextKeepsItsPlace masks a key with several styles cell by cell.
func TestDrawnTextKeepsItsPlace(t *testing.T) {
	m := redact.NewMasker("sk-Live-0123456789abcdef")
	for in, want := range map[string]string{
		"│ sk-Live-0123456789abcdef │":                         "│ •••••••••••••••••••••••• │",
		"sk-\x1b[1mLive\x1b[m-0123456789abcdef x":              "••••••••••••••••••••••••\x1b[1m\x1b[m x",
		"\x1b[31mSK-LIVE-\u200b0123456789ABCDEF\x1b[m\nnext\n": "\x1b[31m••••••••••••••••••••••••\x1b[m\nnext\n",
		"a sk-Live-01\x1b[1m2345678\n  9abcdef\x1b[m b":        "a •••••••••••••••••\x1b[1m\n  •••••••\x1b[m b",
		"│ sk-Live-012345678 │\n│ 9abcdef":                     "│ sk-Live-012345678 │\n│ 9abcdef", // of other panes
		"":                                                     "",
	} {
		if got := m.Drawn(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := (*redact.Masker)(nil).Drawn("x"); got != "x" {
		t.Errorf("a nil masker: got %q", got)
	}
}
