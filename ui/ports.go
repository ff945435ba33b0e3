package ui

import (
	"context"
	"os/exec"

	"confab/history"
	"confab/service"
)

// Service is what the screen asks of the service, in small roles.
type Service interface {
	Sender
	Sessions
	Turns
	Trashing
	Lists
	Personas
	Judging
	Publishing
	Voting
	Chains
	Drafts
	Files
	Facts
	Engines
	Suites
	Runs
}

// Sender sends turns and stops answers.
type Sender interface {
	Send(ctx context.Context, p service.Prompt) (history.Turn, <-chan history.Event, error)
	Again(ctx context.Context, answer int64, fresh bool) (history.Turn, <-chan history.Event, error)
	Resume(ctx context.Context, turn int64) (history.Turn, <-chan history.Event, error)
	SaveAgain(ctx context.Context) ([]history.Event, error)
	Stop(answers ...int64)
}

// Sessions opens and changes sessions.
type Sessions interface {
	Session(ctx context.Context, id int64) (history.Session, error)
	LastSession(ctx context.Context) (history.Session, error)
	RenameSession(ctx context.Context, id int64, name string) error
	ForkSession(ctx context.Context, id, uptoTurn int64, name string) (history.Session, error)
}

// Trashing removes and brings back.
type Trashing interface {
	DeleteSession(ctx context.Context, id int64) (history.Trash, error)
	DeleteTurn(ctx context.Context, id int64) (history.Trash, error)
	DeleteAnswer(ctx context.Context, id int64) (history.Trash, error)
	Undelete(ctx context.Context, t history.Trash) error
}

// Turns reads turns.
type Turns interface {
	Turns(ctx context.Context, session int64, p history.Page) ([]history.Turn, error)
	Turn(ctx context.Context, id int64) (history.Turn, error)
	FindInSession(ctx context.Context, session int64, text string) ([]int64, error)
}

// Lists searches everything that was kept.
type Lists interface {
	Sessions(ctx context.Context, query string, limit int) ([]history.SessionHit, int, error)
	Prompts(ctx context.Context, query string, limit int) ([]history.PromptHit, error)
	Pictures(ctx context.Context, session int64, query string, limit int) ([]history.PictureHit, error)
	PictureIDs(ctx context.Context, query string) ([]int64, error)
	PicturesOf(ctx context.Context, answers []int64) ([]history.PictureHit, error)
	ListFolder(ctx context.Context, dir string, of service.FileKind) (service.Folder, error)
}

// Personas keeps system prompts under names.
type Personas interface {
	Personas(ctx context.Context, text string) ([]history.Persona, error)
	SavePersona(ctx context.Context, p history.Persona) (history.Persona, error)
	DeletePersona(ctx context.Context, id int64) error
}

// Judging looks at single answers.
type Judging interface {
	Judge(ctx context.Context, answer int64, rating history.Rating, winner bool, note string) (history.Answer, error)
	Exchange(ctx context.Context, answer int64) (history.Exchange, error)
	Curl(ctx context.Context, answer int64) (string, error)
	Sent(ctx context.Context, p service.Prompt, model string) (string, error)
}

// Publishing says what of this machine would be published.
type Publishing interface {
	PublishPlan(ctx context.Context, src history.Source) (string, error)
	AgainPlan(ctx context.Context, answer int64) (string, error)
	ResumePlan(ctx context.Context, turn int64) (service.ResumePlan, error)
}

// Voting keeps votes between answers.
type Voting interface {
	AddVote(ctx context.Context, v history.Vote) (history.Vote, error)
	UndoVote(ctx context.Context, id int64) error
	Wins(ctx context.Context) (history.Wins, error)
}

// Chains follows pictures from edit to edit.
type Chains interface {
	EditChain(ctx context.Context, answer int64) (history.Chain, error)
}

// Suites reads suites and runs them.
type Suites interface {
	OpenSuite(ctx context.Context, path string) (service.SuiteFile, error)
	PlanSuite(ctx context.Context, o service.RunOptions) (*service.RunPlan, error)
	RunSuite(ctx context.Context, o service.RunOptions) (*service.Run, <-chan service.CellEvent, error)
}

// Runs reads the runs there were.
type Runs interface {
	Runs(ctx context.Context, path string, limit int) ([]history.Run, error)
	RunFacts(ctx context.Context, id int64) (history.Run, error)
	RunTable(ctx context.Context, run int64) (service.RunTable, error)
	RowTurns(ctx context.Context, r service.RunRow) ([]history.Turn, error)
	CompareRuns(ctx context.Context, a, b int64, visit func(service.CellChange) error) error
}

// Drafts keeps what is not sent yet.
type Drafts interface {
	Draft(ctx context.Context, session int64) (service.Draft, error)
	SaveDraft(ctx context.Context, session int64, d service.Draft) error
	OrphanedDraft(ctx context.Context) (service.Draft, bool)
}

// Files writes answers out and reads pictures in.
type Files interface {
	Write(ctx context.Context, w service.Write) ([]string, error)
	ReadPicture(ctx context.Context, path string) ([]byte, error)
}

// Facts tells what the service is and knows.
type Facts interface {
	Start(ctx context.Context) (service.Started, error)
	Endpoint(ctx context.Context) service.Endpoint
	Models(ctx context.Context) ([]service.ModelInfo, error)
	Setting(ctx context.Context, name string) (string, error)
	SetSetting(ctx context.Context, name, value string) error
}

// Engines tells what answers behind the embedded service.
type Engines interface {
	// Answering asks the engines whether they are up, within a few seconds, and
	// says who answers each model, by its slug; empty with another service.
	Answering(ctx context.Context) (map[string]service.Answering, error)
}

// Desktop is the machine the person sits at, as far as confab reaches it.
type Desktop interface {
	// Copy puts text on the local clipboard; terminal tells whether the
	// terminal should be asked too, by OSC 52. Where it says for people what
	// was done.
	Copy(ctx context.Context, text string) (where string, terminal bool, err error)
	// Open shows a file or link with the desktop's own program, or says in
	// hint what to do instead.
	Open(ctx context.Context, target string) (hint string, err error)
	// Editor returns the command of the person's editor on a file that holds
	// text, and a function that reads the text back and removes the file.
	Editor(ctx context.Context, text string) (*exec.Cmd, func() (string, error), error)
}

// Neighbours are servers of models that run on the person's own machine.
type Neighbours interface {
	// Find names those that are not in the configuration; empty for none. It
	// takes less than a second.
	Find(ctx context.Context) string
	// Take takes them into the configuration and says what that means.
	Take(ctx context.Context) (string, error)
}
