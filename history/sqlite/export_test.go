package sqlite

import (
	"context"
	"database/sql"

	"confab/history"
	"confab/history/sqlstore"
)

// CreateSession adds an empty session. The first prompt replaces an empty name.
func (s *Store) CreateSession(ctx context.Context, name string) (history.Session, error) {
	var id int64
	if err := s.Write(ctx, "create the session", func(tx *sqlstore.Tx) { id = tx.AddSession(name, 0) }); err != nil {
		return history.Session{}, err
	}
	return s.Session(ctx, id)
}

// Internals for tests.
const FTSPartitionBits = ftsPartitionBits

func NewestSchema() int { return newestSchema() }

func (s *Store) Path() string    { return s.db.path }
func (s *Store) Writer() *sql.DB { return s.db.w }
func (s *Store) Reader() *sql.DB { return s.db.r }

// OnNetwork returns options of a store whose folder is on a network file system or not.
func OnNetwork(is bool) Options { return Options{isOnNetwork: func(string) bool { return is }} }
