package keys

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Lookup is where the command of a key is looked up: in a scope, for all of its commands or for some.
type Lookup struct {
	Scope Scope
	Only  []Command // empty for all
}

// LookupsIn returns lookups in whole scopes.
func LookupsIn(scopes ...Scope) []Lookup {
	lookups := make([]Lookup, len(scopes))
	for i, s := range scopes {
		lookups[i].Scope = s
	}
	return lookups
}

// InLine returns the lookups of a line of text that is typed within a pane, such as a filter or a search.
func InLine() []Lookup {
	return []Lookup{{Form, []Command{Accept, Close}}, {Everywhere, []Command{Back}}}
}

// Press is a key press and the command it gives where it was pressed. Parts get it as a message; the root makes it.
type Press struct {
	tea.KeyPressMsg
	Scope   Scope   // where the command was found
	Command Command // "" for none: the key is text, edits text, or does nothing
}

// LineCommand returns what a press does in a line of text (see [InLine]): [Accept], [Close], or "" for what edits the
// line.
func (p Press) LineCommand() Command {
	switch {
	case p.Text != "":
		return ""
	case p.Command == Back:
		return Close
	}
	return p.Command
}

// Find returns a press with the command of the first lookup that has one for its key. Where letters are not text, a
// letter of a layout without Latin letters is also looked up as the letter in the same place of the US layout.
func (m Map) Find(msg tea.KeyPressMsg, lookups []Lookup) Press {
	if press, ok := m.find(msg, msg.String(), lookups); ok {
		return press
	}
	if latin := latinText(msg); latin != "" {
		noText := slices.DeleteFunc(slices.Clone(lookups), func(l Lookup) bool { return holdsText(l.Scope) })
		if press, ok := m.find(msg, latin, noText); ok {
			return press
		}
	}
	return Press{KeyPressMsg: msg}
}

// find looks a key up by its name.
func (m Map) find(msg tea.KeyPressMsg, key string, lookups []Lookup) (press Press, ok bool) {
	for _, l := range lookups {
		if c := m.commands[scopedKey{l.Scope, key}]; c != "" && (len(l.Only) == 0 || slices.Contains(l.Only, c)) {
			return Press{msg, l.Scope, c}, true
		}
	}
	return Press{}, false
}
