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

// Database is the interface of the databases that a [Store] can use.
type Database interface {
	// Begin begins a transaction that sees a consistent snapshot of the history or, where Attempts.Wait is set, one
	// that locks it for other writers from its start. It returns nil if an earlier attempt was committed.
	Begin(ctx context.Context, a *Attempts) (*sql.Tx, error)
	// Repeats learns how an attempt ended, and reports whether another follows, for which it has waited.
	Repeats(ctx context.Context, a *Attempts, err error) bool
	// ErrorKind returns the error of package history for an error of the database or its driver; nil when there is
	// none.
	ErrorKind(err error) error

	// LookAt makes the following statements of a transaction read the rows shared by the user with this number; 0
	// selects the own rows again. It returns the user's name. If the number is unknown, it returns "" and selects the
	// own rows.
	LookAt(tx *Tx, number int64) (owner string)

	// Statement translates a statement for the database, see the package comment.
	Statement(text string) string
	// Arguments returns the arguments of a statement in the types of the database.
	Arguments(args []any) []any
	// Fields returns the scan targets for columns in place of these pointers.
	Fields(into []any) []any

	// AddToIndex adds an entry, which is not empty, to the full-text index.
	AddToIndex(tx *Tx, e IndexEntry)
	// RemoveFromIndex removes an entry, which equals the added one, from the full-text index.
	RemoveFromIndex(tx *Tx, e IndexEntry)
	// Matches iterates over the rows of a source whose entries match, or over all rows for a matcher without terms,
	// the greatest ids first.
	Matches(tx *Tx, src RowSource, m history.TextMatcher, columns string) iter.Seq[Scanner]
	// LastID returns the greatest id that a table ever had, as far as the database knows.
	LastID(tx *Tx, table string) int64
	// RaiseLastID makes the next id of a table greater than id.
	RaiseLastID(tx *Tx, table string, id int64)
	// PurgeBatch selects the rows of a kind that match the condition and that one transaction purges.
	PurgeBatch(tx *Tx, kind, where string, ref int64) PurgeBatch

	// BeginPurge marks that files of the database may contain deleted text; EndPurge removes it there.
	BeginPurge()
	EndPurge(ctx context.Context) error
}

// Attempts describes the attempts to run one transaction.
type Attempts struct {
	Wait  time.Duration // for other writers; 0 for reading
	Began time.Time     // of the first attempt
	Pause time.Duration // before the latest attempt; the database sets it
	Mark  string        // marks the transaction in the database, which sets it
}

// PurgeBatch is the rows that a purge removes in one transaction.
type PurgeBatch struct {
	IDs []int64
	// BeforeDelete and AfterDelete remove the rows from the full-text index in the same transaction.
	BeforeDelete, AfterDelete func()
}

// Options are the choices of [New].
type Options struct {
	Process history.Process  // the owner of added rows
	Now     func() time.Time // nil stands for time.Now
	// HasEnded reports whether another process has ended; newest is the creation time of its newest row.
	HasEnded func(ctx context.Context, o history.Process, newest time.Time) bool
	Wait     time.Duration // maximum wait of writes for other writers
}

// Store is a history in an SQL database. It implements [history.Store] except the methods that concern the whole
// database.
type Store struct {
	db       Database
	process  history.Process
	now      func() time.Time
	hasEnded func(ctx context.Context, o history.Process, newest time.Time) bool
	wait     time.Duration

	mu      sync.Mutex
	deleted map[history.Trash]bool // deletions of this store that were neither undone nor purged
}

// New returns the store of a database whose schema is up to date.
func New(db Database, o Options) *Store {
	s := &Store{db: db, process: o.Process, now: o.Now, hasEnded: o.HasEnded, wait: o.Wait,
		deleted: map[history.Trash]bool{}}
	s.process.Started = history.StoredTime(s.process.Started)
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// foreignOwnerTimeout is the age after which a row of another machine, whose processes cannot be checked, counts as
// abandoned.
const foreignOwnerTimeout = 24 * time.Hour

// HasEnded returns a function for [Options] that checks local processes with alive; nil means [history.IsAlive]. A
// process of another machine counts as ended when its newest row is older than a day.
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

// Read runs work on a consistent snapshot of the store.
func (s *Store) Read(ctx context.Context, step string, work func(tx *Tx)) error {
	return s.run(ctx, reading, step, work)
}

// Write runs work in a transaction that locks the history for other writers from its start. It may run work twice,
// the first time without effect.
func (s *Store) Write(ctx context.Context, step string, work func(tx *Tx)) error {
	return s.run(ctx, s.wait, step, work)
}

// writePatiently is Write with a longer wait, for deleting and purging: a hundred processes may delete at once,
// nobody waits for a purge, and rows that a purge skips stay readable.
func (s *Store) writePatiently(ctx context.Context, step string, work func(tx *Tx)) error {
	return s.run(ctx, 6*s.wait, step, work)
}

func (s *Store) run(ctx context.Context, wait time.Duration, step string, work func(tx *Tx)) error {
	_, err := inTx(ctx, s, wait, step, func(tx *Tx) (none struct{}) {
		work(tx)
		return none
	})
	return err
}

// Error converts the error of a step into one of package history. A nil error stays nil, and a converted one keeps
// its kind.
func (s *Store) Error(ctx context.Context, step string, err error) error {
	return ErrorOf(ctx, step, err, s.db.ErrorKind)
}

// storeErrors are the kinds of errors that pass through unchanged.
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
