package redact_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"confab/internal/redact"
)

const key = `sk-Sentinel/9+"<&'>=\%key é😀`

// encodedKeys returns functions that encode a key; each also returns the text that must not remain after masking.
func encodedKeys(k string) map[string]string {
	quoted, _ := json.Marshal(k)
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	_ = e.Encode(k)
	unquoted := strings.TrimSuffix(strings.TrimPrefix(string(quoted), `"`), `"`)
	twice, _ := json.Marshal(unquoted)
	all := map[string]string{
		"raw":        k,
		"json":       unquoted,
		"json plain": strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(plain.String()), `"`), `"`),
		"json twice": strings.TrimSuffix(strings.TrimPrefix(string(twice), `"`), `"`),
		"query":      url.QueryEscape(k),
		"path":       url.PathEscape(k),
		"lower url":  lowerHex(url.QueryEscape(k)),
		"url twice":  url.QueryEscape(url.QueryEscape(k)),
		"html":       html.EscapeString(k),
		"html twice": html.EscapeString(html.EscapeString(k)),
	}
	if !utf8.ValidString(k) { // JSON cannot encode it, so the key is lost
		delete(all, "json")
		delete(all, "json plain")
		delete(all, "json twice")
	} else {
		var u, numeric, hex strings.Builder
		for _, r := range k {
			numeric.WriteString(fmt.Sprintf("&#%d;", r))
			hex.WriteString(fmt.Sprintf("&#x%X;", r))
			if r < 0x10000 {
				fmt.Fprintf(&u, `\u%04X`, r)
			} else {
				b, _ := json.Marshal(string(r))
				u.Write(b[1 : len(b)-1])
			}
		}
		all["json numeric"], all["html numeric"], all["html hex"] = u.String(), numeric.String(), hex.String()
	}
	return all
}

func lowerHex(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteByte(s[i])
		if s[i] == '%' && i+2 < len(s) {
			b.WriteString(strings.ToLower(s[i+1 : i+3]))
			i += 2
		}
	}
	return b.String()
}

// masked returns what a writer makes of a text that comes in parts.
func masked(t *testing.T, m *redact.Masker, parts ...string) string {
	t.Helper()
	var out strings.Builder
	w := m.Writer(&out)
	for _, part := range parts {
		if n, err := io.WriteString(w, part); err != nil || n != len(part) {
			t.Fatalf("wrote %d, %v", n, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEveryFormIsMasked(t *testing.T) {
	for _, k := range []string{key, "sk-live-0123456789abcdef", "aaaaaaaa", `\\\\\\\\`, "%%%%25%%", "&amp;&lt;&",
		"\xff\xfe-bytes\x80", "ключ-от-всего"} {
		m := redact.NewMasker("", "other-secret", k)
		for name, form := range encodedKeys(k) {
			t.Run(name+" "+k, func(t *testing.T) {
				got := m.String("before " + form + " after")
				if want := "before " + redact.Dots + " after"; got != want {
					t.Errorf("got %q, want %q, from %q", got, want, form)
				}
				b, hit := m.Bytes([]byte(form + "|" + form))
				if string(b) != redact.Dots+"|"+redact.Dots || !hit {
					t.Errorf("got %q, %v", b, hit)
				}
			})
		}
	}
}

func TestBase64IsMaskedAtEveryAlignment(t *testing.T) {
	m := redact.NewMasker(key)
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
		for shift := range 7 {
			text := enc.EncodeToString([]byte(strings.Repeat("u", shift) + key + "tail"))
			for _, written := range []string{text, url.QueryEscape(text), strings.ReplaceAll(text, "/", `\/`),
				text[:20] + "\r\n" + text[20:], text[:20] + `\n` + text[20:]} {
				got := m.String(written)
				if !strings.Contains(got, redact.Dots) || len(got) > len(written)-len(key)+len(redact.Dots) {
					t.Errorf("shift %d: got %q from %q", shift, got, written)
				}
			}
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	m := redact.NewMasker("sk-12345678", "short", "abc")
	for _, s := range []string{"", "sk-1234567", "sk-12345679", "a short story", "abc.", `\u0073k-1234567`,
		"100%\n", "R&D & more", `\\\\\\\\\\\\`, strings.Repeat("sk-", 100)} {
		if got := m.String(s); got != s {
			t.Errorf("got %q, want %q", got, s)
		}
		b := []byte(s)
		if got, hit := m.Bytes(b); hit || !bytes.Equal(got, b) {
			t.Errorf("got %q, %v; want it untouched", got, hit)
		}
	}
	echo := redact.NewEchoMasker("short", "abc")
	for _, s := range []string{"a shorter story", "abc.", "_short", "short1", "éshort", "shorté", "shor", "c2hvcnQ="} {
		if got := echo.String(s); got != s {
			t.Errorf("of an echo: got %q, want %q", got, s)
		}
	}
	for _, s := range []string{"short", "abc"} {
		if got, echoed := m.String(s), echo.String(s); got != redact.Dots || echoed != redact.Dots {
			t.Errorf("a short secret by itself: got %q, %q", got, echoed)
		}
	}
	var none *redact.Masker
	if got := none.String("anything"); got != "anything" {
		t.Errorf("nil masker: got %q", got)
	}
	if b, hit := none.Bytes([]byte("x")); hit || string(b) != "x" {
		t.Errorf("nil masker: got %q, %v", b, hit)
	}
}

// TestShortSecretsAreMaskedAsWords masks secrets of fewer than eight bytes in whole texts and in parts, cut at every
// position.
func TestShortSecretsAreMaskedAsWords(t *testing.T) {
	for _, k := range []string{"test", "ollama", "a-b_c7", `q"<&é`, "-key-"} {
		m := redact.NewEchoMasker(k)
		for name, form := range encodedKeys(k) {
			for _, text := range []string{"%s", "The %s.", "“%s”", "(%s)", `{"apikey":"%s"}`, `\n%s\n`, "%%20%s%%20", `\u000a%s`,
				"a=%s&b", "—%s—", "%s %s"} {
				want := strings.ReplaceAll(strings.ReplaceAll(text, "%s", redact.Dots), "%%", "%")
				text = strings.ReplaceAll(strings.ReplaceAll(text, "%s", form), "%%", "%")
				if got := m.String(text); got != want {
					t.Errorf("%s as %s: got %q, want %q, from %q", k, name, got, want, text)
				}
				for cut := range len(text) {
					if got := masked(t, m, text[:cut], text[cut:]); got != want {
						t.Fatalf("%s as %s cut at %d: got %q, want %q, from %q", k, name, cut, got, want, text)
					}
				}
			}
		}
	}
}

// TestAShortSecretWaitsForItsEnd holds back a possible secret, and no more.
func TestAShortSecretWaitsForItsEnd(t *testing.T) {
	m := redact.NewEchoMasker("test", "x1")
	for _, tt := range []struct{ parts, want []string }{
		{[]string{"a te", "st", " b"}, []string{"a ", "a ", "a •••• b"}},
		{[]string{"a te", "st", "er b"}, []string{"a ", "a ", "a tester b"}},
		{[]string{"la", "test "}, []string{"la", "latest "}},
		{[]string{"x", "1"}, []string{"", ""}},
		{[]string{"x", "1", "."}, []string{"", "", "x1."}},
		{[]string{"so x", "1"}, []string{"so x", "so x1"}},
	} {
		var out strings.Builder
		w := m.Writer(&out)
		for i, part := range tt.parts {
			if _, _ = w.Write([]byte(part)); out.String() != tt.want[i] {
				t.Errorf("%q: got %q after %q, want %q", tt.parts, out.String(), part, tt.want[i])
			}
		}
		whole := strings.Join(tt.parts, "")
		if _ = w.Close(); out.String() != m.String(whole) {
			t.Errorf("%q: got %q at the end, want %q", tt.parts, out.String(), m.String(whole))
		}
	}
}

func TestWriterMasksOverSplitWrites(t *testing.T) {
	m := redact.NewMasker(key)
	for name, form := range encodedKeys(key) {
		text := "before " + form + " after\n"
		for cut := range len(text) {
			var out strings.Builder
			w := m.Writer(&out)
			for _, part := range []string{text[:cut], "", text[cut:]} {
				if n, err := io.WriteString(w, part); err != nil || n != len(part) {
					t.Fatalf("got %d, %v", n, err)
				}
			}
			if want := "before " + redact.Dots + " after\n"; out.String() != want { // nothing is held back
				t.Fatalf("%s cut at %d: got %q, want %q", name, cut, out.String(), want)
			}
		}
	}
}

func TestWriterHoldsNoLineBack(t *testing.T) {
	m := redact.NewMasker(key)
	for _, line := range []string{"plain\n", "100%\n", "R&D\n", "back\\\n", "sk-Sentry\n", "ends in s\n", "sk-\n"} {
		var out strings.Builder
		_, _ = m.Writer(&out).Write([]byte(line))
		if out.String() != line {
			t.Errorf("got %q, want %q before Close", out.String(), line)
		}
	}
	var out strings.Builder
	w := m.Writer(&out)
	_, _ = w.Write([]byte("the key begins sk-Sent"))
	if out.String() != "the key begins " {
		t.Errorf("got %q before Close", out.String())
	}
	if err := w.Close(); err != nil || out.String() != "the key begins sk-Sent" {
		t.Errorf("got %q, %v after Close", out.String(), err)
	}
	out.Reset()
	_, _ = m.Writer(&out).Write([]byte("a line of the key may be broken: sk-Sent\n"))
	if out.String() != "a line of the key may be broken: " {
		t.Errorf("got %q before the next line", out.String())
	}
	var direct strings.Builder
	_, _ = (*redact.Masker)(nil).Writer(&direct).Write([]byte(key))
	if direct.String() != key {
		t.Errorf("nil masker: got %q", direct.String())
	}
}

// isOdd reports whether a character is unusual in a key: not a letter, digit or common sign.
func isOdd(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`\%&+`, r) }

// FuzzMask checks that no key of 8 bytes or more remains in any form, and that the division into writes does not
// matter.
func FuzzMask(f *testing.F) {
	f.Add(key, "before", "after", uint16(9), uint16(21))
	f.Add("aaaaaaaaab", "aaaa", "aaaaaaaaaab", uint16(3), uint16(4))
	f.Add(`\\\\\\\\`, `\`, `\\`, uint16(1), uint16(2))
	f.Add("%25%2525%", "%", "25", uint16(1), uint16(5))
	f.Add("&amp;amp;&", "&", "amp;", uint16(2), uint16(7))
	f.Add("test", "la", " ", uint16(1), uint16(4))
	f.Add("é", "", "", uint16(1), uint16(2))
	f.Fuzz(func(t *testing.T, k, before, after string, a, b uint16) {
		if len(k) > 500 || strings.ContainsAny(k, "•*") || strings.Contains(before+after, k) {
			return
		}
		m := redact.NewEchoMasker(k)
		all := encodedKeys(k)
		all["base64"] = base64.StdEncoding.EncodeToString([]byte(k))
		for name, between := range disguises {
			if len(k) >= 8 && utf8.ValidString(k) && !strings.ContainsFunc(k, isOdd) {
				all[name] = k[:4] + strings.Join(strings.Split(k[3:], ""), between)[1:]
			}
		}
		for name, form := range all {
			text := before + form + after
			if got := m.String(text); strings.Contains(got, form) && len(form) >= 8 && len(k) >= 8 {
				t.Fatalf("%s survives: %q in %q", name, form, got)
			}
			i, j := int(a)%(len(text)+1), int(b)%(len(text)+1)
			i, j = min(i, j), max(i, j)
			out := masked(t, m, text[:i], text[i:j], text[j:])
			if strings.Contains(out, form) && len(form) >= 8 && len(k) >= 8 {
				t.Fatalf("%s survives the writer: %q in %q", name, form, out)
			}
			if out != m.String(text) {
				t.Fatalf("split: got %q, whole %q", out, m.String(text))
			}
		}
	})
}

func BenchmarkString(b *testing.B) {
	m := redact.NewMasker("sk-live-0123456789abcdefghijklmnopqrstuv")
	for name, text := range map[string]string{
		"prose":       strings.Repeat("a sentence about nothing, as usual. ", 1<<15),
		"backslashes": strings.Repeat(`\`, 1<<20),
		"ampersands":  strings.Repeat(`&amp;`, 1<<18),
		"almost":      strings.Repeat("sk-live-0123456789abcdefghijklmnopqrstu", 1<<15),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_ = m.String(text)
			}
		})
	}
}

func TestLiveMasksWhatIsKnownAtItsUse(t *testing.T) {
	known := redact.NewSet()
	m := known.Masker()
	const text = "the key is sk-found-out-late"
	if got := m.String(text); got != text {
		t.Errorf("before it is known, %q", got)
	}
	known.Add("sk-found-out-late")
	if got := m.String(text); got != "the key is "+redact.Dots {
		t.Errorf("String gives %q", got)
	}
	if got, hit := m.Bytes([]byte(text)); !hit || string(got) != "the key is "+redact.Dots {
		t.Errorf("Bytes gives %q, %v", got, hit)
	}
	if got := masked(t, m, "the key is sk-fo", "und-out-late"); got != "the key is "+redact.Dots {
		t.Errorf("Writer gives %q", got)
	}
}

func TestPrintingShowsNoSecret(t *testing.T) {
	holder := struct{ mask *redact.Masker }{redact.NewMasker("sk-printed-secret", "short")}
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		all := fmt.Sprintf(form, holder) + fmt.Sprintf(form, holder.mask)
		if strings.Contains(all, "printed") || strings.Contains(all, "short") {
			t.Errorf("%s shows %s", form, all)
		}
	}
}

// BenchmarkDrawn masks a screen of 120 by 40 cells.
func BenchmarkDrawn(b *testing.B) {
	m := redact.NewMasker("sk-live-0123456789abcdefghijklmnopqrstuv")
	frame := strings.Repeat(strings.Repeat("\x1b[38;2;216;222;233m│ a sentence ends \x1b[m", 6)+"\n", 40)
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		_ = m.Drawn(frame)
	}
}
