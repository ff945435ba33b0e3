package dialog

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// Dialog is one layer above the main screen.
type Dialog = action.Dialog

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
	Keys   map[keys.Effect]action.Action // what further keys do with this entry
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

// opener is a dialog that wants something as soon as it is shown. The number
// is larger than any generation that an earlier dialog has used.
type opener interface {
	open(gen int) (action.Action, tea.Cmd)
}

// worker is a dialog that reads and draws only what is seen.
type worker interface {
	work() action.Action
}

// sized is a dialog whose preview depends on size and colours.
type sized interface {
	repreview() action.Action
}

// done closes the dialog and then carries out what it was opened for.
func done(a action.Action) action.Action {
	if a == nil {
		return action.CloseDialog{}
	}
	return action.Several{action.CloseDialog{}, a}
}

// elsewhere is what a key that the dialog itself has no use for does: the few
// effects that are of use while a dialog is open. Nil for all others.
func elsewhere(m keys.Map, scope keys.Scope, msg tea.KeyPressMsg) action.Action {
	switch effect := m.Effect(keys.Everywhere, msg); effect {
	case keys.Interrupt, keys.Back:
		return action.CloseDialog{}
	case keys.Help:
		return action.ShowHelp{Scope: string(scope)}
	case keys.Undo, keys.Suspend, keys.Redraw, keys.ToggleMouse, keys.Quit:
		return action.Perform{Scope: string(keys.Everywhere), Effect: string(effect)}
	}
	return nil
}
