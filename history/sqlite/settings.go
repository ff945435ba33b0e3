package sqlite

import (
	"context"
	"strings"

	"confab/history"
)

// Setting implements [history.SettingStore].
func (s *Store) Setting(ctx context.Context, name string) (string, error) {
	return inRead(ctx, s, "read the setting", func(tx *transaction) string {
		return strings.Join(selectColumn[string](tx, `select value from settings where name = ?`, name), "")
	})
}

// SetSetting implements [history.SettingStore].
func (s *Store) SetSetting(ctx context.Context, name, value string) error {
	return s.write(ctx, "save the setting", func(tx *transaction) {
		if value == "" {
			tx.execute(`delete from settings where name = ?`, name)
			return
		}
		tx.execute(`insert into settings (name, value) values (?, ?)
			on conflict (name) do update set value = excluded.value`, name, value)
	})
}

// Personas implements [history.PersonaStore].
func (s *Store) Personas(ctx context.Context, text string) ([]history.Persona, error) {
	text = strings.ToLower(text)
	return inRead(ctx, s, "list the personas", func(tx *transaction) (found []history.Persona) {
		tx.eachRow(func(row scanner) bool {
			var p history.Persona
			row(&p.ID, &p.Name, &p.Text, jsonText{value: &p.Params}, millis{&p.Updated})
			if strings.Contains(strings.ToLower(p.Name), text) || strings.Contains(strings.ToLower(p.Text), text) {
				found = append(found, p)
			}
			return true
		}, `select id, name, body, params, updated from personas order by name collate nocase, id`)
		return found
	})
}

// SavePersona implements [history.PersonaStore].
func (s *Store) SavePersona(ctx context.Context, p history.Persona) (history.Persona, error) {
	p.Updated = history.StoredTime(s.now())
	return inWrite(ctx, s, "save the persona", func(tx *transaction) history.Persona {
		columns := []column{{"name", p.Name}, {"body", p.Text}, {"params", jsonText{value: &p.Params}},
			{"updated", millis{&p.Updated}}}
		if p.ID != 0 {
			tx.updateRow("personas", columns, p.ID)
		} else {
			p.ID = tx.insertRow("personas", columns)
		}
		return p
	})
}

// DeletePersona implements [history.PersonaStore].
func (s *Store) DeletePersona(ctx context.Context, id int64) error {
	const step = "delete the persona"
	err := s.write(ctx, step, func(tx *transaction) { tx.changeRow(`delete from personas where id = ?`, id) })
	if err != nil {
		return err
	}
	// Its text is in the -wal file until that is emptied. When others are in
	// the way, the next purge does it, or the last program that closes the store.
	s.residue.Store(true)
	_ = s.truncateWAL(ctx, step)
	return nil
}
