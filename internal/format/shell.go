package format

import "strings"

// ShellWord returns a word of a shell command for copying, quoted if necessary.
func ShellWord(s string) string {
	isPlain := func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f ||
			strings.ContainsRune("-_./:,@%+=", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !isPlain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
