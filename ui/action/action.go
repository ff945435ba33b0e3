// Package action holds what a pane or a dialog can ask of the root: an
// [Action] is a sealed value, returned beside the command of an update, and
// the root alone handles it. Panes and dialogs never reach each other, the
// service or the terminal by any other way.
package action

import (
	"time"

	"confab/history"
	"confab/service"
	"confab/service/export"
	"confab/ui/keys"
)

// Action is one wish. The set is sealed: only this package makes kinds of it,
// so that the root's switch can be checked to be complete.
type Action interface{ action() }

// Severity says how loudly a notice speaks.
type Severity int

// The severities.
const (
	Info Severity = iota
	Good
	Warn
	Bad
)

// Pane names a pane of the main screen.
type Pane int

// The panes, in the order in which tab visits them.
const (
	PaneModels Pane = iota
	PaneConversation
	PaneSystem
	PanePrompt
)

// What a person asks of turns and answers.
type (
	// Send sends what the prompt pane holds to the marked models, after the questions that have to be answered
	// before. Filled means that the variables have their values.
	Send struct{ Fresh, Filled bool }
	// SendPrompts sends exactly these prompts: the ones a person was asked about and agreed to. The prompt pane is
	// emptied when it still holds Draft, the text they were made from.
	SendPrompts struct {
		Prompts []service.Prompt
		Draft   string
	}
	// Fill gives the variables of the prompt their values and sends it.
	Fill struct{ Values map[string][]string }
	// Stop stops these answers, or all of the session when empty.
	Stop struct{ Answers []int64 }
	// Again runs an answer once more as a further sample. Confirmed means that a person was asked whether what it
	// publishes may leave, and agreed.
	Again struct {
		Answer           int64
		Fresh, Confirmed bool
	}
	// Resume runs all failed and interrupted answers of these turns again. Confirmed as of Again; it also covers the
	// number of calls.
	Resume struct {
		Turns     []int64
		Confirmed bool
	}
	// Judge records a judgement of an answer.
	Judge struct {
		Answer int64
		Rating history.Rating
		Winner bool
		Note   string
	}
	// Delete removes an answer, a turn or a session; one of them is set.
	Delete struct{ Answer, Turn, Session int64 }
	// Undo takes the newest deletion back.
	Undo struct{}
	// Inspect shows the exact request and response of an answer.
	Inspect struct{ Answer int64 }
	// Curl copies the request of an answer as a curl command without the key.
	Curl struct{ Answer int64 }
	// Write writes something to a file.
	Write struct{ What export.Request }
	// Open shows a file or a link with the desktop's own program.
	Open struct{ Target string }
	// ShowSent shows the exact text that would be sent.
	ShowSent struct{}
	// Compare shows the answers of a turn side by side, one of them focused.
	Compare struct{ Turn, Answer int64 }
	// Stack leaves the comparison for the conversation, at the answer that is focused.
	Stack struct{}
	// Vote stores a vote between two answers; UndoVote takes the newest back.
	Vote struct{ Vote history.Vote }
	// UndoVote takes the newest vote of this screen back.
	UndoVote struct{}
	// ShowWins shows the wins of the models over the whole history.
	ShowWins struct{}
	// LoadWins asks for those wins, for the comparison.
	LoadWins struct{}
	// Copy puts text on the clipboard; What names it in the notice.
	Copy struct{ Text, What string }
)

// What a person asks of the prompt pane and its settings.
type (
	// Compose replaces what the prompt pane holds; nil fields stay as they are.
	Compose struct {
		Text   *string
		System *string
		// Persona is the name under which System is kept, "" for none.
		Persona string
		Models  []string
		Aspect  *string
		Nonce   *history.Nonce
		Source  *history.Source
		// Samples is how many answers are asked of each model, 1 to 20.
		Samples *int
	}
	// Mark replaces the marked models.
	Mark struct{ Models []string }
	// RecallPrompt asks for the n-th newest prompt, 1 being the newest.
	RecallPrompt struct{ Back int }
)

// What a person asks of sessions and lists.
type (
	// OpenSession opens a session, at a turn when one is named.
	OpenSession struct{ Session, Turn int64 }
	// NewSession starts an empty one.
	NewSession struct{}
	// Rename names a session.
	Rename struct {
		Session int64
		Name    string
	}
	// Fork copies a session up to a turn (0: all of it) and opens the copy.
	Fork struct{ Session, Turn int64 }
	// SavePersona stores a persona; ID 0 makes a new one.
	SavePersona struct{ Persona history.Persona }
	// DeletePersona removes one.
	DeletePersona struct{ ID int64 }
	// LoadTurns asks for turns around the ones shown; see [service.Page].
	LoadTurns struct{ Page history.Page }
	// FindTurns asks which turns of the session hold a text.
	FindTurns struct {
		Text string
		Gen  int
	}
	// LoadPicture asks for a picture's bytes.
	LoadPicture struct{ Path string }
)

// List names what a list dialog shows.
type List string

// The lists.
const (
	ListSessions List = "sessions"
	ListPrompts  List = "prompts"
	ListPictures List = "pictures"
	ListPersonas List = "personas"
	ListCommands List = "commands"
	ListThemes   List = "themes"
	ListFiles    List = "files"
)

// What a person asks of the screen.
type (
	// Focus moves the focus.
	Focus struct{ Pane Pane }
	// RunCommand does a command of the key map, as if its key was pressed.
	RunCommand struct {
		Scope   keys.Scope
		Command keys.Command
	}
	// ShowList opens a list dialog.
	ShowList struct{ List List }
	// ShowHelp opens the help for a scope of the key map.
	ShowHelp struct{ Scope keys.Scope }
	// ShowText opens a text to look at; Answer is set where curl can be copied.
	ShowText struct {
		Title, Text string
		Answer      int64
	}
	// AskText asks for a text, of one line or of Many, and carries out what Then
	// makes of it.
	AskText struct {
		Title, Label, Value string
		Many                bool
		Then                func(string) Action
	}
	// Confirm asks a yes/no question and carries out Yes on yes.
	Confirm struct {
		Title, Question string
		Yes             Action
	}
	// PictureOptions opens the form for aspect ratio, nonce and samples.
	PictureOptions struct{}
	// PickSource opens the picker of an edit's source picture.
	PickSource struct{}
	// ShowWrite opens the form that asks what to write, and as what.
	// Answers are a selection of pictures.
	ShowWrite struct {
		Answer, Turn, Run int64
		Answers           []int64
	}
	// CloseDialog closes the top dialog, or all of them.
	CloseDialog struct{ All bool }
	// Theme applies a theme; Keep also stores the choice.
	Theme struct {
		Name string
		Keep bool
	}
	// Notify shows a notice for a time, else for as long as it takes to read it, but not longer than While is true.
	Notify struct {
		Severity Severity
		Text     string
		For      time.Duration
		While    func() bool
	}
	// Fail shows an error in one sentence; one of a screen that ends is not shown.
	Fail struct{ Err error }
	// Reread reads again what is shown of what is stored: an open list and the counts of the session.
	Reread struct{}
	// ShowDialog opens a dialog.
	ShowDialog struct{ Dialog Dialog }
	// ShowTurn shows a turn anew wherever it is shown.
	ShowTurn struct{ Turn history.Turn }
	// FollowTurn shows a turn that was sent and follows its events.
	FollowTurn struct {
		Turn   history.Turn
		Events <-chan history.Event
	}
	// ApplyEvents applies events wherever their turns are shown.
	ApplyEvents struct{ Events []history.Event }
	// Deleted tells what was deleted: a session, a turn or answers.
	Deleted struct {
		Session, Turn int64
		Answers       []int64
	}
	// RereadTurns shows turns as the store has them now.
	RereadTurns struct{ Turns []int64 }
	// TurnEnded tells that every answer of a turn has ended.
	TurnEnded struct{}
	// SaveAgain saves the answers that the store or the disk refused.
	SaveAgain struct{}
	// TakeEngines takes the model servers found on this machine into the configuration.
	TakeEngines struct{}
	// AskEngines asks the engines whether they are up.
	AskEngines struct{}
	// SetAnswering says who answers each model, by its slug.
	SetAnswering struct {
		By map[string]service.EngineStatus
	}
	// KeepSetting stores a choice for later screens.
	KeepSetting struct{ Name, Value string }
	// ApplySettings applies the choices of earlier screens; each may be empty.
	ApplySettings struct{ Theme, Models, Layouts string }
	// Relayout gives every pane its size anew: the prompt may need another height.
	Relayout struct{}
	// Unused says that a key does nothing where it was pressed. Why is a sentence that says what it would need, "" for
	// a key that has no command there.
	Unused struct{ Key, Why string }
	// Edit opens the external editor on the text of a pane.
	Edit struct {
		Pane Pane
		Text string
	}
	// SetText replaces the text of the prompt or the system prompt.
	SetText struct {
		Pane Pane
		Text string
	}
	// Alert tells a person whose window is elsewhere that something has ended that took so long.
	Alert struct {
		Text string
		Took time.Duration
	}
	// Several carries out one after the other.
	Several []Action
)

func (Send) action()           {}
func (SendPrompts) action()    {}
func (Fill) action()           {}
func (Stop) action()           {}
func (Again) action()          {}
func (Resume) action()         {}
func (Judge) action()          {}
func (Delete) action()         {}
func (Undo) action()           {}
func (Inspect) action()        {}
func (Curl) action()           {}
func (Write) action()          {}
func (Open) action()           {}
func (ShowSent) action()       {}
func (Compare) action()        {}
func (Stack) action()          {}
func (Vote) action()           {}
func (UndoVote) action()       {}
func (ShowWins) action()       {}
func (LoadWins) action()       {}
func (Copy) action()           {}
func (Compose) action()        {}
func (Mark) action()           {}
func (RecallPrompt) action()   {}
func (OpenSession) action()    {}
func (NewSession) action()     {}
func (Rename) action()         {}
func (Fork) action()           {}
func (SavePersona) action()    {}
func (DeletePersona) action()  {}
func (LoadTurns) action()      {}
func (FindTurns) action()      {}
func (LoadPicture) action()    {}
func (Focus) action()          {}
func (RunCommand) action()     {}
func (ShowList) action()       {}
func (ShowHelp) action()       {}
func (ShowText) action()       {}
func (AskText) action()        {}
func (Confirm) action()        {}
func (PictureOptions) action() {}
func (PickSource) action()     {}
func (ShowWrite) action()      {}
func (CloseDialog) action()    {}
func (Theme) action()          {}
func (Notify) action()         {}
func (TurnEnded) action()      {}
func (SaveAgain) action()      {}
func (TakeEngines) action()    {}
func (AskEngines) action()     {}
func (SetAnswering) action()   {}
func (Deleted) action()        {}
func (RereadTurns) action()    {}
func (Fail) action()           {}
func (Reread) action()         {}
func (ShowDialog) action()     {}
func (ShowTurn) action()       {}
func (FollowTurn) action()     {}
func (ApplyEvents) action()    {}
func (KeepSetting) action()    {}
func (ApplySettings) action()  {}
func (Relayout) action()       {}
func (Unused) action()         {}
func (Edit) action()           {}
func (SetText) action()        {}
func (Alert) action()          {}
func (Several) action()        {}
