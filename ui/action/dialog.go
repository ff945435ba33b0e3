package action

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/internal/format"
	"confab/themes"
	"confab/ui/keys"
)

// Dialog is one layer above the main screen.
type Dialog interface {
	// Name names the dialog, for tests and for telling which one is open.
	Name() string
	// Scope returns the scope of the key map in which its keys are looked up first.
	Scope() keys.Scope
	// SetSize sets the size of the whole screen in cells.
	SetSize(w, h int)
	SetStyles(s *themes.Styles)
	// Update handles keys, pastes, the mouse (relative to the top left of the view) and the results of the dialog's
	// work.
	Update(msg tea.Msg) (Action, tea.Cmd)
	// View returns the box, or the boxes side by side, never larger than the screen; all lines are equally wide.
	View() string
	// Cursor returns the position of the real cursor relative to the view, or nil.
	Cursor() *tea.Cursor
	// Hints returns the keys that do something now, the most useful first: those that each border of the view shows,
	// and those that the borders have no room for, which the footer of the screen shows.
	Hints() (borders [][]keys.Hint, footer []keys.Hint)
}

// List names what a list dialog shows.
type List string

// The lists that can be opened. ListEdits is the chain of edits of a picture, ListSuites are the files of suites,
// ListTeam and ListTeamRuns are sessions and runs that others share.
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
	// PickSource opens a tab of the picker of an edit's source picture: pictures, files or a URL, from 0.
	PickSource struct{ Tab int }
	// ShowWrite opens the form that asks what to write to a file, and in which format. Ids that are 0 are not offered.
	ShowWrite struct {
		Answer, Turn, Session, Run int64
		// Row is the turns of a run that are compared: they are offered in place of Turn, which is one of them.
		Row       []int64
		IsPicture bool    // the answer is a picture
		Answers   []int64 // pictures of a gallery, in place of all the others
	}
)

// manyCalls is the number of calls beyond which a person is asked before they are made.
const manyCalls = 20

// BeforePublishing is the title of the question before a picture leaves the machine.
const BeforePublishing = "Before anything leaves this machine"

// ConfirmFirst returns the action itself where it needs no question. An action that makes many calls, or publishes
// pictures (a sentence each), becomes the question that leads to it on yes. The caller returns the result and does
// nothing else.
func ConfirmFirst(calls int, publish []string, then Action) Action {
	title, question := "Many calls", strings.Join(publish, " ")
	if question != "" {
		title = BeforePublishing
	}
	if calls > manyCalls {
		question = strings.TrimSpace(question + " This makes " + format.Count(calls, "call") + ". Send it?")
	}
	if question == "" {
		return then
	}
	return Confirm{Title: title, Question: question, Yes: then}
}
