package sqlite

import (
	"context"

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
