package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
)

// The columns of the help, in cells.
const (
	helpColumn = 36 // of one column at least
	helpKeys   = 14 // of its keys at most
	helpGap    = 2  // between columns, and between keys and what they do
)

// NewHelp returns a dialog with the keys of a scope and those that work everywhere. The keys of the help close it.
func NewHelp(m keys.Map, about keys.Scope, s *themes.Styles) action.Dialog {
	v := &viewer{title: "Keys: " + string(about), maxWidth: overlay.FrameWidth, isHelp: true,
		lookups: []keys.Lookup{{Scope: keys.TextViewer}, {Scope: about, Only: []keys.Command{keys.Help}}}}
	v.Base = overlay.NewBase("help", viewerCommands.For(v, m), m, s)
	scopes := []keys.Scope{about}
	if about != keys.Everywhere {
		scopes = append(scopes, keys.Everywhere)
	}
	switch {
	case about != keys.Prompt && about != keys.System && about != keys.Form:
	case m.HasVi():
		scopes = slices.Insert(scopes, 1, keys.Vi)
	case about != keys.System:
		scopes = append(scopes, keys.Text)
	}
	v.layOut = func(w int) []string {
		columns := max((w+helpGap)/(helpColumn+helpGap), 1)
		return joinColumns(v.helpSections(scopes, (w+helpGap)/columns-helpGap), columns)
	}
	return v
}

// helpLine is what some keys do.
type helpLine struct {
	keys  string
	entry keys.Entry
	pair  string // what the entry and its opposite do
}

// helpSections draws the keys of scopes in w cells, a block of lines for each section.
func (v *viewer) helpSections(scopes []keys.Scope, w int) (blocks [][]string) {
	for _, scope := range scopes {
		entries := slices.DeleteFunc(v.Keys.Entries(scope), func(e keys.Entry) bool { return e.Command == keys.Help })
		for len(entries) > 0 {
			section := entries[0].Section
			n := slices.IndexFunc(entries, func(e keys.Entry) bool { return e.Section != section })
			if n < 0 {
				n = len(entries)
			}
			blocks = append(blocks, v.helpSection(entries[:n], w))
			entries = entries[n:]
		}
	}
	return blocks
}

// helpSection draws the entries of a section. Two that follow each other and are opposites share a line.
func (v *viewer) helpSection(entries []keys.Entry, w int) []string {
	var all []helpLine
	width := 0
	for i := 0; i < len(entries); i++ {
		line := helpLine{keys: fitKeys(entries[i].Keys), entry: entries[i]}
		if n := numbered(entries[i:]); n > 1 {
			first, last := entries[i].Keys[0], entries[i+n-1].Keys[0]
			line.keys, line.pair = first+"–"+last[len(last)-1:], numberedText(entries[i].Command)
			i += n - 1
		} else if i+1 < len(entries) && areOpposites(entries[i].Command, entries[i+1].Command) {
			line.keys = fitKeys(pairKeys(entries[i].Keys, entries[i+1].Keys))
			line.pair = pairText(entries[i].Short, entries[i+1].Short)
			i++
		}
		width = max(width, termtext.Width(line.keys))
		all = append(all, line)
	}
	gap := helpGap
	if slices.ContainsFunc(all, func(l helpLine) bool { return termtext.Width(l.pair) > w-width-gap }) {
		gap = 1
	}
	lines := []string{v.Styles.Accent.On(termtext.Fit(format.Capitalize(entries[0].Section), w))}
	for _, line := range all {
		text := cmp.Or(line.pair, bestText(line.entry, w-width-gap))
		drawn := v.Styles.Key.On(termtext.Fit(line.keys, width+gap)) + v.Styles.KeyText.On(text)
		lines = append(lines, termtext.Fit(drawn, w))
	}
	return lines
}

// numbered returns how many entries from the first on differ in nothing but a number, such as those of the panes.
func numbered(entries []keys.Entry) (n int) {
	name := stem(entries[0].Command)
	for n < len(entries) && len(entries[n].Keys) > 0 && string(entries[n].Command) == fmt.Sprint(name, n+1) {
		n++
	}
	return n
}

// stem returns the name of a command without its number.
func stem(c keys.Command) string { return strings.TrimRight(string(c), "0123456789") }

// numberedText says what numbered commands do.
func numberedText(c keys.Command) string {
	return map[string]string{"pane_": "Go to a pane", "example_": "Try an example"}[stem(c)]
}

func areOpposites(a, b keys.Command) bool {
	name, other := string(a), string(b)
	if opposites().Replace(name) == other {
		return true
	}
	more, isVi := strings.CutPrefix(other, name)
	return strings.HasPrefix(name, "vi_") && (strings.Replace(name, "vi_", "vi_big_", 1) == other ||
		isVi && slices.Contains([]string{"_back", "_before", "_line", "_above"}, more))
}

// opposites replaces the words in names of commands by those of the opposite commands.
func opposites() *strings.Replacer {
	return strings.NewReplacer("down", "up", "up", "down", "left", "right", "right", "left", "start", "end",
		"end", "start", "top", "bottom", "bottom", "top", "next", "previous", "previous", "next", "undo", "redo",
		"good", "bad")
}

// fitKeys joins names of keys, as many as fit, as the help draws them.
func fitKeys(names []string) (shown string) {
	for i, name := range names {
		name = termtext.Line(name)
		if i > 0 && termtext.Width(shown+" "+name) > helpKeys {
			break
		}
		shown = strings.TrimPrefix(shown+" "+name, " ")
	}
	return arrows().Replace(shown)
}

// arrows draws the names of the keys with arrows.
func arrows() *strings.Replacer {
	return strings.NewReplacer("left", "←", "right", "→", "pgup", "pgup", "pgdown", "pgdown", "up", "↑", "down", "↓")
}

// pairKeys returns the keys of two commands in turns, with what they are pressed with named once.
func pairKeys(a, b []string) (names []string) {
	for i := range max(len(a), len(b)) {
		if i >= min(len(a), len(b)) {
			return append(append(names, a[min(i, len(a)):]...), b[min(i, len(b)):]...)
		}
		first, second := a[i], b[i]
		if n := strings.LastIndexByte(first, '+') + 1; n > 1 && n < len(second) && second[:n] == first[:n] {
			names = append(names, first+"/"+second[n:])
		} else {
			names = append(names, first+" "+second)
		}
	}
	return names
}

// pairText joins what two commands do, with the words that they have in common once.
func pairText(a, b string) string {
	first, rest, _ := strings.Cut(a, " ")
	switch {
	case rest != "" && strings.HasSuffix(b, " "+rest):
		return format.Capitalize(first + ", " + b)
	case rest != "" && strings.HasPrefix(b, first+" "):
		b = b[len(first)+1:]
	}
	return format.Capitalize(a + ", " + b)
}

// bestText returns what an entry does in the words that say most in w cells.
func bestText(e keys.Entry, w int) string {
	for _, text := range []string{e.Long, e.Title} {
		if text != "" && termtext.Width(text) <= w {
			return text
		}
	}
	return format.Capitalize(e.Short)
}

// joinColumns puts blocks of lines below each other in columns of about the same height. It does not part a block.
func joinColumns(blocks [][]string, columns int) []string {
	var packed [][]string
	for height := 1; packed == nil || len(packed) > columns; height++ {
		packed = [][]string{nil}
		for _, block := range blocks {
			last := &packed[len(packed)-1]
			switch {
			case len(*last) == 0:
				*last = block
			case len(*last)+1+len(block) <= height:
				*last = append(append(*last, ""), block...)
			default:
				packed = append(packed, block)
			}
		}
	}
	drawn := make([]string, 0, 2*len(packed))
	for i, lines := range packed {
		if i > 0 {
			drawn = append(drawn, strings.Repeat(" ", helpGap))
		}
		drawn = append(drawn, strings.Join(lines, "\n"))
	}
	return strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, drawn...), "\n")
}
