package fileio_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"confab/internal/fileio"
)

func TestFromTemplate(t *testing.T) {
	long := strings.Repeat("word ", 40)
	type parts = fileio.NameParts
	const template = fileio.DefaultNameTemplate
	tests := []struct {
		name     string
		template string
		parts    parts
		want     string
	}{
		{"the default", template, parts{142, "sim-image", "A fox, reading under a lamp!", "4417"},
			"0142-sim-image-a-fox-reading-under-a-lamp-4417"},
		{"no nonce", template, parts{7, "sim-image", "fox", ""}, "0007-sim-image-fox"},
		{"a version in the model", template, parts{1, "alpha3.1-8b", "fox", ""}, "0001-alpha3.1-8b-fox"},
		{"the words give way first", template, parts{12345, "diffusion-xl", long, "nonce"},
			"12345-diffusion-xl-word-word-word-word-word-word-word-nonce"},
		{"separators in the prompt", "{slug}", parts{Prompt: `../../etc/passwd\x`}, "etc-passwd-x"},
		{"separators in the template", "../{slug}/x\\y", parts{Prompt: "a"}, "a-x-y"},
		{"dots only", "...", parts{}, "picture"},
		{"nothing", "", parts{}, "picture"},
		{"a prompt without letters", "{slug}", parts{Prompt: "!!! \n\t"}, "picture"},
		{"a device", "{slug}", parts{Prompt: "CON"}, "_con"},
		{"a device with an extension", "{slug}.x", parts{Prompt: "lpt1"}, "_lpt1.x"},
		{"bidi and zero width", "{slug}", parts{Prompt: "a\u202egnp\u200b.exe\u2066"}, "a-gnp-exe"},
		{"invisible letters", "{slug}", parts{Prompt: "\u3164\u115f\uffa0x"}, "x"},
		{"escapes", "{slug}", parts{Prompt: "\x1b]0;title\x07"}, "0-title"},
		{"broken UTF-8", "{slug}-\xff", parts{Prompt: "a\xff\xfeb"}, "a-b"},
		{"other scripts", "{slug}", parts{Prompt: "狐とランプ привет"}, "狐とランプ-привет"},
		{"cut at a character", "{slug}", parts{Prompt: strings.Repeat("狐", 30)}, strings.Repeat("狐", 20)},
		{"a nonce that is a path", "{nonce}", parts{Nonce: "../x"}, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fileio.NameFromTemplate(tt.template, tt.parts); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNameKeepsLettersAndMarksTogether(t *testing.T) {
	// 59 bytes, then an e whose accent has no composed form with it.
	got := fileio.NameFromTemplate("{slug}", fileio.NameParts{Prompt: strings.Repeat("a", 59) + "q\u0301"})
	if want := strings.Repeat("a", 59); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// device matches the names of devices on Windows.
var device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|(com|lpt)[0-9])(\.|$)`)

func FuzzFromTemplate(f *testing.F) {
	for _, s := range []string{"a fox", "../..", "con", "\x00\x1b[2J", "\u202eabc", "é́́́", strings.Repeat("狐", 99),
		"{counter}", "aux.", ". .", "\xff\xfe"} {
		f.Add(fileio.DefaultNameTemplate, s, s, s, 1)
		f.Add(s, s, "m", "", 99999999)
	}
	f.Fuzz(func(t *testing.T, template, model, prompt, nonce string, counter int) {
		name := fileio.NameFromTemplate(template,
			fileio.NameParts{Counter: counter, Model: model, Prompt: prompt, Nonce: nonce})
		for _, full := range []string{name, fileio.NumberedName(name, 2), fileio.NumberedName(name, 9999)} {
			switch {
			case full == "" || len(full) > fileio.MaxNameBytes:
				t.Fatalf("%q has %d bytes", full, len(full))
			case !utf8.ValidString(full):
				t.Fatalf("%q is not UTF-8", full)
			case strings.Trim(full, ".") != full || strings.HasPrefix(full, "-"):
				t.Fatalf("%q begins or ends wrongly", full)
			case device.MatchString(full):
				t.Fatalf("%q is a device", full)
			}
			for _, r := range full {
				if strings.ContainsRune(`/\:*?"<>|`, r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) ||
					unicode.IsSpace(r) ||
					unicode.Is(unicode.Bidi_Control, r) {
					t.Fatalf("%q holds %U", full, r)
				}
			}
		}
	})
}
