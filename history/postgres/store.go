package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"confab/history"
	"confab/history/sqlstore"
)

// StoreOptions are the choices of [Server.Store]. The zero value is the default.
type StoreOptions struct {
	Process history.Process            // the owner of added rows; zero means the process of the server
	Now     func() time.Time           // nil means time.Now
	Alive   func(history.Process) bool // nil means that the process has a lease
}

// Store is the history of one user. It implements [history.Store] and [history.Watcher].
type Store struct {
	*sqlstore.Store
	db *database
}

// database is the view of one user on the database. It implements [sqlstore.Database].
type database struct {
	server *Server
	owner  string // the user
	scope  string // see scopeOf
	token  string // identifies this store in notices
	watch  watchers

	mu     sync.Mutex
	topics map[string]bool // topics of the user, and of others whose shared entries were read; see topicOf
}

// Close implements [history.Maintainer]. The server stays connected.
func (s *Store) Close() error {
	server := s.db.server
	server.mu.Lock()
	defer server.mu.Unlock()
	delete(server.stores, s)
	return nil
}

// Info implements [history.Maintainer].
func (s *Store) Info(ctx context.Context) (history.StoreInfo, error) {
	f := history.StoreInfo{Version: s.db.server.version, Schema: s.db.server.schema}
	err := s.Read(ctx, "describe the history", func(tx *sqlstore.Tx) {
		f.Bytes = sqlstore.SelectValue[int64](tx, `select pg_database_size(current_database())`)
		tx.Count(&f)
	})
	return f, err
}

// Check implements [history.Maintainer]. It compares redundant data; PostgreSQL's own tools check the files of the
// database.
func (s *Store) Check(ctx context.Context) error {
	const step = "check the history"
	return s.Read(ctx, step, func(tx *sqlstore.Tx) {
		for what, query := range map[string]string{
			"counts of sessions": `select count(*) from sessions s where turns <> (select count(*) from turns t
				where t.session = s.id and t.trash = 0)`,
			"words without an answer": `select count(*) from words w where kind = 'answer'
				and not exists (select 1 from answers a where a.id = w.id)`,
			"words without a turn": `select count(*) from words w where kind = 'turn'
				and not exists (select 1 from turns t where t.id = w.id)`,
		} {
			if n := sqlstore.SelectValue[int](tx, query); n > 0 {
				tx.Fail(&history.StoreError{Step: step, Kind: history.ErrCorrupt,
					Cause: errors.New(fmt.Sprint(what, ": ", n))})
			}
		}
	})
}

// BeginPurge implements [sqlstore.Database]. PostgreSQL frees the space of deleted rows by itself.
func (d *database) BeginPurge() {}

// EndPurge implements [sqlstore.Database].
func (d *database) EndPurge(context.Context) error { return nil }

// LastID implements [sqlstore.Database]. All users share the sequence of ids, so the greatest id may be another
// user's.
func (d *database) LastID(tx *sqlstore.Tx, table string) int64 {
	return sqlstore.SelectValue[int64](tx, `select coalesce(max(id), 0) from `+table)
}

// RaiseLastID implements [sqlstore.Database].
func (d *database) RaiseLastID(tx *sqlstore.Tx, table string, id int64) {
	sqlstore.SelectValue[int64](tx, `select raise_ids(?, ?)`, table, id)
}
