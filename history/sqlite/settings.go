package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"confab/history"
)

// Setting returns the value of a name, empty when there is none.
func (s *Store) Setting(ctx context.Context, name string) (string, error) {
	return inRead(ctx, s, "read the setting", func(tx *sql.Tx) (string, error) {
		value, err := selectValue[string](ctx, tx, `select value from settings where name = ?`, name)
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return value, err
	})
}

// SetSetting stores a value under a name.
func (s *Store) SetSetting(ctx context.Context, name, value string) error {
	return s.write(ctx, "save the setting", func(tx *sql.Tx) error {
		if value == "" {
			return execute(ctx, tx, `delete from settings where name = ?`, name)
		}
		return execute(ctx, tx, `insert into settings (name, value) values (?, ?)
			on conflict (name) do update set value = excluded.value`, name, value)
	})
}

// Personas returns the personas whose name or text contains the text.
func (s *Store) Personas(ctx context.Context, text string) ([]history.Persona, error) {
	lowered := strings.ToLower(text)
	return inRead(ctx, s, "list the personas", func(tx *sql.Tx) ([]history.Persona, error) {
		all, err := selectRows(ctx, tx, func(r rowScanner) (p history.Persona, err error) {
			var updated sql.NullInt64
			err = r.Scan(&p.ID, &p.Name, &p.Text, &updated)
			p.Updated = fromMillis(updated)
			return p, err
		}, `select id, name, body, updated from personas order by name collate nocase, id`)
		var found []history.Persona
		for _, p := range all {
			if containsFolded(p.Name, lowered) || containsFolded(p.Text, lowered) {
				found = append(found, p)
			}
		}
		return found, err
	})
}

// SavePersona adds a persona, or changes the one with its id.
func (s *Store) SavePersona(ctx context.Context, p history.Persona) (history.Persona, error) {
	p.Updated = storedTime(s.now())
	return inWrite(ctx, s, "save the persona", func(tx *sql.Tx) (_ history.Persona, err error) {
		columns := []column{{"name", p.Name}, {"body", p.Text}, {"updated", toMillis(p.Updated)}}
		if p.ID != 0 {
			return p, updateRow(ctx, tx, "personas", columns, p.ID)
		}
		p.ID, err = insertRow(ctx, tx, "personas", columns)
		return p, err
	})
}

// DeletePersona removes a persona for good.
func (s *Store) DeletePersona(ctx context.Context, id int64) error {
	const step = "delete the persona"
	err := s.write(ctx, step, func(tx *sql.Tx) error {
		return changeRow(ctx, tx, `delete from personas where id = ?`, id)
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
