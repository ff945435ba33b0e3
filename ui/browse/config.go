package browse

import (
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// Item is one entry of a list.
type Item struct {
	ID       int64
	Key      string // identifies an entry without a number: a theme, a command, a path
	Title    string
	Note     string        // explains the title, in what the titles of the list leave of the row
	Columns  []string      // after that, each as wide in all rows; numbers at their start end below each other
	Extra    int           // as many of the last columns go first where there is no space, then the first ones
	Failed   int           // the column, from 1, that says what failed; 0 for none
	Models   []string      // the next column, as dots
	Place    string        // where the key in Facts is one, faint before it
	Facts    string        // the last column, at the right
	Detail   string        // a text in which the filter searches too
	Words    string        // other words by which the filter finds it
	Match    [][2]int      // byte ranges of Detail that a search found, which are shown in a second line
	Values   []string      // of the variables of a prompt, for its preview
	Group    string        // the heading above it while there is no filter; items of a group follow each other
	Marked   bool          // in use
	Turn     int64         // what a search found of a session; 0 for nothing or only its name
	Answer   int64         // of the turn; 0 for its prompt
	IsFolder bool          // Key is a folder; enter lists it
	File     graphics.File // drawn in the preview
	Enter    action.Action
	Keys     map[keys.Command]action.Action // the actions of other commands on this entry

	isHeading bool     // the cursor passes it by
	hits      [][2]int // byte ranges of Title that match the filter
	score     int      // of the match
}

// Config says what a [List] shows and does.
type Config struct {
	Name action.List
	Texts
	Content
	Reactions
	// Preview returns a function for a command that draws the preview of an item in w×h cells; nil for no previews.
	Preview func(item Item, w, h int) func() Preview
	// Tabs are the lists that replace one another; Tab is the index of this one.
	Tabs []Tab
	Tab  int
}

// Texts are the words of a list.
type Texts struct {
	Title       string
	Placeholder string                  // of the filter
	Empty       string                  // shown instead of entries
	HasQuery    bool                    // the filter has the syntax of [history.ParseQuery]
	Verb        string                  // the hint of enter
	Labels      map[keys.Command]string // hints that differ from those of the key map
}

// Content is what a list shows: Items, or what Search finds.
type Content struct {
	Items []Item
	// Absent are items that cannot be chosen now: where only one of them has the word that is typed, the list says so.
	Absent []Item
	// Search returns a function for a command that finds the items of a query, or of a folder in a list of files.
	Search       func(query string) func() SearchResult
	SearchesOnce bool // the filter narrows what the first search finds
	Files        bool // lists the files of one folder at a time; the filter narrows them
	SkipFolders  bool // the cursor starts on the first file
	// Completes is set for a list beside the word in the prompt that it completes: the prompt shows the filter.
	Completes bool
	Query     string // the first filter; in a list of files the folder
}

// Reactions are the actions of a list. Functions may be nil.
type Reactions struct {
	Keys     map[keys.Command]action.Action    // of commands for which the item has no action
	OnMove   func(Item) action.Action          // when the cursor moves to an item
	OnFilter func(filter string) action.Action // when the filter has changed
	OnLeave  action.Action                     // when the list closes without a choice
	OnChoose func(Item) action.Action          // in place of [Item.Enter]
	// StaysOpen keeps the list open below what a choice opens.
	StaysOpen bool
	// OnText returns the action of enter for a filter that matches nothing, or what is wrong with the filter.
	OnText func(filter string) (chosen action.Action, problem string)
}

// Tab names one of several lists that replace one another, in one word.
type Tab struct {
	Name string
	Open action.Action
}

// SearchResult is the result of a search.
type SearchResult struct {
	Items  []Item
	Total  int    // without the filter
	Folder string // the listed folder
	Err    error
}

// Preview is drawn beside an item. Its lines may be styled; foreign text in them must be cleaned.
type Preview struct {
	Lines []string
	// Picture is the one in the lines, relative to their first cell; nil for none.
	Picture *graphics.Placement
}

// RefreshMsg makes open lists and the gallery search again after something was renamed, deleted or restored, or only
// answers have ended.
type RefreshMsg struct{ OnlyEnded bool }
