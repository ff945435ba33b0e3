package keys

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Parse returns the key press of a key's name, as a click on a hint stands for one. ok is false for what is no key.
func Parse(name string) (msg tea.KeyPressMsg, ok bool) {
	if name, ok = Name(name); !ok {
		return msg, false
	}
	masks := map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift,
		"meta": tea.ModMeta, "hyper": tea.ModHyper, "super": tea.ModSuper}
	for {
		mod, rest, found := strings.Cut(name, "+")
		if !found || rest == "" {
			break
		}
		msg.Mod |= masks[mod]
		name = rest
	}
	if code, special := specialKeys()[name]; special {
		msg.Code = code
		if name == "space" && msg.Mod == 0 {
			msg.Text = " "
		}
		return msg, true
	}
	msg.Code, _ = utf8.DecodeRuneInString(name)
	if msg.Mod == 0 {
		msg.Text = name
	}
	return msg, true
}

// specialKeys are the keys that are named by more than a character.
func specialKeys() map[string]rune {
	special := map[string]rune{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "esc": tea.KeyEscape,
		"space": tea.KeySpace,
		"up":    tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome,
		"end":  tea.KeyEnd,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "insert": tea.KeyInsert, "delete": tea.KeyDelete,
		"begin": tea.KeyBegin, "find": tea.KeyFind, "select": tea.KeySelect,
	}
	for i, name := range strings.Fields("f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 " +
		"f22 f23 f24") {
		special[name] = tea.KeyF1 + rune(i)
	}
	return special
}
