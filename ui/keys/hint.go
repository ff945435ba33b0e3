package keys

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Hint is what a footer or the bottom of a dialog shows of a command.
type Hint struct{ Key, Text string }

// String returns the hint as it is drawn.
func (h Hint) String() string { return h.Key + " " + h.Text }

// UniqueHints returns the hints without those whose key another one has already.
func UniqueHints(hints []Hint) []Hint {
	var out []Hint
	for _, h := range hints {
		if h.Key != "" && !slices.ContainsFunc(out, func(o Hint) bool { return o.Key == h.Key }) {
			out = append(out, h)
		}
	}
	return out
}

// Key returns the key of a command that texts name, "" where it has none.
func (m Map) Key(s Scope, e Command) string {
	if entry, ok := m.Entry(s, e); ok {
		return entry.Keys[0]
	}
	return ""
}

// Phrase puts the key of a command into a format with one %s; it returns "" where the command has no key.
func (m Map) Phrase(s Scope, e Command, format string) string {
	key := m.Key(s, e)
	if key == "" {
		return ""
	}
	return fmt.Sprintf(format, key)
}

// Hints returns the hints of the commands that the scope has, in that order.
func (m Map) Hints(s Scope, commands ...Command) []Hint {
	out := make([]Hint, 0, len(commands))
	for _, command := range commands {
		if e, ok := m.Entry(s, command); ok {
			out = append(out, Hint{Key: e.Keys[0], Text: e.Short})
		}
	}
	return out
}

// HintAs returns the hint of a command, with another text than the key map's where text is not empty.
func (m Map) HintAs(s Scope, command Command, text string) []Hint {
	hints := m.Hints(s, command)
	for i := range hints {
		hints[i].Text = cmp.Or(text, hints[i].Text)
	}
	return hints
}

// LineHints returns the hints of a line of text that is typed within a pane, where accept and leave say what the keys
// that end it do.
func LineHints(m Map, accept, leave string) []Hint {
	hints := m.Hints(Form, Accept, Close)
	for i := range hints {
		hints[i].Text = []string{accept, leave}[i]
	}
	return hints
}

// HintAt returns the hint that is drawn at column x of a line of plain text.
func HintAt(line string, x int, hints []Hint) (Hint, bool) {
	for _, h := range hints {
		for start, rest := 0, line; ; {
			before, after, found := strings.Cut(rest, h.String())
			if !found {
				break
			}
			start += ansi.StringWidth(before)
			end := start + ansi.StringWidth(h.String())
			if x >= start && x < end {
				return h, true
			}
			start, rest = end, after
		}
	}
	return Hint{}, false
}
