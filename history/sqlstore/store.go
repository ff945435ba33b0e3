package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"confab/history"
)

// Database is what the kinds of databases differ in.
type Database interface {
	// Read runs do in a transaction that sees one state of the history, whatever others write meanwhile.
	Read(ctx context.Context, do func(*sql.Tx) error) error
	// Write runs do in a transaction and commits it. From its start on nobody else can write the same history, so that
	// what it reads cannot change before it writes; it waits for others for as long as wait. It may run do again when
	// nothing came of the time before.
	Write(ctx context.Context, wait time.Duration, do func(*sql.Tx) error) error
	// ErrorKind returns the error of package history that an error of the database or of its driver stands for, nil
	// when none does.
	ErrorKind(err error) error

	// LookAt makes the statements of a transaction that follow read the rows that another user shares, by the number of
	// that user, or for 0 again those that are one's own. It returns the user's name; where nobody has the number, "",
	// and one's own rows are read.
	LookAt(tx *Tx, number int64) (owner string)

	// Statement returns a statement as the database wants it, see the package comment.
	Statement(text string) string
	// Arguments returns the arguments of a statement as the database takes them.
	Arguments(args []any) []any
	// Fields returns what the columns of a row are scanned into in place of these pointers.
	Fields(into []any) []any

	// AddToIndex adds an entry to the full-text index. It is not empty.
	AddToIndex(tx *Tx, e IndexEntry)
	// RemoveFromIndex takes an entry out of the full-text index. It must hold what was added.
	RemoveFromIndex(tx *Tx, e IndexEntry)
	// Matches iterates over the rows of a source whose entries match, or all rows for a matcher without terms, those
	// with the greatest ids first.
	Matches(tx *Tx, src RowSource, m history.TextMatcher, columns string) iter.Seq[Scanner]
	// LastID returns the greatest id that a row of a table ever had, as far as the database knows.
	LastID(tx *Tx, table string) int64
	// RaiseLastID makes the next id of a table greater than another one.
	RaiseLastID(tx *Tx, table string, id int64)
	// PurgeBatch chooses which rows of a kind, of those for which the condition holds, to purge in one transaction.
	PurgeBatch(tx *Tx, kind, where string, ref int64) PurgeBatch

	// BeginPurge notes that deleted text may be left in files of the database; EndPurge removes it there.
	BeginPurge()
	EndPurge(ctx context.Context) error
}

// PurgeBatch is the rows that a purge removes in one transaction.
type PurgeBatch struct {
	IDs []int64
	// BeforeDelete and AfterDelete take the rows out of the full-text index. They run in the same transaction.
	BeforeDelete, AfterDelete func()
}

// Options are the choices of [New].
type Options struct {
	Process history.Process  // who ends the rows this store adds
	Now     func() time.Time // nil stands for time.Now
	// HasEnded tells whether another process is gone for good; newest is when the newest of its rows was made.
	HasEnded func(ctx context.Context, o history.Process, newest time.Time) bool
	Wait     time.Duration // how long writing waits for others
}

// Store is a history in an SQL database. It implements [history.Store] but for what concerns the database as a whole.
type Store struct {
	db       Database
	process  history.Process
	now      func() time.Time
	hasEnded func(ctx context.Context, o history.Process, newest time.Time) bool
	wait     time.Duration

	mu      sync.Mutex
	deleted map[history.Trash]bool // the deletions of this store that were neither undone nor purged
}

// New returns the store in a database whose schema is up to date.
func New(db Database, o Options) *Store {
	s := &Store{db: db, process: o.Process, now: o.Now, hasEnded: o.HasEnded, wait: o.Wait,
		deleted: map[history.Trash]bool{}}
	s.process.Started = history.StoredTime(s.process.Started)
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// foreignOwnerTimeout is how long a row of another machine, whose processes cannot be seen, is believed to be alive.
const foreignOwnerTimeout = 24 * time.Hour

// HasEnded returns the function for [Options] of a database that knows nothing of processes. A process of another
// machine cannot be asked; it counts as ended when the newest of its rows is older than a day. Alive is asked about the
// others; nil stands for [history.IsAlive].
func HasEnded(own history.Process, now func() time.Time,
	alive func(history.Process) bool) func(context.Context, history.Process, time.Time) bool {
	if now == nil {
		now = time.Now
	}
	if alive == nil {
		alive = history.IsAlive
	}
	return func(_ context.Context, o history.Process, newest time.Time) bool {
		return o.Host != own.Host && now().Sub(newest).Abs() > foreignOwnerTimeout || !alive(o)
	}
}

// Read runs work on one state of the store, whatever others write meanwhile.
func (s *Store) Read(ctx context.Context, step string, work func(tx *Tx)) error {
	return s.Error(ctx, step, s.db.Read(ctx, s.inTx(ctx, work)))
}

// Write runs work in a transaction that holds the right to write from its start. The work may run twice, the first time
// without effect.
func (s *Store) Write(ctx context.Context, step string, work func(tx *Tx)) error {
	return s.Error(ctx, step, s.db.Write(ctx, s.wait, s.inTx(ctx, work)))
}

// writePatiently is Write for deleting and purging, which wait longer for other programs: a hundred processes may
// delete at once, nobody waits for a purge as for an answer, and what a purge gives up on stays readable.
func (s *Store) writePatiently(ctx context.Context, step string, work func(tx *Tx)) error {
	return s.Error(ctx, step, s.db.Write(ctx, 6*s.wait, s.inTx(ctx, work)))
}

// inTx returns work as a function of a transaction of the database.
func (s *Store) inTx(ctx context.Context, work func(tx *Tx)) func(*sql.Tx) error {
	return func(tx *sql.Tx) error {
		running := &Tx{sql: tx, ctx: ctx, store: s}
		work(running)
		return running.err
	}
}

// Error turns what a step returned into an error of package history. A nil error stays nil, and one that is explained
// already keeps its kind.
func (s *Store) Error(ctx context.Context, step string, err error) error {
	return ErrorOf(ctx, step, err, s.db.ErrorKind)
}

// storeErrors are the errors that say what is wrong with a store.
var storeErrors = []error{history.ErrNotFound, history.ErrShared, history.ErrNewer, history.ErrCorrupt, history.ErrBusy,
	history.ErrFull, history.ErrReadOnly, history.ErrGone, history.ErrIO, history.ErrUnreachable, history.ErrRefused}

// ErrorOf is [Store.Error] where there is no store yet.
func ErrorOf(ctx context.Context, step string, err error, kindOf func(error) error) error {
	if err == nil {
		return nil
	}
	var f *history.StoreError
	var several *history.AmbiguousNameError
	var setup *history.SetupError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &several):
		return several
	case errors.As(err, &setup):
		return setup
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", step, context.Cause(ctx))
	}
	for _, known := range storeErrors {
		if errors.Is(err, known) {
			return &history.StoreError{Step: step, Kind: known, Cause: err}
		}
	}
	kind := kindOf(err)
	if kind == nil {
		kind = history.ErrIO
	}
	return &history.StoreError{Step: step, Kind: kind, Cause: err}
}
