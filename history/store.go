package history

import (
	"context"
	"time"
)

// Store keeps a history. Its methods are safe for concurrent use, and several processes may use the same history.
// Every error is one of this package's errors by [errors.Is], or the context's. Ids grow in the order in which
// entries are added; lists not ordered by name are ordered by id. No method finds deleted entries except those of
// [TrashStore].
//
// The embedded interfaces group the methods by use. Package storetest tests implementations.
type Store interface {
	SessionStore
	TurnStore
	AnswerStore
	RunStore
	CellStore
	VoteStore
	PersonaStore
	SettingStore
	ImportStore
	Searcher
	PictureFinder
	TrashStore
	Maintainer
}

// SessionStore reads and changes sessions.
type SessionStore interface {
	Session(ctx context.Context, id int64) (Session, error)
	// SessionNamed returns the session with exactly this name. If several have it, the error is an
	// [AmbiguousNameError].
	SessionNamed(ctx context.Context, name string) (Session, error)
	// LastSession returns the last used session that is not a run of a suite; [ErrNotFound] when there is none.
	LastSession(ctx context.Context) (Session, error)
	// RenameSession changes the name of a session. After an empty name, the next prompt names it.
	RenameSession(ctx context.Context, id int64, name string) error
	// Setup returns what the next turn of a session is sent with: what SaveSetup stored since its newest turn, else
	// what that turn was sent with. It is nil for a session without either.
	Setup(ctx context.Context, session int64) (*Setup, error)
	// SaveSetup stores what the next turn of a session is sent with. Adding a turn removes it.
	SaveSetup(ctx context.Context, session int64, setup Setup) error
	// ForkSession copies a session into a new one, which becomes the last used. It copies the turns that the session
	// shows up to and including uptoTurn, or all of them for 0, and the setup. Copies share picture files. The copy of
	// a running answer is interrupted. An empty name means the old name followed by "(fork)".
	ForkSession(ctx context.Context, id, uptoTurn int64, name string) (Session, error)
}

// TurnStore records and reads turns.
type TurnStore interface {
	// AddTurn records a turn with its answers before it is sent, and returns it with ids. The store's process owns
	// the answers that have not ended. The session becomes the last used; [SessionName] names it if it has no name. A
	// zero Created means now.
	//
	// A turn with Siblings becomes a branch beside the first of them, and the session shows it; any other follows the
	// last turn that the session shows.
	AddTurn(ctx context.Context, t Turn) (Turn, error)
	// AddTurnToSession records a turn as AddTurn does in the session with exactly this name. If there is none or the
	// name is empty, it adds a session in the same transaction: no session stays without its first turn, and two
	// processes that use one new name get the same session. If several sessions have the name, the error is an
	// [AmbiguousNameError].
	AddTurnToSession(ctx context.Context, name string, t Turn) (Turn, error)
	// AddAnswers adds samples to a turn and returns them with ids. The store's process owns those that have not
	// ended.
	AddAnswers(ctx context.Context, turn int64, answers []Answer) ([]Answer, error)
	Turn(ctx context.Context, id int64) (Turn, error)
	// Turns returns a page of the turns that a session shows, with their answers, the oldest first.
	Turns(ctx context.Context, session int64, p Page) ([]Turn, error)
	// ShowBranch makes a session show a turn, and what leads to it and follows it; see [Branches.Path].
	ShowBranch(ctx context.Context, turn int64) error
	// AnsweredTurns counts the turns that a session shows before a turn with a text or picture that has ended.
	AnsweredTurns(ctx context.Context, session, before int64) (int, error)
}

// AnswerStore reads and updates answers.
type AnswerStore interface {
	Answer(ctx context.Context, id int64) (Answer, error)
	// SaveAnswer stores an answer except its judgement. It ignores an answer whose version is not newer than the
	// stored one, with two exceptions: an ended state replaces one that has not ended, and [Done] replaces
	// [Interrupted]. An answer that has ended has no owner.
	SaveAnswer(ctx context.Context, a Answer) error
	// Judge stores a person's judgement of an answer and returns the answer with a newer version. A turn has at most
	// one winner: Judge removes the mark of another answer, which gets a newer version too.
	Judge(ctx context.Context, id int64, rating Rating, isWinner bool, note string) (Answer, error)
	// SaveExchange stores the request and response of an answer, replacing earlier ones.
	SaveExchange(ctx context.Context, answer int64, e Exchange) error
	// Exchange returns the request and response of an answer, [ErrNotFound] when none was saved.
	Exchange(ctx context.Context, answer int64) (Exchange, error)
}

// RunStore keeps runs of suites.
type RunStore interface {
	// StartRun adds a run with its first cell in one transaction, records the turn of the cell as AddCell does, and
	// returns all with their ids. For Session 0 it adds a session with the name of the suite. A zero Started means
	// now.
	StartRun(ctx context.Context, r Run, c Cell, t Turn) (Run, Cell, Turn, error)
	// PutRun stores the changing fields of a run: its end, the sha256 and number of cells of its suite, its note and
	// options.
	PutRun(ctx context.Context, r Run) error
	// Run returns a run, [ErrNotFound] when its session was deleted.
	Run(ctx context.Context, id int64) (Run, error)
	// Runs returns the runs of a suite's file, or all for an empty path, the newest first. Limit is the maximum
	// number; zero means 50.
	Runs(ctx context.Context, path string, limit int) ([]Run, error)
	// LastRun returns the newest run of a suite's file, [ErrNotFound] when there is none.
	LastRun(ctx context.Context, path string) (Run, error)
}

// CellStore keeps the cells of runs.
type CellStore interface {
	// AddCell records a cell of a run and its turn with one answer in one transaction, before anything is sent. It
	// returns [ErrTaken] when the run already has a cell with that key; deleted cells do not count.
	AddCell(ctx context.Context, c Cell, t Turn) (Cell, Turn, error)
	// RenewCell adds a sample to the turn of a cell and makes it the cell's answer in one transaction. It returns
	// [ErrTaken] when the cell's answer is no longer c.Answer.
	RenewCell(ctx context.Context, c Cell, a Answer) (Cell, Answer, error)
	// PutCell stores the position of a cell in the suite, its names and the results of its checks.
	PutCell(ctx context.Context, c Cell) error
	// Cells returns the cells of a run with ids greater than after, in the order of their ids. Limit is the maximum
	// number; zero means 500.
	Cells(ctx context.Context, run, after int64, limit int) ([]Cell, error)
}

// VoteStore keeps votes.
type VoteStore interface {
	// AddVote stores a vote and returns it with its id, turn, time and models. It clears IsBlind where the voter may
	// have seen the votes of others: where the voter has voted on the pair before, even if undone, and others have
	// voted on it too.
	AddVote(ctx context.Context, v Vote) (Vote, error)
	UndoVote(ctx context.Context, id int64) error
	// Votes returns the votes between answers of a run with what they were asked with, the oldest first: the user's
	// own, and others' on pairs that the user has voted on. Hidden is the number of other votes. For run 0 it returns
	// the user's votes on the user's answers. Votes on deleted answers are left out.
	Votes(ctx context.Context, run int64) (votes []Vote, hidden int, err error)
}

// PersonaStore keeps personas.
type PersonaStore interface {
	// Personas returns the personas whose name or text contains the text in any case, ordered by name. An empty text
	// matches all.
	Personas(ctx context.Context, text string) ([]Persona, error)
	// SavePersona adds a persona, or changes the one with its id, and returns the stored persona.
	SavePersona(ctx context.Context, p Persona) (Persona, error)
	// DeletePersona removes a persona for good.
	DeletePersona(ctx context.Context, id int64) error
}

// SettingStore keeps values between two starts of the program.
type SettingStore interface {
	// Setting returns the value of a name, empty when there is none.
	Setting(ctx context.Context, name string) (string, error)
	// SetSetting stores a value; an empty one removes the setting.
	SetSetting(ctx context.Context, name, value string) error
	// CountAnswers adds a number of answers, which may be negative, to the count of a day and returns the count
	// before. If the sum would exceed the limit, it adds nothing. It removes the counts of other days.
	CountAnswers(ctx context.Context, day string, answers, limit int) (before int, err error)
}

// Searcher searches the history and sums it up.
type Searcher interface {
	// Sessions finds sessions by name and content, the last used first, and returns the total number of sessions. For
	// very common words it may miss old sessions.
	Sessions(ctx context.Context, q Query) (hits []SessionHit, total int, err error)
	// Search finds the query's text in prompts, system prompts, answers and notes, the newest first. Without text it
	// returns the newest answers that match the filters.
	Search(ctx context.Context, q Query) ([]Hit, error)
	// Prompts finds distinct prompts by their text or system prompt, the newest first; those of one template are one.
	Prompts(ctx context.Context, q Query) ([]PromptHit, error)
	// FindInSession returns the ids of the turns that a session shows whose prompt, system prompt, files, answers or
	// notes contain the text in any case, the oldest first.
	FindInSession(ctx context.Context, session int64, text string) ([]int64, error)
	// Stats returns the statistics of every model that was ever used.
	Stats(ctx context.Context) (map[string]ModelStats, error)
	// Usage sums up ended answers by model, session or day and in that order, without copies made by a fork and
	// answers reused by a service.
	Usage(ctx context.Context, q UsageQuery) ([]UsageSum, error)
}

// PictureFinder finds answers with a picture.
type PictureFinder interface {
	// Pictures finds pictures by the words of their prompts and notes, the newest first.
	Pictures(ctx context.Context, q Query) ([]PictureHit, error)
	// PictureIDs returns the answers whose pictures match, the newest first: all, or the first [Query.Limit]. Screens
	// with very many pictures use it and read the visible ones with PicturesOf.
	PictureIDs(ctx context.Context, q Query) ([]int64, error)
	// PicturesOf returns the pictures of these answers, in their order; at most 500. Answers without one are left out.
	PicturesOf(ctx context.Context, answers []int64) ([]PictureHit, error)
	// PicturePaths returns every file that an answer names as its picture, or a turn as its source or as a picture
	// that went with its prompt, including deleted entries. The value is false for files of the user.
	PicturePaths(ctx context.Context) (map[string]bool, error)
	// PictureBytes returns the total size of the picture files of answers and prompts, including deleted ones.
	PictureBytes(ctx context.Context) (int64, error)
	// EditChain returns the chain of edits that contains the answer's picture. It holds at most 500 links: the answer
	// with its sources first, then its edits, then the rest. Edits of the same file or URL belong to one chain.
	EditChain(ctx context.Context, answer int64) (Chain, error)
}

// TrashStore deletes entries in two steps: it hides them, which can be undone, and purges them.
type TrashStore interface {
	DeleteSession(ctx context.Context, id int64) (Trash, error)
	DeleteTurn(ctx context.Context, id int64) (Trash, error)
	DeleteAnswer(ctx context.Context, id int64) (Trash, error)
	// Undelete shows hidden entries again. It returns [ErrNotFound] after they were purged.
	Undelete(ctx context.Context, t Trash) error
	// Purge removes deleted entries from the rows, the index and the files of the store. It purges deletions older
	// than olderThan (all if that is 0 or less) of this store and of processes that ended without purging. It leaves
	// those of other living processes, which can still undo them.
	//
	// Purge calls remove to delete the files that no other row names before it deletes their rows, so that a killed
	// process leaves no file without a row. It may call remove several times, and a later Purge may pass deleted
	// files again. A nil remove keeps the files. The next Purge continues after an error or a cancelled context.
	Purge(ctx context.Context, olderThan time.Duration, remove func(files []string)) error
}

// Maintainer maintains the store itself.
type Maintainer interface {
	// Recover interrupts every queued or running answer whose owner has ended and returns their number.
	Recover(ctx context.Context) (int, error)
	// Check reads the whole store and returns [ErrCorrupt] for damage that opening it does not detect. It takes
	// seconds on a large store.
	Check(ctx context.Context) error
	Info(ctx context.Context) (StoreInfo, error)
	// DeletedSessions returns the sessions that any process deleted and that are not purged.
	DeletedSessions(ctx context.Context) ([]int64, error)
	// Close closes the store. Running calls of other goroutines return an error.
	Close() error
}

// Sharer is a store of several users. Users see their own entries and those that others share. Shared entries can be
// read by id, copied with [SessionStore.ForkSession] and voted on, but not changed; the lists and searches of [Store]
// omit them. Requests and responses are never shared.
type Sharer interface {
	// ShareSession starts or stops sharing a session and its runs with all other users.
	ShareSession(ctx context.Context, id int64, isShared bool) error
	// ShareRun starts or stops sharing a run and the turns of its cells with all other users.
	ShareRun(ctx context.Context, id int64, isShared bool) error
	// TeamSessions finds sessions that others share, as [Searcher.Sessions] does, the last changed first.
	TeamSessions(ctx context.Context, q Query) ([]SessionHit, error)
	// TeamRuns returns runs that others share directly or with their session, the newest first. Limit is the maximum
	// number; zero means 50.
	TeamRuns(ctx context.Context, limit int) ([]Run, error)
	// VotesBetweenUsers counts the user's votes on answers of others, and others' votes on the user's answers.
	VotesBetweenUsers(ctx context.Context) (onOthers, ofOthers int, err error)
}

// Watcher is a store that others can change and whose connection may fail for a while.
type Watcher interface {
	// Watch returns a channel of changes that is open until the context ends. Several changes before the first is
	// received are sent as one.
	Watch(ctx context.Context) <-chan Change
}

// Change reports that another process changed the store, or that the store became unreachable. A later change reports
// that it is reachable again.
type Change struct{ IsUnreachable bool }

// DraftStore keeps named drafts for all hosts of a history.
type DraftStore interface {
	// Draft returns a draft, empty when there is none.
	Draft(ctx context.Context, name string) (string, error)
	// SaveDraft stores a draft of this process; an empty text removes it.
	SaveDraft(ctx context.Context, name, text string) error
	// RenameDraft renames a draft, replacing one with that name, and releases it from its process. It does nothing if
	// there is no such draft.
	RenameDraft(ctx context.Context, from, to string) error
	// TakeDraft renames and returns the newest draft whose name has a prefix and whose process has ended or released
	// it. It returns "" when there is none, or a draft with the new name exists. Only one process takes a draft.
	TakeDraft(ctx context.Context, prefix, name string) (string, error)
}

// Trash identifies one deletion.
type Trash int64

// StoreInfo describes an intact store.
type StoreInfo struct {
	Path        string // empty for a store in memory
	Version     string // of the database: its library or its server
	Schema      int    // version of the schema
	Journal     string // of SQLite: "wal", or "delete" on a network file system
	IsOnNetwork bool   // the file lies on a file system shared between machines
	Bytes       int64  // of the file and of the data that is not yet in it
	Sessions    int    // not deleted, like the next three counts
	Turns       int
	Answers     int
	Pictures    int
	Deleted     int // deletions that can still be undone
}

// Persona is a system prompt kept under a name, with the models and parameters that go with it.
type Persona struct {
	ID      int64
	Name    string
	Text    string
	Models  []string // slugs; none leaves the marked ones
	Params  Params
	Updated time.Time
}
