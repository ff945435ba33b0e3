package keys

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Hint is what a footer or the bottom of a dialog shows of a command.
type Hint struct {
	Key  string
	Text string
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

// LineHints returns the hints of such a line.
func LineHints(m Map, accept, leave string) []Hint {
	hints := m.Hints(Form, Accept, Close)
	for i := range hints {
		hints[i].Text = map[int]string{0: accept, 1: leave}[i]
	}
	return hints
}

// HintAt returns the hint that is drawn at column x of a line of plain text.
func HintAt(line string, x int, hints []Hint) (Hint, bool) {
	for _, h := range hints {
		text := h.Key + " " + h.Text
		for from := 0; ; {
			i := strings.Index(line[from:], text)
			if i < 0 {
				break
			}
			start := ansi.StringWidth(line[:from+i])
			if x >= start && x < start+ansi.StringWidth(text) {
				return h, true
			}
			from += i + len(text)
		}
	}
	return Hint{}, false
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
