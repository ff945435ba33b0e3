package browse

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
)

// previewDelay is the time without movement after which a preview is requested, so that a held key requests none.
const previewDelay = 30 * time.Millisecond

// previewedMsg brings the preview of an item.
type previewedMsg struct {
	Preview
	tag    int
	target string
}

// List is a list of rows with a filter and, if there is space, a preview.
type List struct {
	finder
	c       Config
	folder  string // listed folder of a list of files
	all     []Item // as found
	items   []Item // those of all that are shown
	absent  string // the title of the item that is meant and cannot be chosen now
	longest int    // number of items and headings without a filter

	columns     rowColumns
	needPreview bool                // the preview has another size or other styles
	picture     *graphics.Placement // in the preview, relative to its first cell
	previewed   string              // target of the preview
}

// NewList returns a list dialog.
func NewList(c Config, m keys.Map, s *themes.Styles) *List {
	l := &List{c: c, longest: unknownCount}
	l.finder = newFinder(l, overlay.NewBase(string(c.Name), listCommands.For(l, m), m, s), c.Name, c.Texts)
	l.onLeave, l.isPassed = c.OnLeave, func(i int) bool { return l.items[i].isHeading }
	l.SetStyles(s)
	if c.Files {
		l.folder = c.Query
	} else {
		l.filter.SetValue(c.Query)
	}
	if c.Search == nil {
		l.gen, l.found = 1, 1
		l.all, l.total, l.longest = c.Items, len(c.Items), len(withHeadings(c.Items))
		l.narrow()
		l.moveTo(slices.IndexFunc(l.items, func(i Item) bool { return i.Marked }))
	}
	return l
}

// SetStyles implements [action.Dialog].
func (l *List) SetStyles(s *themes.Styles) {
	l.Styles, l.filter.Styles = s, s
	l.needPreview = l.isInRange()
}

// SetSize implements [action.Dialog].
func (l *List) SetSize(w, h int) {
	l.w, l.h = w, h
	lines := 1
	if len(l.items) == 0 && l.filter.Value() != "" { // a list in which nothing is found keeps its height
		lines = max(l.pitch, 1)
	}
	if slices.ContainsFunc(l.items, func(i Item) bool { return len(i.Match) > 0 }) {
		lines = 2
	}
	b := layOutList(l.c, l.longest, lines, w, h)
	b.shorten(l.headingsAtEnd(b.listH - 2 - b.head))
	if l.isBesideWord() {
		b = l.layOutCompletion(w, h)
	}
	l.needPreview = l.needPreview || b != l.boxes && l.isInRange()
	l.fitBoxes(b, 1, max((b.listH-2-b.head)/b.pitch, 0))
	l.columns = fitColumns(l.Styles, l.all, b.listW-2)
}

// headingsAtEnd returns how many of the first rows stand at their end and are headings or blank, where others follow.
func (l *List) headingsAtEnd(rows int) (n int) {
	all := withHeadings(l.all)
	for rows > 1 && rows-n > 1 && rows < len(all) && all[rows-n-1].isHeading {
		n++
	}
	return n
}

// State implements [action.Dialog]: a list with tabs has keys for the next and the previous tab.
func (l *List) State() action.LayerState {
	state := l.state(l.target(), l.pictures())
	if len(l.c.Tabs) > 0 {
		steps := []keys.Command{keys.NextField, keys.PreviousField}
		state.Lookups = append(state.Lookups, keys.Lookup{Scope: keys.Form, Only: steps})
	}
	if l.isBesideWord() {
		state.Lookups = append(state.Lookups, keys.Lookup{Scope: keys.Form, Only: []keys.Command{keys.NextField}})
		state.WordWidth, state.TakesKey = 1+termtext.Width(l.filter.Value()), nil
	}
	return state
}

// Selected returns the item under the cursor; ok is false when there is none.
func (l *List) Selected() (item Item, ok bool) {
	if !l.isInRange() {
		return Item{}, false
	}
	return l.items[l.at], true
}

// target identifies the item under the cursor.
func (l *List) target() string {
	item, ok := l.Selected()
	if !ok {
		return ""
	}
	return strconv.FormatInt(item.ID, 10) + " " + item.Key
}

// Work starts the first search, and requests a new preview after a change of size or styles.
func (l *List) Work() tea.Cmd {
	switch {
	case l.gen == 0:
		return l.search()
	case l.needPreview:
		l.needPreview = false
		return l.requestPreview()
	}
	return nil
}

func (l *List) search() tea.Cmd {
	query := l.filter.Value()
	if l.narrows() {
		query = l.folder
	}
	return startSearch(&l.finder, query, l.c.Search(query))
}

func (l *List) page() int { return max(l.rows-1, 1) }

// narrows reports whether the filter selects among the items instead of searching.
func (l *List) narrows() bool { return l.c.Search == nil || l.c.SearchesOnce || l.c.Files }

func (l *List) narrow() {
	l.items, l.absent = l.all, ""
	switch {
	case l.filter.Value() == "":
		l.items = withHeadings(l.all)
	case l.narrows():
		l.items = match(l.all, l.filter.Value())
		if absent := match(l.c.Absent, l.filter.Value()); isNamed(absent) && !isNamed(l.items) {
			l.items, l.absent = nil, absent[0].Title
		}
	}
	l.n = len(l.items)
}

// withHeadings puts a heading before each group of items, and a blank row between groups.
func withHeadings(items []Item) (all []Item) {
	group := ""
	for _, i := range items {
		if i.Group != group {
			if len(all) > 0 {
				all = append(all, Item{isHeading: true}) // a blank row
			}
			group = i.Group
			all = append(all, Item{Title: group, isHeading: true})
		}
		all = append(all, i)
	}
	return all
}

// show shows the result of the newest search. The cursor stays on its item.
func (l *List) show(msg foundMsg[SearchResult]) (action.Action, tea.Cmd) {
	former, had := l.Selected()
	result := msg.found
	if !l.noteFound(msg.gen, msg.query, result.Err) {
		return nil, nil
	}
	l.all, l.total = result.Items, result.Total
	if result.Folder != "" {
		l.folder = result.Folder
	}
	l.addParent()
	l.narrow()
	l.fitLongest(result, msg.query)
	l.selectFound(l.firstChoice(), slices.IndexFunc(l.items, func(i Item) bool {
		return had && i.ID == former.ID && i.Key == former.Key
	}))
	if l.isEnterPending {
		return l.choose()
	}
	return l.moved()
}

// fitLongest gives the dialog the height and the columns that its items need. It shrinks only after a search without a
// filter.
func (l *List) fitLongest(result SearchResult, query string) {
	n := max(result.Total, len(withHeadings(l.all)))
	if query != "" {
		n = max(n, l.longest)
	}
	if result.Err == nil {
		l.longest = n
		l.SetSize(l.w, l.h)
		l.needPreview = false // the cursor rests first
	}
}

// firstChoice returns the item under the cursor after a new search.
func (l *List) firstChoice() int {
	first := 0
	if len(l.items) > 1 && l.items[0].Title == parentFolder {
		first = 1
	}
	if l.c.SkipFolders {
		first = max(first, slices.IndexFunc(l.items, func(i Item) bool { return !i.IsFolder }))
	}
	return first
}

// moved does the action of moving to an item, or requests its preview after a delay.
func (l *List) moved() (action.Action, tea.Cmd) {
	item, ok := l.Selected()
	switch {
	case l.c.OnMove != nil && ok:
		return l.c.OnMove(item), nil // changes the styles, and so the preview
	case !l.hasSide():
		return nil, nil
	case !ok:
		l.side, l.picture = overlay.Pager{}, nil
	}
	return nil, l.rest(previewDelay)
}

func (l *List) requestPreview() tea.Cmd {
	item, ok := l.Selected()
	if !ok || !l.hasSide() {
		return nil
	}
	l.tag++
	w, h := l.sideInner()
	tag, target, preview := l.tag, l.target(), l.c.Preview(item, w, h)
	return func() tea.Msg { return part.Result{To: l, Msg: previewedMsg{preview(), tag, target}} }
}

func (l *List) enter(folder string) tea.Cmd {
	l.folder = folder
	l.filter.SetValue("")
	return l.search()
}

// parentFolder is the title of the entry that leads to the parent folder.
const parentFolder = ".."

func (l *List) addParent() {
	if !l.c.Files || l.folder == "" {
		return
	}
	parent := filepath.Dir(l.folder)
	if parent == l.folder || parent == "." {
		return
	}
	up := Item{Title: parentFolder, Key: parent, Facts: "parent folder", IsFolder: true}
	l.all = append([]Item{up}, l.all...)
}

// typedFolder returns the folder that a filter with a slash at its end names.
func (l *List) typedFolder() (string, bool) {
	typed := l.filter.Value()
	if !l.c.Files || !strings.HasSuffix(typed, "/") {
		return "", false
	}
	if strings.HasPrefix(typed, "/") || strings.HasPrefix(typed, "~") || l.folder == "" {
		return typed, true
	}
	return strings.TrimSuffix(l.folder, "/") + "/" + typed, true
}

func (l *List) enterParent() tea.Cmd {
	if len(l.all) > 0 && l.all[0].Title == parentFolder {
		return l.enter(l.all[0].Key)
	}
	return nil
}
