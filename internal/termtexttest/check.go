package termtexttest

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Check returns what is wrong with text for the terminal, "" for nothing. It allows printable characters, line feeds,
// SGR without conceal and blink, and closed OSC 8 links to http and https. It shares no code with the filters that it
// checks.
func Check(s string) string {
	linked := false
	for i, line := range strings.Split(s, "\n") {
		plain := strings.Builder{}
		for rest := line; rest != ""; {
			if rest[0] != 0x1b {
				r, size := utf8.DecodeRuneInString(rest)
				if why := checkRune(r, size, plain.String(), rest[size:]); why != "" {
					return fmt.Sprintf("line %d: %s in %q", i, why, line)
				}
				plain.WriteString(rest[:size])
				rest = rest[size:]
				continue
			}
			n, open, why := checkSequence(rest)
			if why != "" {
				return fmt.Sprintf("line %d: %s in %q", i, why, line)
			}
			if open != nil {
				linked = *open
			}
			rest = rest[n:]
		}
		if linked {
			return fmt.Sprintf("line %d: link left open in %q", i, line)
		}
		if strings.Contains(line, "\x1b[") && !hasPlainEnd(line) {
			return fmt.Sprintf("line %d: style left on in %q", i, line)
		}
		if g, w := ansi.StringWidth(line), ansi.StringWidthWc(line); g != w {
			return fmt.Sprintf("line %d: %d cells by grapheme, %d by character in %q", i, g, w, line)
		}
	}
	return ""
}

// CheckPlain is [Check] for text without sequences.
func CheckPlain(s string) string {
	if strings.ContainsRune(s, 0x1b) {
		return fmt.Sprintf("escape in %q", s)
	}
	return Check(s)
}

func checkRune(r rune, size int, before, after string) string {
	switch {
	case r == utf8.RuneError && size <= 1:
		return "invalid UTF-8"
	case r == 0x200b:
		// It separates letters and marks that would join into one cell of disputed width, and occurs nowhere else.
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if last < 0x300 && next < 0x300 || next == utf8.RuneError {
			return "zero-width space"
		}
		return ""
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs), r >= 0xe000 && r <= 0xf8ff, r >= 0xf0000:
		return fmt.Sprintf("U+%04X", r)
	case r >= 0xfe00 && r <= 0xfe0f, r == 0x2028, r == 0x2029, r == 0x3164, r == 0xffa0, r == 0x115f, r == 0x1160:
		return fmt.Sprintf("U+%04X", r)
	case !unicode.IsGraphic(r) && (r < 0x1f000 || r > 0x1fbff):
		return fmt.Sprintf("U+%04X", r)
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		marks := 0
		for before != "" {
			last, size := utf8.DecodeLastRuneInString(before)
			if !unicode.In(last, unicode.Mn, unicode.Me) {
				break
			}
			marks++
			before = before[:len(before)-size]
		}
		if marks >= 8 {
			return "more than 8 marks"
		}
	}
	return ""
}

var (
	sgr  = regexp.MustCompile(`^\x1b\[([0-9;:]*)m`)
	osc8 = regexp.MustCompile(`^\x1b\]8;([a-z0-9A-Z=]*);((?:https?://[!-~]+)?)(?:\x1b\\|\x07)`)
)

// checkSequence returns the length of the sequence at the start of s, and whether it opens or closes a link.
func checkSequence(s string) (n int, open *bool, why string) {
	if m := sgr.FindStringSubmatch(s); m != nil {
		params := strings.Split(strings.ReplaceAll(m[1], ":", ";"), ";")
		if strings.Contains(m[1], "4:") {
			params = nil
		}
		for i := 0; i < len(params); i++ {
			switch params[i] {
			case "38", "48", "58":
				if i+1 < len(params) && params[i+1] == "5" {
					i += 2
				} else {
					i += 4
				}
			case "5", "6", "8":
				return 0, nil, "SGR " + params[i]
			}
		}
		return len(m[0]), nil, ""
	}
	if m := osc8.FindStringSubmatch(s); m != nil {
		on := m[2] != ""
		return len(m[0]), &on, ""
	}
	return 0, nil, "a sequence"
}

// hasPlainEnd reports whether the last SGR sequence of a line is a reset.
func hasPlainEnd(line string) bool {
	i := strings.LastIndex(line, "\x1b[")
	return strings.HasPrefix(line[i:], "\x1b[m") || strings.HasPrefix(line[i:], "\x1b[0m")
}
