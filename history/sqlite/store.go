package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"confab/history"
	"confab/history/sqlstore"
)

// Memory is the path of a store in memory.
const Memory = ":memory:"

// Options are the choices of [Open]. The zero value is the default.
type Options struct {
	Process history.Process            // the owner of added rows; zero means this process
	Now     func() time.Time           // nil means time.Now
	Alive   func(history.Process) bool // nil means [history.IsAlive]
	Busy    time.Duration              // maximum wait for locks of other programs; zero means 5 s

	isOnNetwork func(folder string) bool // whether a folder lies on a network file system
}

// maxReaders is the number of connections for concurrent reads.
const maxReaders = 3

// Store is the history in one SQLite file. It implements [history.Store].
type Store struct {
	*sqlstore.Store
	db *database
}

// database is an open SQLite file. It implements [sqlstore.Database].
type database struct {
	path    string
	file    os.FileInfo // state of the file when it was opened; nil in memory
	network bool
	busy    time.Duration
	w, r    *sql.DB     // one writing connection, several reading ones; the same in memory
	residue atomic.Bool // the -wal file may contain deleted text

	temporary string // folder to remove on Close; may be empty
}

// Open opens the store at path and migrates an older schema. It creates a missing file (0600) and folder (0700); an
// empty file counts as missing. [history.ErrNewer] means a store of a newer release and [history.ErrCorrupt] that the
// file is no history; both are left unchanged.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if o.Process == (history.Process{}) {
		o.Process = history.CurrentProcess()
	}
	if o.Busy <= 0 {
		o.Busy = 5 * time.Second
	}
	if o.isOnNetwork == nil {
		o.isOnNetwork = isOnNetwork
	}
	d := &database{path: path, busy: o.Busy}
	var err error
	if path == Memory {
		err = d.openMemory(ctx)
	} else {
		err = d.openFile(ctx, o)
	}
	if err != nil {
		d.close() //nolint:errcheck // the first error is returned
		return nil, sqlstore.ErrorOf(ctx, "open the history", err, errorKind)
	}
	return &Store{db: d, Store: sqlstore.New(d, sqlstore.Options{Process: o.Process, Now: o.Now, Wait: o.Busy,
		HasEnded: sqlstore.HasEnded(o.Process, o.Now, o.Alive)})}, nil
}

func (d *database) openMemory(ctx context.Context) error {
	q := connectionParameters(time.Second)
	q.Set("_txlock", "immediate")
	db, err := openPool(Memory, q, 1) // a second connection would be a second, empty database
	if err != nil {
		return err
	}
	d.w, d.r = db, db
	return migrate(ctx, db)
}

func (d *database) close() error {
	var errs []error
	if d.r != nil && d.r != d.w {
		errs = append(errs, d.r.Close())
	}
	if d.w != nil {
		errs = append(errs, d.w.Close())
	}
	if d.temporary != "" {
		errs = append(errs, os.RemoveAll(d.temporary))
	}
	return errors.Join(errs...)
}

// Close implements [history.Maintainer].
func (s *Store) Close() error {
	return s.Error(context.Background(), "close the history", s.db.close())
}

// Check implements [history.Maintainer].
func (s *Store) Check(ctx context.Context) error {
	const step = "check the history"
	db := s.db.r
	if s.db.file != nil {
		// A connection that has searched caches the index, so that the check of SQLite 3.54 reports later changes as
		// damage.
		q := connectionParameters(s.db.busy)
		q.Set("_query_only", "1")
		var err error
		if db, err = sql.Open("sqlite", dsn(s.db.path, q)); err != nil {
			return s.Error(ctx, step, err)
		}
		defer db.Close() //nolint:errcheck // it only read
	}
	var found string // the first finding
	err := db.QueryRowContext(ctx, `pragma quick_check(1)`).Scan(&found)
	if err == nil && found != "ok" {
		err = &history.StoreError{Step: step, Kind: history.ErrCorrupt, Cause: fmt.Errorf("quick_check: %q", found)}
	}
	return s.Error(ctx, step, err)
}

// LookAt implements [sqlstore.Database]: a file has one user.
func (d *database) LookAt(*sqlstore.Tx, int64) string { return "" }

// Statement implements [sqlstore.Database].
func (d *database) Statement(text string) string { return text }

// Arguments implements [sqlstore.Database].
func (d *database) Arguments(args []any) []any { return args }

// Fields implements [sqlstore.Database].
func (d *database) Fields(into []any) []any { return into }

// ErrorKind implements [sqlstore.Database].
func (d *database) ErrorKind(err error) error { return errorKind(err) }

// LastID implements [sqlstore.Database].
func (d *database) LastID(tx *sqlstore.Tx, table string) int64 {
	return sqlstore.SelectValue[int64](tx, `select coalesce(max(seq), 0) from sqlite_sequence where name = ?`, table)
}

// RaiseLastID implements [sqlstore.Database].
func (d *database) RaiseLastID(tx *sqlstore.Tx, table string, id int64) {
	id = max(id, d.LastID(tx, table))
	tx.Execute(`delete from sqlite_sequence where name = ?`, table)
	tx.Execute(`insert into sqlite_sequence (name, seq) values (?, ?)`, table, id)
}

// Begin implements [sqlstore.Database].
func (d *database) Begin(ctx context.Context, a *sqlstore.Attempts) (tx *sql.Tx, err error) {
	if a.Wait == 0 {
		return d.r.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	}
	if err := d.checkFileUnchanged(); err != nil {
		return nil, err
	}
	err = d.retryWhileBusy(ctx, a.Wait, func() (err error) {
		tx, err = d.w.BeginTx(ctx, nil)
		return err
	})
	return tx, err
}

// Repeats implements [sqlstore.Database]: what has the lock does not fail by others.
func (d *database) Repeats(context.Context, *sqlstore.Attempts, error) bool { return false }

// sqliteBusyTimeout is how long SQLite itself waits for the write lock.
const sqliteBusyTimeout = 20 * time.Millisecond

// maxRetryPause is the longest pause between two attempts to write.
const maxRetryPause = 200 * time.Millisecond

// retryWhileBusy retries do while another program holds a lock, for at most wait. SQLite would retry every 100 ms,
// which a busy writer may never allow, and would ignore the context. The pauses grow, because a hundred programs that
// retry without a pause would leave no processor time to the lock's holder.
func (d *database) retryWhileBusy(ctx context.Context, wait time.Duration, do func() error) error {
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

// checkFileUnchanged checks that the path still names the opened file. SQLite writes to a deleted file without an
// error.
func (d *database) checkFileUnchanged() error {
	if d.file == nil {
		return nil
	}
	found, err := os.Stat(d.path)
	if err != nil {
		return &history.StoreError{Step: "look for the file", Kind: history.ErrGone, Cause: err}
	}
	if !os.SameFile(found, d.file) {
		return &history.StoreError{Step: "look for the file", Kind: history.ErrGone}
	}
	return nil
}

// Info implements [history.Maintainer].
func (s *Store) Info(ctx context.Context) (history.StoreInfo, error) {
	f := history.StoreInfo{IsOnNetwork: s.db.network}
	if s.db.file != nil {
		f.Path = s.db.path
		for _, name := range []string{s.db.path, s.db.path + "-wal"} {
			// Only stat the file: closing it would release SQLite's locks of this process.
			if info, err := os.Stat(name); err == nil {
				f.Bytes += info.Size()
			}
		}
	}
	err := s.Read(ctx, "describe the history", func(tx *sqlstore.Tx) {
		for row := range tx.Rows(`select sqlite_version(), (select user_version from pragma_user_version),
			(select journal_mode from pragma_journal_mode)`) {
			row(&f.Version, &f.Schema, &f.Journal)
		}
		tx.Count(&f)
	})
	return f, err
}

// BeginPurge implements [sqlstore.Database].
func (d *database) BeginPurge() { d.residue.Store(true) }

// EndPurge implements [sqlstore.Database]. It frees pages and moves the -wal file, which may hold deleted text, into
// the database.
func (d *database) EndPurge(ctx context.Context) error {
	if !d.residue.Load() {
		return nil
	}
	err := d.checkFileUnchanged()
	if err == nil {
		err = d.vacuum(ctx)
	}
	if err == nil {
		err = d.retryWhileBusy(ctx, 6*d.busy, func() error {
			var busy, log, done int
			err := d.w.QueryRowContext(ctx, `pragma wal_checkpoint(truncate)`).Scan(&busy, &log, &done)
			if err == nil && busy != 0 {
				err = history.ErrBusy
			}
			return err
		})
	}
	if err == nil {
		d.residue.Store(false)
	}
	return err
}

// vacuum frees pages in steps, between which others can write.
func (d *database) vacuum(ctx context.Context) error {
	for before := math.MaxInt; ; {
		var free int // unused pages
		err := d.w.QueryRowContext(ctx, `pragma freelist_count`).Scan(&free)
		if err != nil || free == 0 || free >= before { // the store cannot shrink, or others use pages as fast
			return err
		}
		before = free
		err = d.retryWhileBusy(ctx, 6*d.busy, func() error {
			_, err := d.w.ExecContext(ctx, `pragma incremental_vacuum(2000)`)
			return err
		})
		if err != nil {
			return err
		}
	}
}
