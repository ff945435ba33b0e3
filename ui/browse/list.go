package browse

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/textedit"
)

// previewDelay is how long the cursor rests before its preview is asked for,
// so that a held key does not ask for every item it passes.
const previewDelay = 30 * time.Millisecond

// Config says what a [Browser] lists. [Shipped] has one for each list.
type Config struct {
	List        action.List
	Title       string
	Placeholder string // of the filter
	Empty       string // what is said when there is nothing to list
	Verb        string // what enter does, for the hint
	Hints       []keys.Command
	Labels      map[keys.Command]string // what keys do here, where that is not what the key map says
	Compact     bool                    // one line per item, without its detail
	Preview     bool
	BesideFrom  int // screen width from which the preview stands beside; 0 means 100
	Width       int // widest dialog; 0 means as wide as the screen allows

	// Static lists have all their items from the start and filter themselves;
	// the others ask by [action.Search] and are answered by [FoundMsg]. The lists
	// of files ask for a folder at a time and filter within.
	Static bool
	Items  []Item

	Session int64  // limits pictures to those of one session
	Query   string // the filter at the start; for files the folder
	Former  string // the theme to go back to when the list of themes is left
	// Keys are what keys do that no item has an action for.
	Keys map[keys.Command]action.Action
	// Extra are hints of keys that the list itself does not know.
	Extra []keys.Hint
	// Take is what enter does with an item, in place of the item's own action;
	// folders are entered all the same.
	Take func(Item) action.Action
	// Typed is what enter does with a filter that matches nothing; nil for
	// nothing.
	Typed func(filter string) action.Action
}

// files tells whether the list is of files, a folder at a time.
func (c Config) files() bool { return c.List == action.ListFiles || c.List == action.ListSuites }

// Browser is a list with a filter and, where there is room, a preview.
type Browser struct {
	overlay.Base
	c     Config
	place placing

	filter textedit.Field
	folder string // of files: the one that is listed
	all    []Item // as found
	items  []Item // of all, those the list shows
	hits   [][][2]int
	total  int

	problem string
	gen     int    // of the newest search
	found   int    // the gen of the items shown
	asked   string // the query of the newest search
	answer  string // the query of the items shown
	pending bool   // enter was pressed before the search was answered
	fresh   bool   // the items shown are the first of their search

	at, first int // item under the cursor, first item shown

	tag     int // of the newest wish for a preview
	preview int // gen of the newest preview asked for
	lines   []string
	picture *graphics.Placement // in the lines, from their first cell
	shift   int                 // lines of the preview scrolled out
}

// NewBrowser returns a list dialog.
func NewBrowser(c Config, m keys.Map, s *themes.Styles) *Browser {
	b := &Browser{Base: overlay.NewBase(string(c.List), keys.Browser, m, s), c: c, filter: textedit.NewField("", c.Placeholder)}
	if c.files() {
		b.folder = c.Query
	} else {
		b.filter.SetValue(c.Query)
	}
	b.SetStyles(s)
	if c.Static {
		b.all, b.total = c.Items, len(c.Items)
		b.narrow()
		b.at = max(slices.IndexFunc(b.items, func(i Item) bool { return i.Marked }), 0)
	}
	return b
}

// SetStyles implements [action.Dialog].
func (b *Browser) SetStyles(s *themes.Styles) {
	b.Styles, b.filter.Styles = s, s
}

// SetSize implements [action.Dialog].
func (b *Browser) SetSize(w, h int) {
	b.place = placeBrowser(b.c, w, h)
	b.filter.SetWidth(b.place.listW - 6)
	b.reveal()
	b.shift = min(b.shift, max(len(b.lines)-1, 0))
}

// Selected returns the item under the cursor; ok is false when there is none.
func (b *Browser) Selected() (item Item, ok bool) {
	if b.at < 0 || b.at >= len(b.items) {
		return Item{}, false
	}
	return b.items[b.at], true
}

// Target tells what is under the cursor.
func (b *Browser) Target() string {
	item, ok := b.Selected()
	if !ok {
		return ""
	}
	return strconv.FormatInt(item.ID, 10) + " " + item.Key
}

// Searched tells whether the list shows the first that a search has found.
func (b *Browser) Searched() bool { return b.fresh }

// open starts the first search; see [overlay.Stack.Push].
func (b *Browser) Open(gen int) (action.Action, tea.Cmd) {
	b.gen, b.preview = gen, gen
	if b.c.Static {
		return b.Repreview(), nil
	}
	return b.search(), nil
}

// search asks for what the filter says, or for the folder.
func (b *Browser) search() action.Action {
	b.gen++
	b.asked = b.filter.Value()
	if b.c.files() {
		b.asked = b.folder
	}
	return action.Search{List: b.c.List, Query: b.asked, Session: b.c.Session, Gen: b.gen}
}

// local tells whether the filter works on what was found, not by searching.
func (b *Browser) local() bool { return b.c.Static || b.c.files() }

// narrow makes the shown items from all of them.
func (b *Browser) narrow() {
	if !b.local() {
		b.items, b.hits = b.all, nil
		return
	}
	b.items, b.hits = match(b.all, b.filter.Value())
}

// take shows what was found, unless it answers an older search.
func (b *Browser) take(msg FoundMsg) (action.Action, tea.Cmd) {
	if msg.List != b.c.List || msg.Gen != b.gen {
		return nil, nil
	}
	former, had := b.Selected()
	same := b.found != 0 && b.asked == b.answer
	b.found, b.answer = msg.Gen, b.asked
	b.all, b.total, b.problem = msg.Items, msg.Total, msg.Problem
	if msg.Place != "" {
		b.folder = msg.Place
	}
	b.addParent()
	b.narrow()
	at := min(b.at, max(len(b.items)-1, 0))
	b.fresh = !same
	if !same {
		at = 0
		b.first = 0
		if len(b.items) > 1 && b.items[0].Title == above {
			at = 1
		}
		if b.c.List == action.ListSuites { // a file is what one came for
			at = max(at,
				slices.IndexFunc(b.items, func(i Item) bool { return i.Title != above && !strings.HasSuffix(i.Title, "/") }))
		}
	} else if had {
		if i := slices.IndexFunc(b.items, func(i Item) bool { return i.ID == former.ID && i.Key == former.Key }); i >= 0 {
			at = i
		}
	}
	b.at = at
	b.reveal()
	if b.pending {
		b.pending = false
		return b.choose()
	}
	return b.moved()
}

// move puts the cursor on an item and lets the rest follow.
func (b *Browser) move(to int) (action.Action, tea.Cmd) {
	to = max(min(to, len(b.items)-1), 0)
	if to == b.at {
		return nil, nil
	}
	b.at = to
	b.reveal()
	return b.moved()
}

// moved lets the theme or the preview follow the cursor.
func (b *Browser) moved() (action.Action, tea.Cmd) {
	item, ok := b.Selected()
	if b.c.List == action.ListThemes && ok {
		return action.Theme{Name: item.Key}, nil // the new styles bring a new preview
	}
	b.tag++
	if !b.place.hasPreview() {
		return nil, nil
	}
	if !ok {
		b.lines, b.picture, b.shift = nil, nil, 0
		b.preview++ // what is on its way is not wanted any more
		return nil, nil
	}
	due := previewDueMsg{of: b, tag: b.tag}
	return nil, tea.Tick(previewDelay, func(time.Time) tea.Msg { return due })
}

// repreview asks for the preview of the item under the cursor.
func (b *Browser) Repreview() action.Action {
	item, ok := b.Selected()
	if !ok || !b.place.hasPreview() || b.preview == 0 {
		return nil
	}
	b.preview++
	w, h := b.place.previewInner()
	return action.Preview{List: b.c.List, ID: item.ID, Path: item.Key, W: w, H: h, Gen: b.preview}
}

// nothingToChoose is said where enter has nothing to open or take.
const nothingToChoose = "There is nothing to choose in this list."

// choose does what enter does.
func (b *Browser) choose() (action.Action, tea.Cmd) {
	if !b.c.Static && b.gen != b.found {
		b.pending = true // the items shown are not those of the filter
		return nil, nil
	}
	item, ok := b.Selected()
	switch {
	case !ok && b.c.Typed != nil && b.filter.Value() != "":
		if a := b.c.Typed(b.filter.Value()); a != nil {
			return overlay.CloseThen(a), nil
		}
		return action.Unused{Why: nothingToChoose}, nil
	case !ok:
		return action.Unused{Why: nothingToChoose}, nil
	case b.c.List == action.ListThemes:
		return overlay.CloseThen(action.Theme{Name: item.Key, Keep: true}), nil
	}
	if s, ok := item.Enter.(action.Search); ok && s.List == b.c.List {
		return b.enter(s.Query), nil
	}
	enter := item.Enter
	if b.c.Take != nil {
		enter = b.c.Take(item)
	}
	if enter == nil {
		return action.Unused{Why: nothingToChoose}, nil
	}
	return overlay.CloseThen(enter), nil
}

// enter lists another folder.
func (b *Browser) enter(folder string) action.Action {
	b.folder = folder
	b.filter.SetValue("")
	return b.search()
}

// above is the title of the entry that leads to the folder above.
const above = ".."

// addParent puts the folder above before what a folder holds.
func (b *Browser) addParent() {
	if !b.c.files() || b.folder == "" {
		return
	}
	parent := filepath.Dir(b.folder)
	if parent == b.folder || parent == "." || (len(b.all) > 0 && b.all[0].Title == above) {
		return
	}
	up := Item{Title: above, Key: parent, Facts: "folder above", Enter: action.Search{List: b.c.List, Query: parent}}
	b.all = append([]Item{up}, b.all...)
}

// leave closes the list, and takes back what following the cursor has done.
func (b *Browser) leave() action.Action {
	if b.c.List == action.ListThemes {
		return overlay.CloseThen(action.Theme{Name: b.c.Former})
	}
	return action.CloseDialog{}
}
