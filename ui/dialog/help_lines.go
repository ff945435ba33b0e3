package dialog

import (
	"fmt"
	"slices"
	"strings"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/keys"
)

// The columns of the help, in cells.
const (
	helpColumn  = 36 // of one column at least
	wideColumn  = 60 // of one in which hardly a text is cut
	helpKeys    = 9  // of the keys of a line, unless its first one is wider
	widestUsual = 12 // of the keys of a section that begin in one place with others
	helpGap     = 2  // between columns, and between keys and what they do
)

// helpLine is what some keys do, or a heading; the zero value is a blank line.
type helpLine struct {
	heading string
	keys    string
	entry   keys.Entry
	pair    string // what the entry and its opposite do
}

// helpSections returns the lines of each section of the scopes.
func (d *help) helpSections() (sections [][]helpLine) {
	for _, scope := range d.scopes {
		entries := slices.DeleteFunc(d.Keys.Entries(scope), func(e keys.Entry) bool { return e.Command == keys.Help })
		for len(entries) > 0 {
			section := entries[0].Section
			n := slices.IndexFunc(entries, func(e keys.Entry) bool { return e.Section != section })
			if n < 0 {
				n = len(entries)
			}
			sections = append(sections, helpSection(entries[:n]))
			entries = entries[n:]
		}
	}
	return sections
}

// helpSection returns the heading and the entries of a section. Two that follow each other and are opposites share a
// line if their keys have room.
func helpSection(entries []keys.Entry) []helpLine {
	all := []helpLine{{heading: format.Capitalize(entries[0].Section)}}
	for i := 0; i < len(entries); i++ {
		line := helpLine{keys: fitKeys(entries[i].Keys), entry: entries[i]}
		if n := numbered(entries[i:]); n > 1 {
			first, last := entries[i].Keys[0], entries[i+n-1].Keys[0]
			line.keys, line.pair = first+"–"+last[len(last)-1:], numberedText(entries[i].Command)
			i += n - 1
		} else if i+1 < len(entries) && sharesLine(entries[i], entries[i+1]) {
			line.keys = fitKeys(pairKeys(entries[i].Keys, entries[i+1].Keys))
			line.pair = pairText(entries[i].Short, entries[i+1].Short)
			i++
		}
		all = append(all, line)
	}
	return all
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

// sharesLine reports whether two entries are opposites, and their first keys are no wider together than the keys of
// other lines.
func sharesLine(a, b keys.Entry) bool {
	width := func(names []string) int { return termtext.Width(fitKeys(names[:1])) }
	together := width(pairKeys(a.Keys, b.Keys))
	return areOpposites(a.Command, b.Command) &&
		(together <= helpKeys || max(width(a.Keys), width(b.Keys)) > helpKeys)
}

func areOpposites(a, b keys.Command) bool {
	name, other := string(a), string(b)
	if opposites().Replace(name) == other {
		return true
	}
	more, isVi := strings.CutPrefix(other, name)
	return strings.HasPrefix(name, "vi_") && (strings.Replace(name, "vi_", "vi_big_", 1) == other ||
		isVi && slices.Contains([]string{"_back", "_before", "_line", "_rest", "_above"}, more))
}

// opposites replaces the words in names of commands by those of the opposite commands.
func opposites() *strings.Replacer {
	return strings.NewReplacer("down", "up", "up", "down", "left", "right", "right", "left", "start", "end",
		"end", "start", "top", "bottom", "bottom", "top", "next", "previous", "previous", "next", "undo", "redo",
		"good", "bad", "again", "reverse")
}

// fitKeys joins names of keys, as many as fit, as the help draws them.
func fitKeys(names []string) (shown string) {
	for i, name := range names {
		name = arrows().Replace(termtext.Line(name))
		if i > 0 && termtext.Width(shown+" "+name) > helpKeys {
			break
		}
		shown = strings.TrimPrefix(shown+" "+name, " ")
	}
	return shown
}

// arrows draws the names of the keys with arrows.
func arrows() *strings.Replacer {
	return strings.NewReplacer("left", "←", "right", "→", "pgup", "pgup", "pgdown", "pgdown", "up", "↑", "down", "↓")
}

// pairKeys returns the keys of two commands in turns, with what they are pressed with named once. A further key of one
// of them has no place among them.
func pairKeys(a, b []string) (names []string) {
	for i := range min(len(a), len(b)) {
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
	if first, rest, _ := strings.Cut(a, " "); rest != "" && strings.HasSuffix(b, " "+rest) {
		return format.Capitalize(first + ", " + b)
	}
	for rest := a; ; {
		word, others, ok := strings.Cut(rest, " ")
		further, isSame := strings.CutPrefix(b, word+" ")
		if !ok || !isSame {
			return format.Capitalize(a + ", " + b)
		}
		rest, b = others, further
	}
}

// bestText returns what an entry does in the words that say most in w cells: all of a description, or what stands
// before the first comma, colon or semicolon in it.
func bestText(e keys.Entry, w int) string {
	texts := []string{e.Long, e.Title}
	for _, text := range texts {
		if text != "" && termtext.Width(text) <= w {
			return text
		}
	}
	for _, text := range texts {
		if at := strings.IndexAny(text, ",;:"); at >= 0 && at <= w && strings.Contains(text[:at], " ") {
			return text[:at]
		}
	}
	const leastCut = 20
	if e.Long != "" && w >= leastCut && !strings.Contains(e.Short, " ") { // a single word says too little
		return termtext.CutWords(e.Long, w)
	}
	return format.Capitalize(e.Short)
}

// matches reports whether the keys of a line and what they do, or its heading, have every word, in lower case.
func (l helpLine) matches(words []string) bool {
	e := l.entry
	text := strings.ToLower(strings.Join([]string{l.heading, l.keys, strings.Join(e.Keys, " "), e.Short, e.Long,
		e.Title, e.Words, l.pair}, "\n"))
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}
