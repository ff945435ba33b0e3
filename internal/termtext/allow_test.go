package termtext_test

import (
	"strings"
	"testing"

	"confab/internal/termtext"
	"confab/internal/termtexttest"

	"github.com/charmbracelet/x/ansi"
)

func TestAllow(t *testing.T) {
	const link, end = "\x1b]8;;http://a.b/\x1b\\", "\x1b]8;;\x1b\\"
	for _, tt := range []struct{ name, in, want string }{
		{"styles pass", "\x1b[1;31mred\x1b[0m", "\x1b[31;1mred\x1b[m"},
		{"true color and 256", "\x1b[38;2;1;2;3;48;5;200mx", "\x1b[38;2;1;2;3;48;5;200mx\x1b[m"},
		{"colons", "\x1b[4:3;58:2::9:8:7mx\x1b[m", "\x1b[58;2;9;8;7;4:3mx\x1b[m"},
		{"conceal and blink do not", "\x1b[8mx\x1b[5;6my", "xy"},
		{"their numbers in colors do", "\x1b[38;5;8mx", "\x1b[90mx\x1b[m"},
		{"lines stand by themselves", "\x1b[1ma\nb\x1b[m\nc", "\x1b[1ma\x1b[m\n\x1b[1mb\x1b[m\nc"},
		{"no sequence without effect", "\x1b[1m\x1b[m\x1b[1ma\x1b[m\x1b[1mb\x1b[m", "\x1b[1mab\x1b[m"},
		{"unset by number", "\x1b[1;4;31ma\x1b[22;24;39mb", "\x1b[31;1;4ma\x1b[mb"},
		{"link", link + "x" + end + "y", link + "x" + end + "y"},
		{"link ended by bell", "\x1b]8;id=a;https://a.b/\x07x\x1b]8;;\x07", "\x1b]8;id=a;https://a.b/\x1b\\x" + end},
		{"link over lines", link + "x\ny" + end, link + "x" + end + "\n" + link + "y" + end},
		{"open link is closed", link + "x", link + "x" + end},
		{"javascript", "\x1b]8;;javascript:x\x07y\x1b]8;;\x07", "y"},
		{"file", "\x1b]8;;file:///etc/passwd\x07y\x1b]8;;\x07", "y"},
		{"a refused link ends the one before", link + "a\x1b]8;;x:y\x07b", link + "a" + end + "b"},
		{"control inside a link", "\x1b]8;;http://a/\n\x07x", "]8;;http://a/\nx"},
		{"odd parameters of a link", "\x1b]8;id=a\"b:c=d;http://a.b/\x07x", link + "x" + end},
		{"other sequences leave their text", "a\x1b[2Jb\x1b]0;t\x07c\x1bPq\x1b\\d", "a[2Jb]0;tcPq\\d"},
		{"C1", "a\u009b31mb", "a31mb"},
		{"sequence cut off", "a\x1b[3", "a[3"},
		{"bare escape", "a\x1b", "a"},
		{"tab", "a\tb", "a    b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := termtext.Allow(tt.in)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if why := termtexttest.Check(got); why != "" {
				t.Error(why)
			}
			if again := termtext.Allow(got); again != got {
				t.Errorf("again: %q", again)
			}
		})
	}
}

func FuzzAllow(f *testing.F) {
	f.Add("\x1b[1;8;38;5;5mx\x1b]8;id=1;http://a.b/c?d=e\x1b\\y\nz")
	f.Add("\x1b[38;2;1mx\x1b[48:5:1my\x1b[;;m\x1b[99999999mz")
	for _, p := range termtexttest.Payloads() {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := termtext.Allow(s)
		if again := termtext.Allow(got); again != got {
			t.Fatalf("not idempotent: %q, then %q", got, again)
		}
		// Only allowed parts of cleaned and styled text may remain.
		styled := "\x1b[1m" + termtext.Clean(s) + " "
		if target, ok := termtext.LinkTarget(s); ok {
			styled += ansi.SetHyperlink(target, "id=1") + termtext.Line(s) + ansi.ResetHyperlink()
		}
		if why := termtexttest.Check(termtext.Allow(styled)); why != "" {
			t.Fatal(why)
		}
		if plain := ansi.Strip(termtext.Allow(termtext.Clean(s))); plain != termtext.Clean(s) {
			t.Fatalf("text changed: %q", plain)
		}
	})
}

func TestLinkTarget(t *testing.T) {
	for target, want := range map[string]string{
		"http://a.b/c?d=e#f": "http://a.b/c?d=e#f", "https://a.b": "https://a.b", "HTTPS://a.b/": "https://a.b/",
		"http://a.b/ü": "http://a.b/%C3%BC", "javascript:x": "", "file:///x": "", "data:text/html,x": "", "//a.b": "",
		"http:": "", "http:///x": "",
		"ftp://a.b/": "", "": "", "http://a.b/\x1b": "", "mailto:a@b": "",
	} {
		got, ok := termtext.LinkTarget(target)
		if got != want || ok != (want != "") {
			t.Errorf("LinkTarget(%q) = %q, %v, want %q", target, got, ok, want)
		}
	}
}

func BenchmarkAllow(b *testing.B) {
	text := strings.Repeat("\x1b[1;38;2;1;2;3mfunc\x1b[m f(\x1b[38;5;200mx\x1b[m)\n", 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		termtext.Allow(text)
	}
}
