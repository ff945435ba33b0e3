package sqlite

import (
	"context"
	"database/sql"

	"confab/history"
)

// CreateSession adds an empty session. An empty name is filled from its first
// prompt.
func (s *Store) CreateSession(ctx context.Context, name string) (history.Session, error) {
	var made history.Session
	err := s.write(ctx, "create the session", func(tx *sql.Tx) error {
		id, err := s.insertSession(ctx, tx, name, 0)
		if err != nil {
			return err
		}
		made, err = readSession(ctx, tx, id)
		return err
	})
	return made, err
}
