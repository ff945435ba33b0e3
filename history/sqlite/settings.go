package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// Setting returns what the program remembers under a name, empty when nothing.
func (s *Store) Setting(ctx context.Context, name string) (value string, err error) {
	err = s.read(ctx, "read the setting", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `select value from settings where name = ?`, name).Scan(&value)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return value, err
}

// SetSetting remembers a value under a name; an empty one is forgotten.
func (s *Store) SetSetting(ctx context.Context, name, value string) error {
	return s.write(ctx, "save the setting", func(tx *sql.Tx) error {
		if value == "" {
			_, err := tx.ExecContext(ctx, `delete from settings where name = ?`, name)
			return err
		}
		_, err := tx.ExecContext(ctx, `insert into settings (name, value) values (?, ?)
			on conflict (name) do update set value = excluded.value`, name, value)
		return err
	})
}
