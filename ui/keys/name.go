package keys

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// modifiers in the order in which Bubble Tea names them.
func modifiers() []string { return []string{"ctrl", "alt", "shift", "meta", "hyper", "super"} }

// Name returns a key's name as a key press has it: modifiers in their order,
// an upper-case letter for one with shift. ok is false for what no key press
// is called, which would never be reached.
func Name(s string) (name string, ok bool) {
	held := map[string]bool{}
	rest := s
	for {
		mod, after, found := strings.Cut(rest, "+")
		if mod = strings.ToLower(mod); !found || after == "" || !slices.Contains(modifiers(), mod) {
			break
		}
		held[mod] = true
		rest = after
	}
	switch base := strings.ToLower(rest); {
	case utf8.RuneCountInString(rest) == 1:
		r, _ := utf8.DecodeRuneInString(rest)
		if !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return "", false
		}
		if len(held) == 1 && held["shift"] && unicode.IsLetter(r) {
			return strings.ToUpper(rest), true
		}
		if len(held) > 0 {
			rest = base // a chord is named by the key, not by the letter it would write
		}
	default:
		alias := map[string]string{"return": "enter", "escape": "esc", "pageup": "pgup", "pagedown": "pgdown",
			"del": "delete", "ins": "insert"}
		if to, ok := alias[base]; ok {
			base = to
		}
		if _, special := specialKeys()[base]; !special {
			return "", false
		}
		rest = base
	}
	var b strings.Builder
	for _, mod := range modifiers() {
		if held[mod] {
			b.WriteString(mod + "+")
		}
	}
	return b.String() + rest, true
}
