package dialog

import (
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
	"confab/ui/widget"
)

// help is a dialog with the keys of a scope and those that work everywhere, and a filter for them.
type help struct {
	overlay.Base
	title    string
	scopes   []keys.Scope
	lookups  []keys.Lookup
	filter   widget.Field
	screen   image.Point
	w, h     int
	head     int // lines of the filter, with the blank one below it
	pager    overlay.Pager
	sections [][]helpLine // those that the filter leaves
}

var helpCommands = part.Table[*help]{Scope: keys.TextViewer, Bindings: []part.Binding[*help]{
	{Command: keys.PageDown, Short: "page down",
		Rank: part.RankIf(2, func(d *help) bool { return d.pager.Scrolls() })},
	{Command: keys.Close, Short: "close", Rank: part.Ranked[*help](1), Do: (*help).close,
		Word: func(d *help) string { return part.TextIf(d.filter.Value() != "", "clear") }},
}}

// NewHelp returns a dialog with the keys of a scope and those that work everywhere. The keys of the help close it.
func NewHelp(m keys.Map, about keys.Scope, s *themes.Styles) action.Dialog {
	moves := []keys.Command{keys.Down, keys.Up, keys.PageDown, keys.PageUp, keys.Top, keys.Bottom, keys.Close}
	d := &help{title: "Keys: " + string(about), filter: widget.NewField(m, "", "type a key or a word to filter"),
		lookups: []keys.Lookup{{Scope: keys.TextViewer, Only: moves}, {Scope: about, Only: []keys.Command{keys.Help}}}}
	d.Base = overlay.NewBase(overlay.HelpName, helpCommands.For(d, m), m, s)
	d.scopes = []keys.Scope{about}
	if about != keys.Everywhere {
		d.scopes = append(d.scopes, keys.Everywhere)
	}
	switch {
	case about != keys.Prompt && about != keys.System && about != keys.Form:
	case m.HasVi():
		d.scopes = append(d.scopes, keys.Vi)
	case about != keys.System:
		d.scopes = append(d.scopes, keys.Text)
	}
	return d
}

// close ends the filter, or the help without one.
func (d *help) close() action.Action {
	if d.filter.Value() == "" {
		return action.CloseDialog{}
	}
	d.filter.SetValue("")
	d.narrow()
	return nil
}

// SetStyles implements [action.Dialog].
func (d *help) SetStyles(s *themes.Styles) {
	d.Styles = s
	d.SetSize(d.screen.X, d.screen.Y)
}

// SetSize implements [action.Dialog].
func (d *help) SetSize(w, h int) {
	d.screen = image.Pt(w, h)
	d.w, d.h = overlay.Frame(w, h)
	d.filter.SetWidth(max(d.w-6, 1))
	d.sections, d.head = d.helpSections(), 2
	if lines := d.layOut(d.rows() + 1); len(lines) == d.rows()+1 {
		d.head = 1 // all keys are on the screen without the blank line
	}
	d.narrow()
}

// rows returns how many lines of keys are on the screen.
func (d *help) rows() int { return max(d.h-2-d.head, 0) }

// layOut draws the sections for pages of h lines.
func (d *help) layOut(h int) []string {
	w := max(d.w-4, 0)
	columns := max((w+helpGap)/(helpColumn+helpGap), 1)
	fits := func(columns int) bool {
		return len(packColumns(d.helpSections(), max(h, leastOfSection))) <= columns
	}
	for columns > 2 && (w+helpGap)/columns-helpGap < wideColumn && fits(columns-1) {
		columns-- // until what a key does is said in full
	}
	if d.pager.IsPaged = columns > 1; !d.pager.IsPaged {
		h = 1 << 20 // one column, which goes on from page to page
	}
	return d.layOutPages(d.sections, columns, (w+helpGap)/columns-helpGap, h)
}

// narrow shows the keys that have every word of the filter in their names or in what they do, and all below a heading
// that has them.
func (d *help) narrow() {
	words := strings.Fields(strings.ToLower(d.filter.Value()))
	d.sections = nil
	for _, section := range d.helpSections() {
		kept := slices.DeleteFunc(slices.Clone(section), func(line helpLine) bool {
			return line.keys != "" && !line.matches(words)
		})
		if len(kept) == 1 && section[0].matches(words) {
			kept = section
		}
		if len(kept) > 1 {
			d.sections = append(d.sections, kept)
		}
	}
	lines := d.layOut(d.rows())
	if len(d.sections) == 0 {
		text := "No key matches “" + d.filter.Value() + "”."
		lines = widget.StyleLines(d.Styles.Muted, "", termtext.Wrap(termtext.Clean(text), max(d.w-4, 2)))
	}
	d.pager.Set(lines, d.rows())
}

// Update implements [action.Dialog].
func (d *help) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	key, isKey := msg.(keys.Press)
	isText := isKey && key.Text != "" && (key.Command != keys.Help || d.filter.Value() != "")
	switch {
	case isText || key.Scope == keys.Vi:
	case key.Command == keys.Help: // the key that opened it
		return action.CloseDialog{}, nil
	case key.Command == keys.Close:
		return d.Run(key.Command), nil
	case d.pager.Update(msg):
		return nil, nil
	case isKey && !d.filter.Edits(key):
		return d.CommonOrUnused(key), nil
	}
	if d.filter.Update(msg) {
		d.narrow()
		d.pager.Scroll(-len(d.pager.Lines()))
	}
	return nil, nil
}

// State implements [action.Dialog].
func (d *help) State() action.LayerState {
	return action.LayerState{Lookups: d.lookups, TakesKey: d.filter.Takes}
}

// Cursor implements [action.Dialog].
func (d *help) Cursor() *tea.Cursor {
	if d.w < 8 || d.h < 3 {
		return nil
	}
	return d.filter.Cursor(4, 1)
}

// Size implements [action.Dialog].
func (d *help) Size() image.Point { return image.Pt(d.w, d.h) }

// Work implements [action.Dialog].
func (d *help) Work() tea.Cmd { return nil }

// View implements [action.Dialog].
func (d *help) View() string {
	borders, _ := d.Hints()
	d.filter.Styles = d.Styles
	lines := make([]string, d.head)
	lines[0] = d.Styles.Accent.On(">") + " " + d.filter.View(true)
	lines = append(lines, d.pager.View()...)
	return widget.DrawBox(d.Box(d.title, d.pager.Position(), borders[0], d.w, d.h), lines)
}

// Hints implements [action.Dialog].
func (d *help) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	return overlay.SplitHints(d.Commands.Hints(), d.w)
}
