package keys

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Parse returns the key press of a key's name, such as "a", "A", "ctrl+a" or "f1"; its String is the one form of that
// name. ok is false for what no key press is called.
func Parse(name string) (msg tea.KeyPressMsg, ok bool) {
	masks := map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift, "meta": tea.ModMeta,
		"hyper": tea.ModHyper, "super": tea.ModSuper}
	for {
		modifier, rest, found := strings.Cut(name, "+")
		mask := masks[strings.ToLower(modifier)]
		if !found || rest == "" || mask == 0 {
			break
		}
		msg.Mod |= mask
		name = rest
	}
	if utf8.RuneCountInString(name) != 1 {
		alias := map[string]string{"return": "enter", "escape": "esc", "pageup": "pgup", "pagedown": "pgdown",
			"del": "delete", "ins": "insert"}
		name = strings.ToLower(name)
		msg.Code, ok = specialKeys()[cmp.Or(alias[name], name)]
		if msg.Code == tea.KeySpace && msg.Mod == 0 {
			msg.Text = " "
		}
		return msg, ok
	}
	r, _ := utf8.DecodeRuneInString(name)
	switch {
	case r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r):
		return msg, false
	case msg.Mod == tea.ModShift && unicode.IsLetter(r):
		msg.Mod, r = 0, unicode.ToUpper(r)
	case msg.Mod != 0:
		r = unicode.ToLower(r) // a chord is named by the key, not by the letter it would write
	}
	msg.Code = r
	if msg.Mod == 0 {
		msg.Text = string(r)
	}
	return msg, true
}

// specialKeys are the keys that are named by more than a character.
func specialKeys() map[string]rune {
	codes := []rune{tea.KeyEnter, tea.KeyTab, tea.KeyBackspace, tea.KeyEscape, tea.KeySpace, tea.KeyUp, tea.KeyDown,
		tea.KeyLeft, tea.KeyRight, tea.KeyHome, tea.KeyEnd, tea.KeyPgUp, tea.KeyPgDown, tea.KeyInsert, tea.KeyDelete,
		tea.KeyBegin, tea.KeyFind, tea.KeySelect}
	for i := range rune(24) {
		codes = append(codes, tea.KeyF1+i)
	}
	special := make(map[string]rune, len(codes))
	for _, code := range codes {
		special[tea.Key{Code: code}.Keystroke()] = code
	}
	return special
}
