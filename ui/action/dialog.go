package action

import (
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/service"
	"confab/service/export"
	"confab/themes"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// Layer is what takes keys: a pane, or a dialog above the panes.
type Layer interface {
	// Scope returns the scope of the key map that the layer is about.
	Scope() keys.Scope
	SetSize(w, h int)
	SetStyles(s *themes.Styles)
	// Update handles keys, pastes, the mouse (relative to the top left of the view) and the results of the commands
	// that the layer has started.
	Update(msg tea.Msg) (Action, tea.Cmd)
	// Cursor returns the position of the real cursor relative to the view, nil for none.
	Cursor() *tea.Cursor
	State() LayerState
}

// LayerState is what the root asks a layer before it routes input. What a layer does not have stays zero.
type LayerState struct {
	Lookups      []keys.Lookup // where keys are looked up; the first that has a command for one wins
	CapturesText bool          // letters are text of a filter or a search, which the key that goes back ends
	Target       string        // names the selection that commands act on: the same text for the same selection
	// IsNewSearch is set while what is shown are the first results of a search: these replace each other while a
	// person types, who means the first of them.
	IsNewSearch bool
	Pictures    []graphics.Placement // that are drawn, in cells of the layer
	// WordWidth is set for a dialog that completes the word before the cursor of the focused pane, beside which it is
	// drawn: the cells from the beginning of that word to the cursor.
	WordWidth int
	// HintAt returns the hint that is drawn at a cell of a pane beside those in its border.
	HintAt func(x, y int) (keys.Hint, bool)
	// DoubleClick does what a double click means; nil where it is two clicks.
	DoubleClick func(x, y int) (Action, tea.Cmd)
	// TakesKey tells whether a key belongs to vi's mode of a text field, whatever it means elsewhere; nil for none.
	TakesKey func(msg tea.KeyPressMsg) bool
	// CopySelection copies the text that is selected in a text field; it returns nil where none is.
	CopySelection func() Action
}

// Taken returns the press of a key that belongs to vi's mode of a text field; ok is false for any other.
func (s LayerState) Taken(m keys.Map, msg tea.KeyPressMsg) (press keys.Press, ok bool) {
	if s.TakesKey == nil || !s.TakesKey(msg) {
		return press, false
	}
	press = m.Find(msg, keys.LookupsIn(keys.Vi))
	press.Scope = keys.Vi
	return press, true
}

// Copied copies the selected text for the key that interrupts, nil where none is selected.
func (s LayerState) Copied(press keys.Press) Action {
	if press.Command != keys.Interrupt || s.CopySelection == nil {
		return nil
	}
	return s.CopySelection()
}

// Dialog is one layer above the main screen. Its size is that of the whole screen in cells.
type Dialog interface {
	Layer
	// Name names the dialog, for tests and for telling which one is open.
	Name() string
	// Size returns the size of the view.
	Size() image.Point
	// Work returns the command that gets what is missing to draw what is on the screen, nil for nothing.
	Work() tea.Cmd
	// View returns the box, or the boxes side by side, never larger than the screen; all lines are equally wide.
	View() string
	// Hints returns the keys that do something now, the most useful first: those that each border of the view shows,
	// and those that the borders have no room for, which the footer of the screen shows.
	Hints() (borders [][]keys.Hint, footer []keys.Hint)
}

// List names what a list dialog shows.
type List string

// The lists that can be opened. ListEdits is the chain of edits of a picture, ListSuites are the files of suites,
// ListSuite is what one of them holds, ListTeam and ListTeamRuns are sessions and runs that others share.
const (
	ListSessions List = "sessions"
	ListPrompts  List = "prompts"
	ListPictures List = "pictures"
	ListPersonas List = "personas"
	ListCommands List = "commands"
	ListThemes   List = "themes"
	ListFiles    List = "files"
	ListEdits    List = "edits"
	ListSuites   List = "suites"
	ListSuite    List = "suite"
	ListRuns     List = "runs"
	ListTeam     List = "team"
	ListTeamRuns List = "team runs"
)

// What opens and closes dialogs.
type (
	// ShowDialog opens a dialog.
	ShowDialog struct{ Dialog Dialog }
	// CloseDialog closes the top dialog, or all of them.
	CloseDialog struct{ All bool }
	// ShowList opens a list dialog.
	ShowList struct{ List List }
	// ShowHelp opens the help for a scope of the key map.
	ShowHelp struct{ Scope keys.Scope }
	// ShowText opens a text to look at; Answer is set where curl can be copied. Fit is set in place of Text for
	// what is drawn in lines of some cells.
	ShowText struct {
		Title, Text string
		Answer      int64
		Fit         func(w int) []string
	}
	// AskText asks for a text of one line, or of several with Many; the action that Then makes of it follows.
	AskText struct {
		Title, Label, Value string
		Many                bool
		Then                func(string) Action
	}
	// Confirm asks a question; the action Yes follows when the answer is yes.
	Confirm struct {
		Title, Question string
		Yes             Action
	}
	// Choose asks for one of several choices; the action that Then makes of its index follows.
	Choose struct {
		Title, Question string
		Choices         []string
		Then            func(int) Action
	}
	// PickFile opens the list of the files that can go with a prompt.
	PickFile struct{}
	// PickSource opens a tab of the picker of an edit's source picture: pictures, files or a URL, from 0.
	PickSource struct{ Tab int }
	// ShowWrite opens the form that asks what to write to a file, and in which format. Ids that are 0 are not offered.
	ShowWrite struct {
		Folder                     string // in which a file is written without a path
		Answer, Turn, Session, Run int64
		// Row is the turns of a run that are compared: they are offered in place of Turn, which is one of them.
		Row       []int64
		IsTable   bool    // the turn with those beside it is offered too
		IsPicture bool    // the answer is a picture
		Answers   []int64 // pictures of a gallery, in place of all the others
		// As is the format that is chosen first, of the smallest unit that has it.
		As export.Format
		// Failed is what was chosen and could not be written, for Problem, a sentence; nil at first.
		Failed  *export.Request
		Problem string
	}
)

// beforePublishing is the title of the question before a picture leaves the machine.
const beforePublishing = "Before anything leaves this machine"

// ConfirmFirst returns the action itself where it needs no question. An action that makes many calls, or publishes
// pictures (a sentence each), becomes the question that leads to it on yes. The caller returns the result and does
// nothing else.
func ConfirmFirst(count service.CallCount, publish []string, then Action) Action {
	title, question := "Many calls", strings.Join(publish, " ")
	if question != "" {
		title = beforePublishing
	}
	if count.IsMany() {
		question = strings.TrimSpace(question + " This makes " + count.Explained() + ". Send it?")
	}
	if question == "" {
		return then
	}
	return Confirm{Title: title, Question: question, Yes: then}
}
