package browse

import (
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
)

// previewDelay is how long the cursor rests before its preview is asked for, so that a held key does not ask for every
// item it passes.
const previewDelay = 30 * time.Millisecond

// Results and delays of a list's own commands.
type (
	foundMsg struct {
		Found
		gen   int
		query string
	}
	previewedMsg struct {
		Preview
		gen int
	}
	previewDueMsg struct{ tag int }
)

// List is a list with a filter and, where there is room, a preview.
type List struct {
	finder
	c      Config
	layout listLayout

	folder string // of files: the one that is listed
	all    []Item // as found
	items  []Item // of all, those the list shows
	hits   [][][2]int
	total  int
	asked  string // the query of the newest search
	shown  string // the query of the items shown

	tag         int  // of the newest delay before a preview
	previewGen  int  // of the newest preview asked for
	needPreview bool // the preview shown is not of this size or these styles
	preview     overlay.Pager
	picture     *graphics.Placement // in the preview, from its first cell
}

// NewList returns a list dialog.
func NewList(c Config, m keys.Map, s *themes.Styles) *List {
	l := &List{finder: newFinder(c.Name, keys.Browser, c.Placeholder, m, s), c: c}
	l.cols = 1
	if c.Files {
		l.folder = c.Query
	} else {
		l.filter.SetValue(c.Query)
	}
	if c.Search == nil {
		l.gen, l.found = 1, 1
		l.all, l.total = c.Items, len(c.Items)
		l.narrow()
		l.at = max(slices.IndexFunc(l.items, func(i Item) bool { return i.Marked }), 0)
	}
	return l
}

// SetStyles implements [action.Dialog].
func (l *List) SetStyles(s *themes.Styles) {
	l.finder.SetStyles(s)
	l.needPreview = l.selected()
}

// SetSize implements [action.Dialog].
func (l *List) SetSize(w, h int) {
	l.layout = layOutList(l.c, w, h)
	l.setBox(l.layout.listW, l.layout.listH)
	l.rows = l.layout.visible()
	l.reveal()
	_, previewH := l.layout.previewInner()
	l.preview.Set(l.preview.Lines(), previewH)
	l.needPreview = l.selected()
}

// Selected returns the item under the cursor; ok is false when there is none.
func (l *List) Selected() (item Item, ok bool) {
	if !l.selected() {
		return Item{}, false
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

// Work starts the first search, and asks for a preview again whose size or styles have changed.
func (l *List) Work() tea.Cmd {
	if l.gen == 0 {
		return l.search()
	}
	if !l.needPreview {
		return nil
	}
	l.needPreview = false
	return l.requestPreview()
}

// search asks for what the filter says, or for the folder.
func (l *List) search() tea.Cmd {
	l.gen++
	l.asked = l.filter.Value()
	if l.c.Files {
		l.asked = l.folder
	}
	gen, query, find := l.gen, l.asked, l.c.Search(l.asked)
	return func() tea.Msg { return part.Result{To: l, Msg: foundMsg{find(), gen, query}} }
}

// narrows tells whether the filter works on what was found, not by searching.
func (l *List) narrows() bool { return l.c.Search == nil || l.c.Files }

// narrow makes the shown items from all of them.
func (l *List) narrow() {
	l.items, l.hits = l.all, nil
	if l.narrows() {
		l.items, l.hits = match(l.all, l.filter.Value())
	}
	l.n = len(l.items)
}

// show shows what was found, unless it answers an older search.
func (l *List) show(msg foundMsg) (action.Action, tea.Cmd) {
	if msg.gen != l.gen {
		return nil, nil
	}
	former, had := l.Selected()
	l.fresh = l.found == 0 || msg.query != l.shown
	l.found, l.shown = msg.gen, msg.query
	l.all, l.total, l.problem = msg.Items, msg.Total, ""
	if msg.Err != nil {
		l.problem = part.Sentence(msg.Err)
	}
	if msg.Folder != "" {
		l.folder = msg.Folder
	}
	l.addParent()
	l.narrow()
	to := l.at
	if l.fresh {
		to, l.first = l.firstChoice(), 0
	} else if had {
		same := func(i Item) bool { return i.ID == former.ID && i.Key == former.Key }
		if i := slices.IndexFunc(l.items, same); i >= 0 {
			to = i
		}
	}
	l.moveTo(to)
	if l.pending {
		l.pending = false
		return l.choose()
	}
	return l.moved()
}

// firstChoice returns the item that the cursor is on after a new search.
func (l *List) firstChoice() int {
	first := 0
	if len(l.items) > 1 && l.items[0].Title == parentFolder {
		first = 1
	}
	if l.c.SkipFolders {
		first = max(first, slices.IndexFunc(l.items, func(i Item) bool { return !i.Folder }))
	}
	return first
}

// moved performs what moving to an item does, or lets the preview follow the cursor after a delay.
func (l *List) moved() (action.Action, tea.Cmd) {
	item, ok := l.Selected()
	if l.c.Moved != nil && ok {
		return l.c.Moved(item), nil // the new styles bring a new preview
	}
	l.tag++
	if !l.layout.hasPreview() {
		return nil, nil
	}
	if !ok {
		l.preview, l.picture = overlay.Pager{}, nil
		l.previewGen++ // what is being made must not be shown any more
		return nil, nil
	}
	due := part.Result{To: l, Msg: previewDueMsg{l.tag}}
	return nil, tea.Tick(previewDelay, func(time.Time) tea.Msg { return due })
}

// requestPreview asks for the preview of the item under the cursor.
func (l *List) requestPreview() tea.Cmd {
	item, ok := l.Selected()
	if !ok || !l.layout.hasPreview() {
		return nil
	}
	l.previewGen++
	w, h := l.layout.previewInner()
	gen, preview := l.previewGen, l.c.Preview(item, w, h)
	return func() tea.Msg { return part.Result{To: l, Msg: previewedMsg{preview(), gen}} }
}

// nothingToChoose is said where enter has nothing to open or take.
const nothingToChoose = "There is nothing to choose in this list."

// choose does what enter does.
func (l *List) choose() (action.Action, tea.Cmd) {
	if l.gen != l.found {
		l.pending = true // the items shown are not those of the filter
		return nil, nil
	}
	item, ok := l.Selected()
	enter := item.Enter
	switch typed := l.filter.Value(); {
	case item.Folder:
		return nil, l.enter(item.Key)
	case ok && l.c.Take != nil:
		enter = l.c.Take(item)
	case !ok && l.c.Typed != nil && typed != "":
		enter = l.c.Typed(typed)
	}
	if enter == nil {
		return action.Unused{Why: nothingToChoose}, nil
	}
	return overlay.CloseThen(enter), nil
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
	up := Item{Title: parentFolder, Key: parent, Facts: "folder above", Folder: true}
	l.all = append([]Item{up}, l.all...)
}

// leave closes the list without a choice.
func (l *List) leave() action.Action { return overlay.CloseThen(l.c.Leave) }
