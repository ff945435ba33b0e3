package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"confab/history"
)

// Memory is the path of a store that lives in this process only and is never written anywhere.
const Memory = ":memory:"

// Options are the choices of [Open]. The zero value is right for a program.
type Options struct {
	Owner history.Owner            // who ends the rows this store adds; zero stands for this process
	Now   func() time.Time         // nil stands for time.Now
	Alive func(history.Owner) bool // nil stands for [history.Alive]
	Busy  time.Duration            // how long to wait for another program's lock; zero stands for 5 s

	network func(folder string) bool // whether a folder lies on a network file system
}

// maxReaders is how many queries may read side by side.
const maxReaders = 3

// Store is the history in one SQLite file. It implements [history.Store].
type Store struct {
	path    string
	file    os.FileInfo // what lay at path when it was opened; nil in memory
	network bool
	busy    time.Duration
	w, r    *sql.DB // one connection that writes, some that read; the same one in memory
	owner   history.Owner
	now     func() time.Time
	alive   func(history.Owner) bool
	residue atomic.Bool // deleted text may still be in the -wal file

	mu      sync.Mutex
	deleted map[history.Trash]bool // the deletions of this store that were neither undone nor purged
}

// Open opens the store at path, making the file (0600) and its folder (0700) when they are missing, and brings an
// older schema up to date. A store of a newer release is refused with [history.ErrNewer] and left as it is, as is what
// is not a history with [history.ErrCorrupt]. An empty file counts as a new store.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	s := &Store{path: path, owner: o.Owner, now: o.Now, alive: o.Alive, deleted: map[history.Trash]bool{}}
	if s.owner == (history.Owner{}) {
		s.owner = history.CurrentOwner()
	}
	s.owner.Started = history.StoredTime(s.owner.Started)
	if s.now == nil {
		s.now = time.Now
	}
	if s.alive == nil {
		s.alive = history.Alive
	}
	if o.Busy <= 0 {
		o.Busy = 5 * time.Second
	}
	s.busy = o.Busy
	if o.network == nil {
		o.network = onNetwork
	}
	var err error
	if path == Memory {
		err = s.openMemory(ctx)
	} else {
		err = s.openFile(ctx, o)
	}
	if err != nil {
		s.Close() //nolint:errcheck // the first error is the one that tells
		return nil, storeError(ctx, "open the history", err)
	}
	return s, nil
}

func (s *Store) openMemory(ctx context.Context) error {
	db, err := sql.Open("sqlite", Memory+"?"+connectionParameters(time.Second).Encode()+"&_txlock=immediate")
	if err != nil {
		return err
	}
	// A second connection would be a second, empty database.
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	s.w, s.r = db, db
	return migrate(ctx, db)
}

// Close implements [history.Maintainer].
func (s *Store) Close() error {
	var errs []error
	if s.r != nil && s.r != s.w {
		errs = append(errs, s.r.Close())
	}
	if s.w != nil {
		errs = append(errs, s.w.Close())
	}
	return storeError(context.Background(), "close the history", errors.Join(errs...))
}

// Check implements [history.Maintainer].
func (s *Store) Check(ctx context.Context) error {
	const step = "check the history"
	db := s.r
	if s.file != nil {
		// A connection that has searched remembers what the index looked like
		// then, and the check of SQLite 3.54 takes later changes for damage.
		q := connectionParameters(s.busy)
		q.Set("_query_only", "1")
		var err error
		if db, err = sql.Open("sqlite", dsn(s.path, q)); err != nil {
			return storeError(ctx, step, err)
		}
		defer db.Close() //nolint:errcheck // it only read
	}
	return readFrom(ctx, s, db, step, func(tx *transaction) {
		found := selectColumn[string](tx, `pragma quick_check(3)`)
		if len(found) != 1 || found[0] != "ok" {
			tx.fail(&history.StoreError{Step: step, Kind: history.ErrCorrupt,
				Cause: fmt.Errorf("quick_check: %q", found)})
		}
	})
}

// write runs work in a transaction that holds the right to write from its
// start, so that what it reads cannot change before it writes.
func (s *Store) write(ctx context.Context, step string, work func(tx *transaction)) error {
	return s.writeWithin(ctx, s.busy, step, work)
}

// writeWithin is write, waiting for other programs for as long as wait.
func (s *Store) writeWithin(ctx context.Context, wait time.Duration, step string, work func(tx *transaction)) error {
	if err := s.checkFileUnchanged(); err != nil {
		return storeError(ctx, step, err)
	}
	var tx *sql.Tx
	err := s.retryWhileBusy(ctx, wait, func() (err error) {
		tx, err = s.w.BeginTx(ctx, nil)
		return err
	})
	if err != nil {
		return storeError(ctx, step, err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
	running := &transaction{sql: tx, ctx: ctx, store: s}
	if work(running); running.err != nil {
		return storeError(ctx, step, running.err)
	}
	return storeError(ctx, step, tx.Commit())
}

// sqliteBusyTimeout is how long SQLite waits by itself for the right to write.
const sqliteBusyTimeout = 20 * time.Millisecond

// maxRetryPause is the longest pause between two attempts to write.
const maxRetryPause = 200 * time.Millisecond

// retryWhileBusy does what another program's lock may be in the way of, again and again for as long as wait says.
// SQLite would look for a free moment only every tenth of a second, which a busy writer never leaves it, and would not
// hear the context meanwhile. The pauses grow, because a hundred programs that try without one leave the program that
// holds the lock no processor to finish on.
func (s *Store) retryWhileBusy(ctx context.Context, wait time.Duration, do func() error) error {
	longest := time.Millisecond
	for deadline := time.Now().Add(wait); ; {
		err := do()
		if err == nil || ctx.Err() != nil || errorKind(err) != history.ErrBusy || time.Now().After(deadline) {
			return err
		}
		if err := sleep(ctx, rand.N(longest)); err != nil {
			return err
		}
		longest = min(2*longest, maxRetryPause)
	}
}

// read runs work on one state of the store, whatever others write meanwhile.
func (s *Store) read(ctx context.Context, step string, work func(tx *transaction)) error {
	return readFrom(ctx, s, s.r, step, work)
}

func readFrom(ctx context.Context, s *Store, db *sql.DB, step string, work func(tx *transaction)) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return storeError(ctx, step, err)
	}
	defer tx.Rollback() //nolint:errcheck // it only read
	running := &transaction{sql: tx, ctx: ctx, store: s}
	work(running)
	return storeError(ctx, step, running.err)
}

// checkFileUnchanged tells that the file still is the one that was opened. SQLite goes on
// writing into a deleted file without a word.
func (s *Store) checkFileUnchanged() error {
	if s.file == nil {
		return nil
	}
	found, err := os.Stat(s.path)
	if err != nil {
		return &history.StoreError{Step: "look for the file", Kind: history.ErrGone, Cause: err}
	}
	if !os.SameFile(found, s.file) {
		return &history.StoreError{Step: "look for the file", Kind: history.ErrGone}
	}
	return nil
}

// Info implements [history.Maintainer].
func (s *Store) Info(ctx context.Context) (history.StoreInfo, error) {
	f := history.StoreInfo{Network: s.network}
	if s.file != nil {
		f.Path = s.path
		for _, name := range []string{s.path, s.path + "-wal"} {
			// The file is only looked at: opening and closing it would take SQLite's locks of this process away.
			if info, err := os.Stat(name); err == nil {
				f.Bytes += info.Size()
			}
		}
	}
	err := s.read(ctx, "describe the history", func(tx *transaction) {
		tx.eachRow(func(row scanner) bool {
			row(&f.Version, &f.Schema, &f.Journal, &f.Sessions, &f.Turns, &f.Answers, &f.Pictures, &f.Deleted)
			return false
		}, `select sqlite_version(),
				(select user_version from pragma_user_version),
				(select journal_mode from pragma_journal_mode),
				count(*), coalesce(sum(turns), 0), coalesce(sum(answers), 0), coalesce(sum(pictures), 0),
				(select count(*) from trash)
			from sessions
			where trash = 0`)
	})
	return f, err
}
