package cli

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"confab/history/sqlite"
	"confab/internal/config"
	"confab/internal/sshserver"
	"confab/service/accounts"
	"confab/service/problem"
	"confab/service/server"
)

// accountsFile is the file of counts and accounts where the history is in no database.
const accountsFile = "accounts.db"

// accountsDatabase opens the tables of counts and accounts when they are first used: those in the database of the
// history, or in a file of a folder. It implements [accounts.Database].
type accountsDatabase struct {
	app      *app
	folder   string
	readOnly bool // without a file there is nothing to read, and none is made

	mu    sync.Mutex
	db    accounts.Database
	close func() error
}

// Transact implements [accounts.Database].
func (d *accountsDatabase) Transact(ctx context.Context, do func(*sql.Tx) error) error {
	db, err := d.open(ctx)
	if err != nil {
		return err
	}
	return db.Transact(ctx, do)
}

func (d *accountsDatabase) open(ctx context.Context) (accounts.Database, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.db != nil {
		return d.db, nil
	}
	if d.app.cfg.History.URL != "" {
		server, release, err := d.app.database.acquire(ctx, d.app.databaseOptions)
		if err != nil {
			return nil, err
		}
		d.db, d.close = server, release
		return server, nil
	}
	path := filepath.Join(d.folder, accountsFile)
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
func (d *accountsDatabase) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.db != nil {
		if err := d.close(); err != nil {
			d.app.log.Warn("Could not close the counts of what is used", "error", err)
		}
		d.db = nil
	}
}

// userAccounts returns the tables about users of confab ssh.
func (a *app) userAccounts(readOnly bool) *accountsDatabase {
	return &accountsDatabase{app: a, folder: a.cfg.Paths.Data, readOnly: readOnly}
}

// keyAccounts returns the tables about keys of confab serve.
func (a *app) keyAccounts(readOnly bool) *accountsDatabase {
	return &accountsDatabase{app: a, folder: filepath.Join(a.cfg.Paths.ServeKeys, "usage"), readOnly: readOnly}
}

// useJSON is what a user or key has used in a period; its field names are stable.
type useJSON struct {
	accounts.Use
	ID     string            `json:"id,omitempty"` // of a key
	Limits *accounts.Amounts `json:"limits,omitempty"`
}

// setLimits sets the limits of the period.
func (u *useJSON) setLimits(l accounts.Limits, byMonth bool) {
	u.Limits = &l.Day
	if byMonth {
		u.Limits = &l.Month
	}
}

// useFlags adds the flags of a command that prints what is used.
func (a *app) useFlags(fl *pflag.FlagSet, byMonth *bool) {
	fl.BoolVar(byMonth, "months", false, "by month, the last 13, instead of by day, the last 31")
	a.jsonFlag(fl, "name and period")
}

// printUse prints what users or keys have used; an empty name stands for all of them.
func (a *app) printUse(ctx context.Context, db *accountsDatabase, s accounts.Subject, byMonth bool,
	complete func(*useJSON)) error {
	defer db.Close()
	since := time.Now().AddDate(0, 0, -30)
	if byMonth {
		since = time.Now().AddDate(0, -12, 0)
	}
	found, err := accounts.ReadUse(ctx, db, s, byMonth, since)
	if err != nil {
		return problem.Store(err)
	}
	all := make([]useJSON, len(found))
	for i, use := range found {
		all[i].Use = use
		complete(&all[i])
	}
	t := table{head: []string{"name", "period", "answers", "tokens", "bytes", "cost"}, right: []int{2, 3, 4, 5}}
	return printList(a.console, all, t, func(u useJSON) []string {
		limits := accounts.Amounts{}
		if u.Limits != nil {
			limits = *u.Limits
		}
		bytes := func(n int64) string { return humanize.IBytes(uint64(n)) }
		whole := func(n int64) string { return strconv.FormatInt(n, 10) }
		return []string{u.Name, u.Period, ofLimit(u.Answers, limits.Answers, whole),
			ofLimit(u.Tokens, limits.Tokens, whole), ofLimit(u.Bytes, limits.Bytes, bytes),
			ofLimit(u.Cost, limits.Cost, func(v float64) string { return fmt.Sprintf("%.4g", v) })}
	})
}

// ofLimit writes an amount with its limit, where there is one.
func ofLimit[T int64 | float64](n, limit T, write func(T) string) string {
	if limit == 0 {
		return write(n)
	}
	return write(n) + " of " + write(limit)
}

// printUserUse prints what users of confab ssh have used. The quotas beside it are those of the group of the last
// login.
func (a *app) printUserUse(ctx context.Context, id string, byMonth bool) error {
	db := a.userAccounts(true)
	known, err := accounts.Accounts(ctx, db, id)
	if err != nil {
		return problem.Store(err)
	}
	return a.printUse(ctx, db, accounts.Subject{Kind: accounts.User, Name: id}, byMonth, func(u *useJSON) {
		user := sshserver.User{ID: u.Name, Group: known[u.Name].Group}
		u.setLimits(limitsOf(groupOf(a.cfg.SSH.Groups, user), a.cfg.SSH.AnswersADay), byMonth)
	})
}

// printKeyUse prints what keys of confab serve have used, by the names that they were made for.
func (a *app) printKeyUse(ctx context.Context, idOrName string, byMonth bool) error {
	keys, err := server.NewKeys(a.cfg.Paths.ServeKeys).List()
	if err != nil {
		return keyFileError("the keys cannot be read", err)
	}
	id := idOrName
	if i := slices.IndexFunc(keys, func(c server.Client) bool { return c.Name == idOrName }); i >= 0 {
		id = keys[i].ID
	}
	key := accounts.Subject{Kind: accounts.Key, Name: id}
	return a.printUse(ctx, a.keyAccounts(true), key, byMonth, func(u *useJSON) {
		u.ID = u.Name
		i := slices.IndexFunc(keys, func(c server.Client) bool { return c.ID == u.ID })
		key := server.Client{ID: u.ID} // revoked, or not made by confab serve keys
		if i >= 0 {
			key = keys[i]
			u.Name = key.Name
		}
		u.setLimits(key.Limits(keyLimits(a.cfg.Serve, key)), byMonth)
	})
}

// keyLimits returns what a key of confab serve may use besides a quota of its own: that of the first group with its
// name or id.
func keyLimits(o config.Serve, c server.Client) accounts.Limits {
	group := config.Group{}
	if i := slices.IndexFunc(o.Groups, func(g config.Group) bool {
		return matchesAny(g.Keys, c.Name) || matchesAny(g.Keys, c.ID)
	}); i >= 0 {
		group = o.Groups[i]
	}
	return limitsOf(group, o.Quota)
}
