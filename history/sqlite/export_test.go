package sqlite

import (
	"context"
	"database/sql"

	"confab/history"
	"confab/history/sqlstore"
)

// CreateSession adds an empty session. An empty name is filled from its first prompt.
func (s *Store) CreateSession(ctx context.Context, name string) (history.Session, error) {
	var id int64
	if err := s.Write(ctx, "create the session", func(tx *sqlstore.Tx) { id = tx.AddSession(name, 0) }); err != nil {
		return history.Session{}, err
	}
	return s.Session(ctx, id)
}

// What tests see of the inside of a store.
const FTSPartitionBits = ftsPartitionBits

func NewestSchema() int { return newestSchema() }

func (s *Store) Path() string    { return s.db.path }
func (s *Store) Writer() *sql.DB { return s.db.w }
func (s *Store) Reader() *sql.DB { return s.db.r }

// OnNetwork returns options of a store in a folder that lies on a network file system or not.
func OnNetwork(is bool) Options { return Options{isOnNetwork: func(string) bool { return is }} }
