package fileio

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"confab/internal/termtext"
)

// DefaultNameTemplate contains the number, the model, the words of the prompt and the nonce.
const DefaultNameTemplate = "{counter}-{model}-{slug}-{nonce}"

// MaxNameBytes is the maximum length of a name in bytes without the extension.
const MaxNameBytes = 60

// fallbackName is the name without any usable character.
const fallbackName = "picture"

// NameParts are the values of a template.
type NameParts struct {
	Counter int // from 1; written with at least four digits
	Model   string
	Prompt  string // the source of {slug}
	Nonce   string
}

// NameFromTemplate expands a template to a file name without extension: valid UTF-8 of at most [MaxNameBytes] bytes,
// without separators, control, invisible or bidirectional characters, leading or trailing dots or dashes, and
// reserved device names. It shortens the words of the prompt first, so that number, model and nonce stay.
func NameFromTemplate(template string, p NameParts) string {
	fill := func(slug string) string {
		return cleanName(strings.NewReplacer(
			"{counter}", fmt.Sprintf("%04d", p.Counter),
			"{model}", nameWords(p.Model, MaxNameBytes, "."),
			"{slug}", slug,
			"{nonce}", nameWords(p.Nonce, MaxNameBytes, "."),
		).Replace(CutName(template, 4*MaxNameBytes)))
	}
	slug := nameWords(p.Prompt, MaxNameBytes, "")
	name := fill(slug)
	for len(name) > MaxNameBytes && slug != "" {
		slug = strings.TrimRight(CutName(slug, max(0, len(slug)-(len(name)-MaxNameBytes))), "-")
		name = fill(slug)
	}
	name = trimName(CutName(name, MaxNameBytes))
	if isDevice(name) {
		name = trimName(CutName("_"+name, MaxNameBytes))
	}
	if name == "" {
		return fallbackName
	}
	return name
}

// nameWords returns the letters, digits and the characters of also in s in lower case, in at most limit bytes. A dash
// replaces each run of other characters.
func nameWords(s string, limit int, also string) string {
	// Prompts may be megabytes; only the first words matter.
	s = norm.NFC.String(strings.ToValidUTF8(CutName(s, 16*limit), "-"))
	var b strings.Builder
	dash := false
	for _, r := range s {
		if !isVisible(r) ||
			!(unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune(also, r)) {
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
	return trimName(CutName(b.String(), limit))
}

// cleanName makes an expanded template safe, since users write the template.
func cleanName(s string) string {
	s = norm.NFC.String(strings.ToValidUTF8(s, "-"))
	var b strings.Builder
	var last rune
	for _, r := range s {
		if !isVisible(r) ||
			!(unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-_.+,=", r)) {
			r = '-'
		}
		if r == '-' && last == '-' {
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return trimName(b.String())
}

// trimName removes characters that must not begin or end a name. A leading mark has no letter to combine with; a
// leading dot hides the file; some systems drop a trailing dot.
func trimName(s string) string {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r == '-' || r == '.' || unicode.IsMark(r) })
	return strings.TrimRight(s, "-.")
}

// isVisible reports whether a rune is visible. Letters without a shape, such as the Hangul fillers, and variation
// selectors are not.
func isVisible(r rune) bool {
	return r != utf8.RuneError && unicode.IsGraphic(r) && !termtext.IsInvisible(r)
}

// CutName returns at most n bytes of s and does not split a character or separate a letter from its marks.
func CutName(s string, n int) string {
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

// isDevice reports whether Windows treats the name as a device. It ignores everything after the first dot.
func isDevice(name string) bool {
	return regexp.MustCompile(`^(?i)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)`).MatchString(name)
}

// NumberedName returns the n-th variant of a name to try.
func NumberedName(base string, n int) string {
	if n == 1 {
		return base
	}
	tail := fmt.Sprintf("-%d", n)
	return trimName(CutName(base, MaxNameBytes-len(tail))) + tail
}
