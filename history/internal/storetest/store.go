package storetest

import (
	"context"
	"time"

	"confab/history"
)

// Sessions finds and makes sessions.
type Sessions interface {
	CreateSession(ctx context.Context, name string) (history.Session, error)
	Session(ctx context.Context, id int64) (history.Session, error)
	SessionNamed(ctx context.Context, name string) (history.Session, error)
	LastSession(ctx context.Context) (history.Session, error)
	Sessions(ctx context.Context, q history.Query) ([]history.SessionHit, int, error)
}

// Turns keeps what was sent.
type Turns interface {
	AddTurnToSession(ctx context.Context, name string, t history.Turn) (history.Turn, error)
	AddTurn(ctx context.Context, t history.Turn) (history.Turn, error)
	AddAnswers(ctx context.Context, turn int64, a []history.Answer) ([]history.Answer, error)
	Turn(ctx context.Context, id int64) (history.Turn, error)
	Turns(ctx context.Context, session int64, p history.Page) ([]history.Turn, error)
	FindInSession(ctx context.Context, session int64, text string) ([]int64, error)
}

// Answers keeps what came back.
type Answers interface {
	Answer(ctx context.Context, id int64) (history.Answer, error)
	SaveAnswer(ctx context.Context, a history.Answer) error
	Judge(ctx context.Context, answer int64, rating history.Rating, winner bool, note string) (history.Answer, error)
	SaveExchange(ctx context.Context, answer int64, e history.Exchange) error
	Exchange(ctx context.Context, answer int64) (history.Exchange, error)
}

// Finder searches everything.
type Finder interface {
	Search(ctx context.Context, q history.Query) ([]history.Hit, error)
	Prompts(ctx context.Context, q history.Query) ([]history.PromptHit, error)
	Pictures(ctx context.Context, q history.Query) ([]history.PictureHit, error)
	PictureIDs(ctx context.Context, q history.Query) ([]int64, error)
	PicturesOf(ctx context.Context, answers []int64) ([]history.PictureHit, error)
	Stats(ctx context.Context) (map[string]history.ModelStats, error)
	PicturePaths(ctx context.Context) (map[string]bool, error)
}

// Deleter hides and removes.
type Deleter interface {
	DeleteSession(ctx context.Context, id int64) (history.Trash, error)
	DeleteTurn(ctx context.Context, id int64) (history.Trash, error)
	DeleteAnswer(ctx context.Context, id int64) (history.Trash, error)
	Undelete(ctx context.Context, t history.Trash) error
	Purge(ctx context.Context, olderThan time.Duration, remove func(files []string)) error
}

// Keeper keeps what belongs to no session.
type Keeper interface {
	Personas(ctx context.Context, text string) ([]history.Persona, error)
	SavePersona(ctx context.Context, p history.Persona) (history.Persona, error)
	DeletePersona(ctx context.Context, id int64) error
	Setting(ctx context.Context, name string) (string, error)
	SetSetting(ctx context.Context, name, value string) error
}

// RunKeeper keeps what suites were run.
type RunKeeper interface {
	StartRun(ctx context.Context, r history.Run, c history.Cell, t history.Turn) (history.Run, history.Cell, history.Turn,
		error)
	PutRun(ctx context.Context, r history.Run) error
	Run(ctx context.Context, id int64) (history.Run, error)
	Runs(ctx context.Context, path string, limit int) ([]history.Run, error)
	LastRun(ctx context.Context, path string) (history.Run, error)
}

// CellKeeper keeps the calls of a run.
type CellKeeper interface {
	AddCell(ctx context.Context, c history.Cell, t history.Turn) (history.Cell, history.Turn, error)
	RenewCell(ctx context.Context, c history.Cell, a history.Answer) (history.Cell, history.Answer, error)
	PutCell(ctx context.Context, c history.Cell) error
	Cells(ctx context.Context, run, after int64, limit int) ([]history.Cell, error)
}

// Voter keeps votes.
type Voter interface {
	AddVote(ctx context.Context, v history.Vote) (history.Vote, error)
	UndoVote(ctx context.Context, id int64) error
	Wins(ctx context.Context) (history.Wins, error)
}

// Tracer follows pictures from edit to edit.
type Tracer interface {
	EditChain(ctx context.Context, answer int64) (history.Chain, error)
}

// Changer changes whole sessions, and ends.
type Changer interface {
	RenameSession(ctx context.Context, id int64, name string) error
	ForkSession(ctx context.Context, id, uptoTurn int64, name string) (history.Session, error)
	Recover(ctx context.Context) (int, error)
	Check(ctx context.Context) error
	Close() error
}

// Store is all that a store can do.
type Store interface {
	Sessions
	Turns
	Answers
	Finder
	Deleter
	Keeper
	RunKeeper
	CellKeeper
	Voter
	Tracer
	Changer
}
