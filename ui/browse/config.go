package browse

import (
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// Item is one entry of a list.
type Item struct {
	ID     int64
	Key    string // names the entry where it has no number: a theme, a command, a path
	Title  string
	Facts  string   // short, on the right of the title
	Detail string   // a line under the title
	Match  [][2]int // byte ranges of Detail that a search found
	// Models and DetailFacts stand behind the detail.
	Models      []string
	DetailFacts string
	Marked      bool // the one in use
	IsFolder    bool // Key is a folder, which enter lists
	Enter       action.Action
	Keys        map[keys.Command]action.Action // what further keys do with this entry

	hits  [][2]int // byte ranges of Title that the filter found
	score int      // how well it found them
}

// Config says what a [List] shows and does.
type Config struct {
	Name action.List
	Texts
	Size
	Content
	Reactions
	// Preview returns what makes the preview of an item, of w×h cells, in a command; nil for a list without previews.
	Preview func(item Item, w, h int) func() Preview
	// Tabs are lists that replace one another, this one among them; Tab is its index.
	Tabs []Tab
	Tab  int
}

// Texts are what a list says.
type Texts struct {
	Title       string
	Placeholder string                  // of the filter
	Empty       string                  // what is said when there is nothing to list
	HasQuery    bool                    // the filter has the syntax of [history.ParseQuery]
	Verb        string                  // what enter does, for the hint
	Labels      map[keys.Command]string // what keys do here, where that is not what the key map says
}

// Size is how large a list is, in cells.
type Size struct {
	Compact    bool // one line per item, without its detail
	BesideFrom int  // screen width from which the preview stands beside; 0 means 100
	// PreviewHeight is the least height of the dialog with a preview beside; 0 means as high as the screen allows.
	PreviewHeight int
	Width         int // widest dialog; 0 means as wide as the screen allows
}

// Content is what a list is of: Items, or what Search finds.
type Content struct {
	Items []Item
	// Search returns what finds the items of a query, or of a folder where the list is of files; that part runs in a
	// command.
	Search func(query string) func() SearchResult
	// Files tells that the list is of files, one folder at a time. The filter then narrows what the folder holds.
	Files       bool
	SkipFolders bool   // the cursor starts on the first file
	Query       string // the filter at the start; the folder where the list is of files
}

// Reactions are what a list does. Functions may be nil.
type Reactions struct {
	// Keys are what keys do for which the item under the cursor has no action.
	Keys map[keys.Command]action.Action
	// OnMove is what the cursor does on an item, OnLeave what closing without a choice does besides.
	OnMove  func(Item) action.Action
	OnLeave action.Action
	// OnChoose is what enter does with an item in place of the item's own action.
	OnChoose func(Item) action.Action
	// OnText returns what enter does with a filter that matches nothing, or what is wrong with it.
	OnText func(filter string) (chosen action.Action, problem string)
}

// Tab is one of several lists that replace one another: its name, one word, and what opens it.
type Tab struct {
	Name string
	Open action.Action
}

// SearchResult is the result of a search.
type SearchResult struct {
	Items  []Item
	Total  int    // how many there are without the filter
	Folder string // the one that was listed
	Err    error
}

// Preview is drawn beside an item. The lines may be styled; they must be cleaned.
type Preview struct {
	Lines []string
	// Picture is the one in the lines, relative to their first cell; nil for none.
	Picture *graphics.Placement
}

// RefreshMsg makes the open lists and the gallery search again, because something was renamed, deleted or restored.
type RefreshMsg struct{}
