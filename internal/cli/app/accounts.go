package app

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"confab/history/postgres"
	"confab/history/sqlite"
	"confab/service/accounts"
	"confab/service/problem"
)

// AccountsFile is the file of counts and accounts where the history is in no database.
const AccountsFile = "accounts.db"

// AccountsDatabase opens the tables of counts and accounts when they are first used: those in the database of the
// history, or in a file of a folder. It implements [accounts.Database].
type AccountsDatabase struct {
	app      *App
	folder   string
	readOnly bool // without a file there is nothing to read, and none is made

	mu    sync.Mutex
	db    accounts.Database
	close func() error
}

// Transact implements [accounts.Database].
func (d *AccountsDatabase) Transact(ctx context.Context, do func(*sql.Tx) error) error {
	db, err := d.open(ctx)
	if err != nil {
		return err
	}
	return db.Transact(ctx, do)
}

func (d *AccountsDatabase) open(ctx context.Context) (accounts.Database, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.db != nil {
		return d.db, nil
	}
	if d.app.Config.History.URL != "" {
		server, release, err := d.app.Database.acquire(ctx, d.app.DatabaseOptions)
		if err != nil {
			return nil, err
		}
		d.db, d.close = server, release
		return server, nil
	}
	path := filepath.Join(d.folder, AccountsFile)
	if _, err := os.Stat(path); d.readOnly && errors.Is(err, fs.ErrNotExist) {
		path = sqlite.Memory
	}
	file, err := sqlite.OpenFile(ctx, path, accounts.Schema)
	if err != nil {
		return nil, err
	}
	d.db, d.close = file, file.Close
	return file, nil
}

// Close ends the use of the tables.
func (d *AccountsDatabase) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.db != nil {
		if err := d.close(); err != nil {
			d.app.Log.Warn("Could not close the counts of what is used", "error", err)
		}
		d.db = nil
	}
}

// UserAccounts returns the tables about users of confab ssh.
func (a *App) UserAccounts(readOnly bool) *AccountsDatabase {
	return &AccountsDatabase{app: a, folder: a.Config.Paths.Data, readOnly: readOnly}
}

// CheckHold returns an error when a user is on legal hold.
func CheckHold(ctx context.Context, db accounts.Database, name string) error {
	found, err := accounts.Accounts(ctx, db, name)
	if err == nil && found[name].IsHeld {
		return problem.Usage("this history is on legal hold, so nothing of it can be deleted; ask the operator")
	}
	return problem.Store(err)
}

// TakeJob reports whether this process does a job that only one host is to do. It is that host's for the time of the
// lease. Without a database there is one host.
func (d *AccountsDatabase) TakeJob(ctx context.Context, job string, lease time.Duration) bool {
	db, err := d.open(ctx)
	server, isShared := db.(*postgres.Server)
	if err != nil || !isShared {
		return err == nil
	}
	isTaken, err := server.TakeJob(ctx, job, lease)
	return err == nil && isTaken
}
