package history

import (
	"context"
	"time"
)

// Store keeps a history. All methods may be called from several goroutines at once, and several processes may use the
// same history. An error of any method is one of the errors of this package by [errors.Is], or that of the context.
// Ids grow in the order in which entries are added; every list that is not ordered by name is ordered by them.
// What is deleted (see [TrashStore]) no other method finds.
//
// The parts are what one caller needs at a time. Every implementation passes the tests of package storetest.
type Store interface {
	SessionStore
	TurnStore
	AnswerStore
	RunStore
	CellStore
	VoteStore
	PersonaStore
	SettingStore
	Searcher
	PictureFinder
	TrashStore
	Maintainer
}

// SessionStore reads and changes sessions.
type SessionStore interface {
	Session(ctx context.Context, id int64) (Session, error)
	// SessionNamed returns the session with exactly this name. When several have it, the error is an
	// [AmbiguousNameError].
	SessionNamed(ctx context.Context, name string) (Session, error)
	// LastSession returns the session that was used last and is no run of a suite, [ErrNotFound] when there is none.
	LastSession(ctx context.Context) (Session, error)
	// RenameSession gives a session another name. With an empty name, the next prompt names it.
	RenameSession(ctx context.Context, id int64, name string) error
	// ForkSession copies a session up to and with a turn, or whole when uptoTurn is 0, into a new one, which becomes
	// the one used last. Copies share the picture files. The copy of an answer that is still running is interrupted. An
	// empty name stands for the old one with "(fork)" after it.
	ForkSession(ctx context.Context, id, uptoTurn int64, name string) (Session, error)
}

// TurnStore records turns and reads them.
type TurnStore interface {
	// AddTurn records a turn with its answers before it is sent, and returns it with the ids filled in. Its answers
	// that have not ended belong to the owner of the store. The session becomes the one used last; where it has no
	// name, it is named by [SessionName]. A zero Created stands for now.
	AddTurn(ctx context.Context, t Turn) (Turn, error)
	// AddTurnToSession records a turn as AddTurn does, in the session with exactly this name. When there is none, or
	// the name is empty, it makes the session in the same transaction: no session is left without its first turn, and
	// two processes that give one name at the same time get the same session. When several sessions have the name, the
	// error is an [AmbiguousNameError].
	AddTurnToSession(ctx context.Context, name string, t Turn) (Turn, error)
	// AddAnswers adds further samples to a turn and returns them with the ids filled in. Those that have not ended
	// belong to the owner of the store.
	AddAnswers(ctx context.Context, turn int64, answers []Answer) ([]Answer, error)
	Turn(ctx context.Context, id int64) (Turn, error)
	// Turns returns a page of a session's turns with their answers, the oldest first.
	Turns(ctx context.Context, session int64, p Page) ([]Turn, error)
	// AnsweredTurns counts the turns of a session older than one of them that have a text which is done.
	AnsweredTurns(ctx context.Context, session, before int64) (int, error)
}

// AnswerStore reads answers and keeps what becomes of them.
type AnswerStore interface {
	Answer(ctx context.Context, id int64) (Answer, error)
	// SaveAnswer stores how far an answer has come, all but its judgement. A version that is not newer than the stored
	// one changes nothing and is no error, with two exceptions: an end replaces a state that is none, and [Done]
	// replaces [Interrupted]. The owner of an answer is forgotten once the answer has ended.
	SaveAnswer(ctx context.Context, a Answer) error
	// Judge stores what a person thinks of an answer and returns it, with a newer version. A turn has one winner:
	// another answer loses the mark, and gets a newer version too.
	Judge(ctx context.Context, id int64, rating Rating, isWinner bool, note string) (Answer, error)
	// SaveExchange stores the request and response of an answer in place of an earlier one.
	SaveExchange(ctx context.Context, answer int64, e Exchange) error
	// Exchange returns the request and response of an answer, [ErrNotFound] when none was saved.
	Exchange(ctx context.Context, answer int64) (Exchange, error)
}

// RunStore keeps runs of suites.
type RunStore interface {
	// StartRun adds a run with its first cell, whose turn it records as AddCell does, and returns them with their ids.
	// Where Session is 0, the run gets a new session with the name of its suite. All of it is one transaction: neither
	// a session nor a run is left empty. A zero Started stands for now.
	StartRun(ctx context.Context, r Run, c Cell, t Turn) (Run, Cell, Turn, error)
	// PutRun stores what may change in a run: its end, the sha256 and number of cells of its suite, its note and
	// options.
	PutRun(ctx context.Context, r Run) error
	// Run returns a run. One whose session was deleted is not found.
	Run(ctx context.Context, id int64) (Run, error)
	// Runs returns runs, the newest first: those of a suite's file, or all when the path is empty. Limit is at most how
	// many; zero stands for 50.
	Runs(ctx context.Context, path string, limit int) ([]Run, error)
	// LastRun returns the newest run of a suite's file, [ErrNotFound] when there is none.
	LastRun(ctx context.Context, path string) (Run, error)
}

// CellStore keeps the cells of runs.
type CellStore interface {
	// AddCell records a turn with one answer and the cell of a run that it is, in one step and before anything is sent.
	// It returns [ErrTaken] when the run has a cell with that key already; one that was deleted does not count.
	AddCell(ctx context.Context, c Cell, t Turn) (Cell, Turn, error)
	// RenewCell adds a further sample to the turn of a cell and makes it the cell's answer, in one step. It returns
	// [ErrTaken] when the cell's answer is not c.Answer any more.
	RenewCell(ctx context.Context, c Cell, a Answer) (Cell, Answer, error)
	// PutCell stores the place of a cell in the suite, its names and what the checks said.
	PutCell(ctx context.Context, c Cell) error
	// Cells returns the cells of a run in the order of their ids: those after the one with the id "after", at most
	// limit; zero stands for 500.
	Cells(ctx context.Context, run, after int64, limit int) ([]Cell, error)
}

// VoteStore keeps votes.
type VoteStore interface {
	// AddVote stores a vote and returns it with its id, turn, time and models, which are those of the answers. It is
	// not blind where its voter may have seen votes of others on the pair: where that one voted on it before, and
	// perhaps took that back, and others voted on it too.
	AddVote(ctx context.Context, v Vote) (Vote, error)
	UndoVote(ctx context.Context, id int64) error
	// Wins counts the votes of the whole history, of each pair of answers the newest. A vote between two answers of one
	// model says nothing of models and is left out, as are those whose answers were deleted.
	Wins(ctx context.Context) (Wins, error)
	// RunVotes returns the votes between answers of a run, the oldest first: one's own, and those of others on pairs of
	// answers that one has voted on oneself. Hidden is how many votes of others there are besides.
	RunVotes(ctx context.Context, run int64) (votes []Vote, hidden int, err error)
}

// PersonaStore keeps personas.
type PersonaStore interface {
	// Personas returns the personas whose name or text contains the text whatever its case, in the order of their
	// names. An empty text returns all.
	Personas(ctx context.Context, text string) ([]Persona, error)
	// SavePersona adds a persona, or changes the one with its id, and returns it as it is stored.
	SavePersona(ctx context.Context, p Persona) (Persona, error)
	// DeletePersona removes a persona for good.
	DeletePersona(ctx context.Context, id int64) error
}

// SettingStore keeps what the program remembers between two starts.
type SettingStore interface {
	// Setting returns the value of a name, empty when there is none.
	Setting(ctx context.Context, name string) (string, error)
	// SetSetting stores a value; an empty one is forgotten.
	SetSetting(ctx context.Context, name, value string) error
	// CountAnswers adds answers to those that are counted for a day, negative ones are taken from them, and returns
	// how many were counted before. When the sum would be more than the limit, nothing is added. Other days are
	// forgotten.
	CountAnswers(ctx context.Context, day string, answers, limit int) (before int, err error)
}

// Searcher finds what was said.
type Searcher interface {
	// Sessions finds sessions by their names and by what is in them, the one used last first, and returns how many
	// sessions there are in all, matching or not. Of sessions that share a very common word it may miss old ones.
	Sessions(ctx context.Context, q Query) (hits []SessionHit, total int, err error)
	// Search finds the query's text in prompts, system prompts, answers and notes, the newest first. Without text it
	// returns the newest answers that pass the filters.
	Search(ctx context.Context, q Query) ([]Hit, error)
	// Prompts finds distinct prompts by their text or system prompt, the newest first.
	Prompts(ctx context.Context, q Query) ([]PromptHit, error)
	// FindInSession returns the ids of the turns of a session whose prompt, system prompt, answers or notes contain the
	// text whatever its case, the oldest first.
	FindInSession(ctx context.Context, session int64, text string) ([]int64, error)
	// Stats returns what the history knows of every model that was ever asked.
	Stats(ctx context.Context) (map[string]ModelStats, error)
	// Usage adds up what answers took: those that have ended, without copies made by a fork and answers that a service
	// reused. The sums are ordered by model, by session or by day.
	Usage(ctx context.Context, q UsageQuery) ([]UsageSum, error)
}

// PictureFinder finds answers with a picture.
type PictureFinder interface {
	// Pictures finds pictures by the words of their prompts and notes, the newest first.
	Pictures(ctx context.Context, q Query) ([]PictureHit, error)
	// PictureIDs returns the answers whose pictures match, the newest first: all of them, or the first [Query.Limit].
	// It is for screens that show a part of very many, and read that part with PicturesOf.
	PictureIDs(ctx context.Context, q Query) ([]int64, error)
	// PicturesOf returns the pictures of these answers, in their order; at most 500. Answers without one are left out.
	PicturesOf(ctx context.Context, answers []int64) ([]PictureHit, error)
	// PicturePaths returns every file that an answer names as its picture or a turn as its source, deleted ones too,
	// and whether it is the picture of an answer and not a file of the user's.
	PicturePaths(ctx context.Context) (map[string]bool, error)
	// PictureBytes returns what the pictures of answers take, deleted ones too, each file once.
	PictureBytes(ctx context.Context) (int64, error)
	// EditChain returns the chain of edits that the answer's picture belongs to. It holds at most 500 links: the answer
	// with what it was made from, then what was made from it, then the rest. Other edits of the same file or URL belong
	// to the chain that starts from it.
	EditChain(ctx context.Context, answer int64) (Chain, error)
}

// TrashStore deletes entries in two steps: hiding, which can be undone, and purging.
type TrashStore interface {
	DeleteSession(ctx context.Context, id int64) (Trash, error)
	DeleteTurn(ctx context.Context, id int64) (Trash, error)
	DeleteAnswer(ctx context.Context, id int64) (Trash, error)
	// Undelete shows again what a deletion hid. It returns [ErrNotFound] once that was purged.
	Undelete(ctx context.Context, t Trash) error
	// Purge removes for good, from the rows, the search and the files of the store, what was deleted longer ago than
	// olderThan (whenever it was, when that is 0 or less) by this store or by a process that has ended without purging
	// it. What another living process deleted can still be undone there and is left alone.
	//
	// Before the rows that name a picture file go, remove is called with the files that nothing else names, to delete
	// them: were it the other way round, a process that is killed between the two would leave files that no row names.
	// It may be called several times, and in a later Purge again with files that are gone; a nil remove leaves them.
	// What an error, the context or the end of the process stopped continues with the next Purge.
	Purge(ctx context.Context, olderThan time.Duration, remove func(files []string)) error
}

// Maintainer keeps the store itself in order.
type Maintainer interface {
	// Recover makes every queued or running answer whose owner is gone interrupted and returns how many there were.
	// Answers of living owners are left alone.
	Recover(ctx context.Context) (int, error)
	// Check reads the whole store for damage that opening it does not notice, and returns [ErrCorrupt] when there is
	// some. It takes seconds on a large store.
	Check(ctx context.Context) error
	Info(ctx context.Context) (StoreInfo, error)
	// DeletedSessions returns the sessions that were deleted and not purged yet, by any process.
	DeletedSessions(ctx context.Context) ([]int64, error)
	// Close ends the use of the store. What is being read or written by other goroutines ends with an error.
	Close() error
}

// Sharer is a store of several users, each of whom sees only what is theirs and what others share. What is shared can
// be read by its id, copied with [SessionStore.ForkSession] and voted on, but not changed; the lists and searches of
// [Store] leave it out. Requests and responses are never shared.
type Sharer interface {
	// ShareSession lets all other users read a session with its runs, or ends that.
	ShareSession(ctx context.Context, id int64, isShared bool) error
	// ShareRun lets all other users read a run with the turns of its cells, or ends that.
	ShareRun(ctx context.Context, id int64, isShared bool) error
	// TeamSessions finds sessions that others share, as [Searcher.Sessions] finds one's own, the one changed last
	// first.
	TeamSessions(ctx context.Context, q Query) ([]SessionHit, error)
	// TeamRuns returns runs that others share, by themselves or with their session, the newest first. Limit is at most
	// how many; zero stands for 50.
	TeamRuns(ctx context.Context, limit int) ([]Run, error)
	// VotesBetweenUsers counts one's own votes on answers of others, and those of others on one's own.
	VotesBetweenUsers(ctx context.Context) (onOthers, ofOthers int, err error)
}

// Watcher is a store that others change meanwhile, and that may be lost for a while.
type Watcher interface {
	// Watch returns a channel that tells of changes until the context ends. Changes that follow one another before the
	// first is read are told as one.
	Watch(ctx context.Context) <-chan Change
}

// Change tells what happened to a store from elsewhere: another process changed it, or it was lost, until a change
// tells that it is back.
type Change struct{ IsUnreachable bool }

// DraftStore is a store that keeps drafts, which are texts with a name, for all hosts that use it.
type DraftStore interface {
	// Draft returns a draft, empty when there is none.
	Draft(ctx context.Context, name string) (string, error)
	// SaveDraft stores a draft of this process; an empty one is removed.
	SaveDraft(ctx context.Context, name, text string) error
	// RenameDraft gives a draft another name, in place of what has it, and takes it away from its process. Without such
	// a draft it does nothing.
	RenameDraft(ctx context.Context, from, to string) error
	// TakeDraft gives the newest draft whose name begins with a prefix, and whose process has ended or let go of it,
	// the given name, and returns it; empty when there is none, or when there is one with that name. Only one process
	// takes a draft.
	TakeDraft(ctx context.Context, prefix, name string) (string, error)
}

// Trash names one deletion, for undoing it.
type Trash int64

// StoreInfo describes a store that is in order.
type StoreInfo struct {
	Path        string // empty in memory
	Version     string // of the database: its library or its server
	Schema      int    // version of the schema
	Journal     string // of SQLite: "wal", or "delete" on a network file system
	IsOnNetwork bool   // the file lies on a file system shared between machines
	Bytes       int64  // of the file and of what waits to be moved into it
	Sessions    int    // that are not deleted, as are the three that follow
	Turns       int
	Answers     int
	Pictures    int
	Deleted     int // deletions that can still be undone
}

// Persona is a system prompt kept under a name, with the parameters that go with it.
type Persona struct {
	ID      int64
	Name    string
	Text    string
	Params  Params
	Updated time.Time
}
