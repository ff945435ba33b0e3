package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"confab/history"
)

// Personas returns the personas whose name or text contains the text whatever
// its case, in the order of their names. An empty text returns all.
func (s *Store) Personas(ctx context.Context, text string) ([]history.Persona, error) {
	var ps []history.Persona
	lowered := strings.ToLower(text)
	err := s.read(ctx, "list the personas", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `select id, name, body, updated from personas order by name collate nocase, id`)
		return forEachRow(rows, err, func() error {
			var p history.Persona
			var updated sql.NullInt64
			if err := rows.Scan(&p.ID, &p.Name, &p.Text, &updated); err != nil {
				return err
			}
			p.Updated = fromMillis(updated)
			if containsFolded(p.Name, lowered) || containsFolded(p.Text, lowered) {
				ps = append(ps, p)
			}
			return nil
		})
	})
	return ps, err
}

// SavePersona adds a persona, or changes the one with its id, and returns it as
// it is stored.
func (s *Store) SavePersona(ctx context.Context, p history.Persona) (history.Persona, error) {
	p.Updated = fromMillis(toMillis(s.now()))
	err := s.write(ctx, "save the persona", func(tx *sql.Tx) error {
		if p.ID == 0 {
			res, err := tx.ExecContext(ctx, `insert into personas (name, body, updated) values (?, ?, ?)`, p.Name, p.Text,
				toMillis(p.Updated))
			if err != nil {
				return err
			}
			p.ID, err = res.LastInsertId()
			return err
		}
		res, err := tx.ExecContext(ctx, `update personas set name = ?, body = ?, updated = ? where id = ?`, p.Name, p.Text,
			toMillis(p.Updated), p.ID)
		return requireRowChanged(res, err)
	})
	if err != nil {
		return history.Persona{}, err
	}
	return p, nil
}

// DeletePersona removes a persona for good.
func (s *Store) DeletePersona(ctx context.Context, id int64) error {
	const step = "delete the persona"
	err := s.write(ctx, step, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `delete from personas where id = ?`, id)
		return requireRowChanged(res, err)
	})
	if err != nil {
		return err
	}
	// Its text is in the -wal file until that is emptied. When others are in
	// the way, the next purge does it, or the last program that closes the store.
	s.residue.Store(true)
	_ = s.truncateWAL(ctx, step)
	return nil
}

// requireRowChanged is [history.ErrNotFound] when a statement changed nothing.
func requireRowChanged(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		err = history.ErrNotFound
	}
	return err
}
