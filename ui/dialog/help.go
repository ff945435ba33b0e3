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
	v.Base = overlay.NewBase(overlay.HelpName, viewerCommands.For(v, m), m, s)
	scopes := []keys.Scope{about}
	if about != keys.Everywhere {
		scopes = append(scopes, keys.Everywhere)
	}
	switch {
	case about != keys.Prompt && about != keys.System && about != keys.Form:
	case m.HasVi():
		scopes = append(scopes, keys.Vi)
	case about != keys.System:
		scopes = append(scopes, keys.Text)
	}
	v.pager.IsPaged = true
	v.layOut = func(w, h int) []string {
		columns := max((w+helpGap)/(helpColumn+helpGap), 1)
		return v.layOutPages(v.helpSections(scopes), columns, (w+helpGap)/columns-helpGap, h)
	}
	return v
}

// helpLine is what some keys do, or a heading; the zero value is a blank line.
type helpLine struct {
	heading string
	keys    string
	entry   keys.Entry
	pair    string // what the entry and its opposite do
}

// helpSections returns the lines of each section of scopes.
func (v *viewer) helpSections(scopes []keys.Scope) (sections [][]helpLine) {
	for _, scope := range scopes {
		entries := slices.DeleteFunc(v.Keys.Entries(scope), func(e keys.Entry) bool { return e.Command == keys.Help })
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
// line.
func helpSection(entries []keys.Entry) []helpLine {
	all := []helpLine{{heading: format.Capitalize(entries[0].Section)}}
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
		all = append(all, line)
	}
	return all
}

// drawHelp draws a column of w cells. What keys do begins in one place, but for a few that are much wider than others.
func (v *viewer) drawHelp(column []helpLine, w int) []string {
	var widths []int
	for _, line := range column {
		if line.keys != "" {
			widths = append(widths, termtext.Width(line.keys))
		}
	}
	slices.Sort(widths)
	const near = 2 // cells that are given to keys a little wider than most
	width := 0
	for _, w := range widths {
		if w <= widths[len(widths)*5/6]+near {
			width = w
		}
	}
	lines := make([]string, len(column))
	for i, line := range column {
		drawn := v.Styles.Accent.On(line.heading)
		if line.keys != "" {
			start := max(width, termtext.Width(line.keys)) + helpGap
			if termtext.Width(line.pair) > w-start {
				start = termtext.Width(line.keys) + 1
			}
			text := cmp.Or(line.pair, bestText(line.entry, w-start))
			drawn = v.Styles.Key.On(termtext.Fit(line.keys, start)) + v.Styles.KeyText.On(text)
		}
		lines[i] = termtext.Fit(drawn, w)
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

// bestText returns what an entry does in the words that say most in w cells.
func bestText(e keys.Entry, w int) string {
	for _, text := range []string{e.Long, e.Title} {
		if text != "" && termtext.Width(text) <= w {
			return text
		}
	}
	return format.Capitalize(e.Short)
}

// leastOfSection is how many lines of a section that is parted stand together at least, its heading among them.
const leastOfSection = 4

// layOutPages puts sections below each other in columns of w cells: of about the same height if all have room on a page
// of h lines, and else page by page, so that no column goes on behind the first one of the next page.
func (v *viewer) layOutPages(sections [][]helpLine, columns, w, h int) (lines []string) {
	h = max(h, leastOfSection)
	packed := packColumns(sections, h)
	for height := tallest(sections); height <= h && len(packed) <= columns; height++ {
		if balanced := packColumns(sections, height); len(balanced) <= columns {
			return v.drawColumns(balanced, w)
		}
	}
	for page := range slices.Chunk(packed, columns) {
		lines = append(lines, v.drawColumns(page, w)...)
		lines = append(lines, make([]string, (h-len(lines)%h)%h)...)
	}
	return lines
}

// packColumns puts sections below each other in columns of h lines. It parts only one that is taller than a column, and
// repeats its heading.
func packColumns(sections [][]helpLine, h int) [][]helpLine {
	columns := [][]helpLine{nil}
	for _, section := range sections {
		for len(section) > 0 {
			last := &columns[len(columns)-1]
			room, n := h-len(*last), len(section)
			if len(*last) > 0 {
				room-- // for the blank line before
			}
			if n > h && room >= leastOfSection {
				n = room
			}
			if n > room && len(*last) > 0 {
				columns = append(columns, nil)
				continue
			}
			if len(*last) > 0 {
				*last = append(*last, helpLine{})
			}
			*last = append(*last, section[:n]...)
			if n == len(section) {
				break
			}
			section = append([]helpLine{section[0]}, section[n:]...)
		}
	}
	return columns
}

func tallest(columns [][]helpLine) (h int) {
	for _, column := range columns {
		h = max(h, len(column))
	}
	return h
}

// drawColumns draws columns of w cells beside each other.
func (v *viewer) drawColumns(columns [][]helpLine, w int) []string {
	drawn := make([]string, 0, 2*len(columns))
	for i, column := range columns {
		if i > 0 {
			drawn = append(drawn, strings.Repeat(" ", helpGap))
		}
		drawn = append(drawn, strings.Join(v.drawHelp(column, w), "\n"))
	}
	return strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, drawn...), "\n")
}
