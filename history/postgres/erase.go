package postgres

import (
	"context"

	"confab/history/sqlstore"
)

// Erase deletes all rows of the user, and votes of others on them, in steps between which others can write. The
// caller deletes the picture files before.
func (s *Store) Erase(ctx context.Context) error {
	for _, rows := range []struct{ table, key, where string }{
		{"exchanges", "answer", ""}, {"words", "id", "kind = 'answer'"}, {"answers", "id", ""},
		{"words", "id", "kind = 'turn'"}, {"turns", "id", ""}, {"words", "id", "kind = 'session'"},
		{"sessions", "id", ""}, {"votes", "id", ""}, {"shown_pairs", "one", ""}, {"trash", "id", ""},
		{"models", "name", ""}, {"settings", "name", ""}, {"personas", "id", ""}, {"drafts", "name", ""},
	} {
		where := `owner = current_setting('confab.owner')` // row-level security also shows rows that others share
		if rows.where != "" {
			where += " and " + rows.where
		}
		statement := `delete from confab_data.` + rows.table + ` where ` + where + ` and ` + rows.key +
			` in (select ` + rows.key + ` from confab_data.` + rows.table + ` where ` + where + ` limit 1000)`
		for deleted := int64(1); deleted > 0; {
			err := s.Write(ctx, "delete everything of a user", func(tx *sqlstore.Tx) {
				deleted = tx.Execute(statement)
			})
			if err != nil {
				return err
			}
		}
	}
	return s.Write(ctx, "delete everything of a user", func(tx *sqlstore.Tx) { tx.Execute(`select remove_sharer()`) })
}
