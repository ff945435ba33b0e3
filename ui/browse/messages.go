// Package browse holds what one searches and moves through above the main screen: lists with previews, the gallery, the
// picture viewer and the picker of a source picture.
package browse

import (
	"image"

	"confab/history"
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
	Marked bool     // the one in use
	Enter  action.Action
	Keys   map[keys.Command]action.Action // what further keys do with this entry
}

// FoundMsg answers an [action.Search]. Problem is one sentence that is shown
// instead of the items.
type FoundMsg struct {
	List    action.List
	Gen     int
	Items   []Item
	Total   int    // how many there are without the filter
	Place   string // of files: the folder that was listed
	Problem string
}

// PreviewedMsg answers an [action.Preview]. The lines may be styled; they must
// be cleaned.
type PreviewedMsg struct {
	List  action.List
	Gen   int
	ID    int64
	Lines []string
	// Picture is the one in the lines, relative to their first cell; nil for none.
	Picture *graphics.Placement
}

// FoundPicturesMsg answers an [action.FindPictures]. Problem is one sentence that
// is shown instead of the pictures.
type FoundPicturesMsg struct {
	Gen     int
	Answers []int64 // newest first
	Problem string
}

// ReadPicturesMsg answers an [action.ReadPictures]. Those that are asked for and
// missing were deleted meanwhile.
type ReadPicturesMsg struct {
	Asked   []int64
	Hits    []history.PictureHit
	Problem string
}

// DrawnMsg answers an [action.DrawPicture]: the lines of the box it takes, as
// wide as each other, or in a sentence why there are none.
type DrawnMsg struct {
	Path    string
	W, H    int // as asked
	Lines   []string
	Cells   image.Point // of the lines
	ID      int         // by which the terminal has its pixels, for which the lines stand; 0 for none
	Problem string
}

// RefreshMsg makes the dialogs of a list search again, because what it shows
// has changed: something was renamed, deleted, restored.
type RefreshMsg struct{ List action.List }

// previewDueMsg comes when the cursor of a list has rested for a moment.
type previewDueMsg struct {
	of  *Browser
	tag int
}
