package pictures

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"confab/internal/errtext"
)

// DefaultTemplate names a file by its number, its model, the words of the
// prompt and the nonce.
const DefaultTemplate = "{counter}-{model}-{slug}-{nonce}"

// maxName is how long a name may be, in bytes without the extension.
const maxName = 60

// fallback is the name when nothing usable is left of one.
const fallback = "picture"

// NameParts is what a name is made from.
type NameParts struct {
	Counter int // from 1; written with at least four digits
	Model   string
	Prompt  string // {slug} is made of its words
	Nonce   string
}

// Name fills in the template and returns a file name without extension: valid
// UTF-8 of at most 60 bytes, cut at a character, with no separator, control,
// invisible or bidirectional character, no leading or trailing dot or dash,
// and not one that a system keeps for a device. When it is too long the words
// of the prompt are cut first, so that number, model and nonce stay.
func Name(template string, p NameParts) string {
	fill := func(slug string) string {
		return clean(strings.NewReplacer(
			"{counter}", fmt.Sprintf("%04d", p.Counter),
			"{model}", words(p.Model, maxName, "."),
			"{slug}", slug,
			"{nonce}", words(p.Nonce, maxName, "."),
		).Replace(cutBytes(template, 4*maxName)))
	}
	slug := words(p.Prompt, maxName, "")
	name := fill(slug)
	for len(name) > maxName && slug != "" {
		slug = strings.TrimRight(cutBytes(slug, max(0, len(slug)-(len(name)-maxName))), "-")
		name = fill(slug)
	}
	name = trim(cutBytes(name, maxName))
	if isDevice(name) {
		name = trim(cutBytes("_"+name, maxName))
	}
	if name == "" {
		return fallback
	}
	return name
}

// words returns the letters, digits and the also allowed characters of s, lower
// case, with one dash where anything else stands, in at most limit bytes.
func words(s string, limit int, also string) string {
	// Prompts may be megabytes; a name shows the first words only.
	s = norm.NFC.String(strings.ToValidUTF8(cutBytes(s, 16*limit), "-"))
	var b strings.Builder
	dash := false
	for _, r := range s {
		if !visible(r) || !(unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune(also, r)) {
			dash = b.Len() > 0
			continue
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(unicode.ToLower(r))
		if b.Len() > limit {
			break
		}
	}
	return trim(cutBytes(b.String(), limit))
}

// clean makes a filled-in template safe: what the user wrote between the
// placeholders may be anything.
func clean(s string) string {
	s = norm.NFC.String(strings.ToValidUTF8(s, "-"))
	var b strings.Builder
	var last rune
	for _, r := range s {
		if !visible(r) ||
			!(unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-_.+,=", r)) {
			r = '-'
		}
		if r == '-' && last == '-' {
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return trim(b.String())
}

// trim takes away what a name must not begin or end with. A leading mark has
// nothing to stand on; a leading dot hides the file; a trailing dot is lost on
// some systems.
func trim(s string) string {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r == '-' || r == '.' || unicode.IsMark(r) })
	return strings.TrimRight(s, "-.")
}

// visible tells whether a rune can be seen. Letters without a shape, such as
// the Hangul fillers, and marks that only select a variant cannot.
func visible(r rune) bool {
	return r != utf8.RuneError && unicode.IsGraphic(r) && !errtext.IsInvisible(r)
}

// cutBytes returns at most n bytes of s, cut before a character and not
// between a letter and the marks that belong to it.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if r, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsMark(r) {
		for n > 0 {
			r, size := utf8.DecodeLastRuneInString(s[:n])
			n -= size
			if !unicode.IsMark(r) {
				break
			}
		}
	}
	return s[:n]
}

// isDevice tells whether Windows would take the name for a device, which it
// does whatever follows the first dot.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	base = strings.TrimSpace(base)
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if rest, ok := strings.CutPrefix(base, port); ok {
			switch rest {
			case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
				return true
			}
		}
	}
	return false
}
