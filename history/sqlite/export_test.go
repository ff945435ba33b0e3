package sqlite

import (
	"context"

	"confab/history"
)

// CreateSession adds an empty session. An empty name is filled from its first prompt.
func (s *Store) CreateSession(ctx context.Context, name string) (history.Session, error) {
	return inWrite(ctx, s, "create the session", func(tx *transaction) history.Session {
		return tx.readSession(tx.insertSession(name, 0))
	})
}
