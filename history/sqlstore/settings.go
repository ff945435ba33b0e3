package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"confab/history"
)

// Setting implements [history.SettingStore].
func (s *Store) Setting(ctx context.Context, name string) (string, error) {
	return inTx(ctx, s, reading, "read the setting", func(tx *Tx) string { return tx.setting(name) })
}

func (tx *Tx) setting(name string) string {
	return strings.Join(SelectColumn[string](tx, `select value from settings where name = ?`, name), "")
}

// SetSetting implements [history.SettingStore].
func (s *Store) SetSetting(ctx context.Context, name, value string) error {
	return s.Write(ctx, "save the setting", func(tx *Tx) { tx.setSetting(name, value) })
}

func (tx *Tx) setSetting(name, value string) {
	if value == "" {
		tx.Execute(`delete from settings where name = ?`, name)
		return
	}
	tx.upsertRow("settings", []column{{"name", name}}, []column{{"value", value}})
}

// answersSetting holds a day and its count of answers.
const answersSetting = "answers.day"

// CountAnswers implements [history.SettingStore].
func (s *Store) CountAnswers(ctx context.Context, day string, answers, limit int) (before int, err error) {
	return inTx(ctx, s, s.wait, "count the answers of a day", func(tx *Tx) int {
		before := 0
		if counted, text, _ := strings.Cut(tx.setting(answersSetting), " "); counted == day {
			before, _ = strconv.Atoi(text)
		}
		if sum := before + answers; answers < 0 || answers > 0 && sum <= limit {
			tx.setSetting(answersSetting, day+" "+strconv.Itoa(max(0, sum)))
		}
		return before
	})
}

// Personas implements [history.PersonaStore].
func (s *Store) Personas(ctx context.Context, text string) ([]history.Persona, error) {
	text = strings.ToLower(text)
	found, err := inTx(ctx, s, reading, "list the personas", func(tx *Tx) (found []history.Persona) {
		columns := columnList("", personaColumns(new(history.Persona)))
		for row := range tx.Rows(`select id, ` + columns + ` from personas order by id`) {
			var p history.Persona
			row(append([]any{&p.ID}, fieldsOf(personaColumns(&p))...)...)
			if strings.Contains(strings.ToLower(p.Name), text) || strings.Contains(strings.ToLower(p.Text), text) {
				found = append(found, p)
			}
		}
		return found
	})
	slices.SortStableFunc(found, func(a, b history.Persona) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return found, err
}

// SavePersona implements [history.PersonaStore].
func (s *Store) SavePersona(ctx context.Context, p history.Persona) (history.Persona, error) {
	p.Updated = history.StoredTime(s.now())
	return inTx(ctx, s, s.wait, "save the persona", func(tx *Tx) history.Persona {
		p := p
		if p.ID != 0 {
			tx.updateRow("personas", personaColumns(&p), p.ID)
		} else {
			p.ID = tx.insertRow("personas", personaColumns(&p))
		}
		return p
	})
}

// DeletePersona implements [history.PersonaStore].
func (s *Store) DeletePersona(ctx context.Context, id int64) error {
	const step = "delete the persona"
	err := s.Write(ctx, step, func(tx *Tx) { tx.changeRow(`delete from personas where id = ?`, id) })
	if err != nil {
		return err
	}
	// If other processes block it, the next purge or the last process that closes the store does it.
	s.db.BeginPurge()
	_ = s.db.EndPurge(ctx)
	return nil
}
