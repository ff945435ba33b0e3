package keys

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// layout is a keyboard layout without Latin letters: what its keys write there and on the US layout.
type layout struct{ letters, latin []rune }

// layouts returns the layouts that are known. Where two have a letter in different places, the first one counts.
func layouts() []layout {
	const (
		letters = "qwertyuiopasdfghjklzxcvbnm"
		all     = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
	)
	pairs := [][2]string{
		// Russian, and where Ukrainian, Belarusian, Serbian and Macedonian differ.
		{"йцукенгшщзхъфывапролджэячсмитьбюё", all + "`"},
		{"їієґў", "]s'\\o"},
		{"љњџђћјѓќѕ", "qwx['j]'y"},
		// Greek.
		{";ςερτυθιοπασδφγηξκλζχψωβνμ", letters},
		// Hebrew.
		{"/'קראטוןםפשדגכעיחלךזסבהנמףצתץ", letters[:25] + ";m,."},
		// Arabic, and where Persian differs.
		{"ضصثقفغعهخحجدشسيبلاتنمكطئءؤرىةوزظذ", "qwertyuiop[]asdfghjkl;'zxcvnm,./`"},
		{"یپچگک", "dm]';"},
		// Korean, with the letters that need shift at the end.
		{"ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ", letters + "QWERTOP"},
		// Georgian.
		{"ქწერტყუიოპასდფგჰჯკლზხცვბნმ", letters},
	}
	known := make([]layout, len(pairs))
	for i, p := range pairs {
		known[i] = layout{[]rune(p[0]), []rune(p[1])}
	}
	return known
}

// latinKey returns what the key that writes r on a layout without Latin letters writes on the US layout, and 0 where r
// is in no known layout. A capital letter gives a capital letter.
func latinKey(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return 0
	case r > 0xff00 && r <= 0xff5e: // full width
		return r - 0xff00 + ' '
	}
	for _, l := range layouts() {
		if at := slices.Index(l.letters, r); at >= 0 {
			return l.latin[at]
		}
		if at := slices.Index(l.letters, unicode.ToLower(r)); at >= 0 {
			return capital(l.latin[at])
		}
	}
	return 0
}

// capital returns what a key of the US layout writes with shift.
func capital(r rune) rune {
	const plain, shifted = "`[];',./", `~{}:"<>?`
	if at := strings.IndexRune(plain, r); at >= 0 {
		return rune(shifted[at])
	}
	return unicode.ToUpper(r)
}

// isTypedBy tells whether the key that writes base on the US layout writes r on a known layout.
func isTypedBy(r, base rune) bool {
	return slices.ContainsFunc(layouts(), func(l layout) bool {
		at := slices.Index(l.letters, r)
		return at >= 0 && l.latin[at] == base
	})
}

// OnLatin returns a key that is pressed with ctrl or alt as the key in the same place of the US layout, if it writes no
// Latin letter: chords are named by Latin letters. A terminal may tell that place itself. Where the layout has Latin
// letters in other places, the letter counts and not the place.
func OnLatin(msg tea.KeyPressMsg) tea.KeyPressMsg {
	if msg.Mod&^(tea.ModShift|tea.ModCapsLock|tea.ModNumLock) == 0 || msg.Text != "" {
		msg.BaseCode = 0
		return msg
	}
	code, base := unicode.ToLower(msg.Code), msg.BaseCode
	msg.BaseCode = 0
	isLatin := code < utf8.RuneSelf || code > unicode.MaxRune || unicode.Is(unicode.Latin, code)
	switch latin := latinKey(code); {
	case base != 0 && (!isLatin || isTypedBy(code, base)):
		code = base
	case latin != 0:
		code = latin
	}
	msg.Code = code
	return msg
}

// latinText returns the letter of the US layout for a press that writes a single letter of another, or "".
func latinText(msg tea.KeyPressMsg) string {
	r, size := utf8.DecodeRuneInString(msg.Text)
	if size == 0 || size != len(msg.Text) {
		return ""
	}
	if latin := latinKey(r); latin != 0 {
		return string(latin)
	}
	return ""
}
