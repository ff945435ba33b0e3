package browse

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
	"confab/ui/widget"
)

const (
	// previewDelay is how long the cursor rests before its preview is asked for, so that a held key does not ask for
	// every item it passes.
	previewDelay = 30 * time.Millisecond
	// restDelay is how long a grid must stand still before pictures are read, so that flipping through screens reads
	// none of those it passes.
	restDelay = 80 * time.Millisecond
)

// Results and delays of a list's own commands.
type (
	foundMsg struct {
		SearchResult
		gen   int
		query string
	}
	previewedMsg struct {
		Preview
		tag int
	}
	restedMsg struct{ tag int }
)

// List is a list with a filter and, where there is room, a preview. Its items are rows, or thumbnails in a grid.
type List struct {
	overlay.Base
	selection
	c      Config
	grid   *grid // of thumbnails; nil for rows
	layout listLayout
	w, h   int // of the screen
	filter widget.Field

	gen            int    // of the newest search
	found          int    // the generation of the search whose results are shown
	problem        string // why the search failed, "" for nothing
	isEnterPending bool   // enter was pressed before the newest search was answered
	isNewSearch    bool   // the results shown are the first of their query

	folder string // of files: the one that is listed
	all    []Item // as found
	items  []Item // of all, those the list shows
	total  int
	count  int    // of the items without a filter
	shown  string // the query of the items shown

	tag         int  // of the newest movement of the cursor, or the newest preview asked for
	needPreview bool // the preview shown is not of this size or these styles
	preview     overlay.Pager
	picture     *graphics.Placement // in the preview, from its first cell
}

var _ interface {
	part.KeyLooker
	part.Selector
	part.Searcher
	part.Positioned
	part.Worker
	part.PictureShower
} = (*List)(nil)

// NewList returns a list dialog.
func NewList(c Config, m keys.Map, s *themes.Styles) *List {
	l := &List{Base: overlay.NewBase(string(c.Name), keys.Browser, m, s), c: c,
		filter: widget.NewField("", c.Placeholder), count: unknownCount}
	l.SetStyles(s)
	if c.Files {
		l.folder = c.Query
	} else {
		l.filter.SetValue(c.Query)
	}
	if c.Search == nil {
		l.gen, l.found = 1, 1
		l.all, l.total, l.count = c.Items, len(c.Items), len(c.Items)
		l.narrow()
		l.at = max(slices.IndexFunc(l.items, func(i Item) bool { return i.Marked }), 0)
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
	if l.grid != nil && l.count != 0 {
		l.grid.fitAspect()
		l.grid.shape.aspect = l.grid.aspect
		l.layout = layOutGallery(w, h, l.grid.shape)
	} else {
		l.layout = layOutList(l.c, l.count, w, h, l.Styles.ScreenReader)
	}
	l.w, l.h, l.cols, l.rows = w, h, l.layout.cols, l.layout.rows
	l.filter.SetWidth(l.layout.listW - 6)
	l.reveal()
	_, previewH := l.layout.previewInner()
	l.preview.Set(l.preview.Lines(), previewH)
	l.needPreview = l.isInRange()
}

// Cursor implements [action.Dialog].
func (l *List) Cursor() *tea.Cursor {
	if l.layout.listW < 8 || l.layout.listH < 3 {
		return nil
	}
	return l.filter.Cursor(4, 1)
}

// Lookups implements [part.KeyLooker]: in a list with tabs, keys go to the next one.
func (l *List) Lookups() []keys.Lookup {
	lookups := keys.LookupsIn(l.Scope())
	if len(l.c.Tabs) > 0 {
		steps := []keys.Command{keys.NextField, keys.PreviousField}
		lookups = append(lookups, keys.Lookup{Scope: keys.Form, Only: steps})
	}
	return lookups
}

// IsNewSearch tells whether what is shown are the first results of a search.
func (l *List) IsNewSearch() bool { return l.isNewSearch }

// Selected returns the item under the cursor; ok is false when there is none.
func (l *List) Selected() (item Item, ok bool) {
	if !l.isInRange() {
		return Item{}, false
	}
	if l.grid != nil {
		return l.pictureItem(), true
	}
	return l.items[l.at], true
}

// Target tells what is under the cursor.
func (l *List) Target() string {
	item, ok := l.Selected()
	if !ok {
		return ""
	}
	return strconv.FormatInt(item.ID, 10) + " " + item.Key
}

// ReadingPosition tells where the cursor is, and how far the preview is scrolled.
func (l *List) ReadingPosition() string { return fmt.Sprint(l.at, " ", l.preview.Top()) }

// Work starts the first search. It asks for the pictures of a grid that are missing, and again for a preview whose size
// or styles have changed.
func (l *List) Work() tea.Cmd {
	switch {
	case l.gen == 0:
		return l.search()
	case l.grid != nil:
		return l.gridWork()
	case l.needPreview:
		l.needPreview = false
		return l.requestPreview()
	}
	return nil
}

// search asks for what the filter says, or for the folder.
func (l *List) search() tea.Cmd {
	l.gen++
	query := l.filter.Value()
	if l.c.Files {
		query = l.folder
	}
	gen, find := l.gen, l.c.Search(query)
	return func() tea.Msg { return part.Result{To: l, Msg: foundMsg{find(), gen, query}} }
}

// narrows tells whether the filter works on what was found, not by searching.
func (l *List) narrows() bool { return l.c.Search == nil || l.c.Files }

// narrow makes the shown items from all of them.
func (l *List) narrow() {
	l.items = l.all
	if l.narrows() {
		l.items = match(l.all, l.filter.Value())
	}
	l.n = len(l.items)
}

// show shows what was found, unless it answers an older search.
func (l *List) show(msg foundMsg) (action.Action, tea.Cmd) {
	if msg.gen != l.gen {
		return nil, nil
	}
	former, had := l.Selected()
	l.isNewSearch = l.found == 0 || msg.query != l.shown
	l.found, l.shown = msg.gen, msg.query
	l.all, l.problem = msg.Items, ""
	if l.grid == nil || msg.query == "" {
		l.total = msg.Total
	}
	if l.grid != nil {
		l.grid.shape.count = l.total
	}
	if msg.Err != nil {
		l.problem = part.Sentence(msg.Err)
	}
	if msg.Folder != "" {
		l.folder = msg.Folder
	}
	l.addParent()
	l.fitCount(msg)
	l.narrow()
	to := l.at
	if l.isNewSearch {
		to, l.first = l.firstChoice(), 0
	} else if had {
		same := func(i Item) bool { return i.ID == former.ID && i.Key == former.Key }
		if i := slices.IndexFunc(l.items, same); i >= 0 {
			to = i
		}
	}
	l.moveTo(to)
	if l.isEnterPending && (l.grid == nil || l.canChoose()) {
		return l.choose()
	}
	return l.moved()
}

// fitCount makes the dialog as high as what was found needs. It shrinks only when all items were asked for.
func (l *List) fitCount(msg foundMsg) {
	count := max(msg.Total, len(l.all))
	if msg.query != "" {
		count = max(count, l.count)
	}
	if count != l.count && msg.Err == nil {
		l.count = count
		l.SetSize(l.w, l.h)
	}
}

// firstChoice returns the item that the cursor is on after a new search.
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

// moved performs what moving to an item does, or lets the preview follow the cursor after a delay.
func (l *List) moved() (action.Action, tea.Cmd) {
	item, ok := l.Selected()
	if l.c.OnMove != nil && ok {
		return l.c.OnMove(item), nil // the new styles bring a new preview
	}
	delay := previewDelay
	switch {
	case l.grid != nil:
		l.preview = overlay.Pager{}
		if l.first == l.grid.first {
			return nil, nil
		}
		l.grid.first, l.grid.moving = l.first, true
		delay = restDelay
	case !l.layout.hasPreview():
		return nil, nil
	case !ok:
		l.preview, l.picture = overlay.Pager{}, nil
	}
	l.tag++
	rested := part.Result{To: l, Msg: restedMsg{l.tag}}
	return nil, tea.Tick(delay, func(time.Time) tea.Msg { return rested })
}

// requestPreview asks for the preview of the item under the cursor.
func (l *List) requestPreview() tea.Cmd {
	item, ok := l.Selected()
	if !ok || !l.layout.hasPreview() {
		return nil
	}
	l.tag++
	w, h := l.layout.previewInner()
	tag, preview := l.tag, l.c.Preview(item, w, h)
	return func() tea.Msg { return part.Result{To: l, Msg: previewedMsg{preview(), tag}} }
}

// enter lists another folder.
func (l *List) enter(folder string) tea.Cmd {
	l.folder = folder
	l.filter.SetValue("")
	return l.search()
}

// parentFolder is the title of the entry that leads to the parent folder.
const parentFolder = ".."

// addParent puts the parent folder before what a folder holds.
func (l *List) addParent() {
	if !l.c.Files || l.folder == "" {
		return
	}
	parent := filepath.Dir(l.folder)
	if parent == l.folder || parent == "." {
		return
	}
	up := Item{Title: parentFolder, Key: parent, Facts: "folder above", IsFolder: true}
	l.all = append([]Item{up}, l.all...)
}
