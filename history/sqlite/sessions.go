package sqlite

import (
	"context"

	"confab/history"
)

func (tx *transaction) insertSession(name string, forkedFrom int64) int64 {
	last := selectValue[int64](tx, `select coalesce(max(touched), 0) from sessions`)
	now := tx.store.now().UnixMilli()
	id := tx.insertRow("sessions", []column{
		{"created", now}, {"updated", now}, {"touched", last + 1}, {"forked_from", forkedFrom}, {"name", name},
	})
	tx.addToIndex(sessionFTSEntry(id, name))
	return id
}

func sessionFTSEntry(id int64, name string) ftsEntry {
	return ftsEntry{kind: ftsSessions, id: id, texts: []string{name}}
}

// Session implements [history.SessionStore].
func (s *Store) Session(ctx context.Context, id int64) (history.Session, error) {
	return inRead(ctx, s, "read the session", func(tx *transaction) history.Session { return tx.readSession(id) })
}

func (tx *transaction) readSession(id int64) history.Session {
	return selectRow(tx, scanSession, `select `+sessionColumns+` from sessions s where s.id = ? and s.trash = 0`, id)
}

// SessionNamed implements [history.SessionStore].
func (s *Store) SessionNamed(ctx context.Context, name string) (history.Session, error) {
	return inRead(ctx, s, "read the session", func(tx *transaction) history.Session {
		return tx.readSession(tx.sessionNamed(name))
	})
}

// ensureSession returns the session with exactly this name, or a new one when there is none. An empty name always
// makes a new session.
func (tx *transaction) ensureSession(name string) int64 {
	if name != "" {
		if id := tx.sessionNamed(name); id != 0 {
			return id
		}
	}
	return tx.insertSession(name, 0)
}

// sessionNamed returns the only session of a name, 0 when there is none.
func (tx *transaction) sessionNamed(name string) int64 {
	ids := selectColumn[int64](tx,
		`select id from sessions where name = ? and trash = 0 order by touched desc limit 20`, name)
	if len(ids) == 0 {
		return 0
	}
	if len(ids) > 1 {
		tx.fail(&history.AmbiguousNameError{IDs: ids})
	}
	return ids[0]
}

// LastSession implements [history.SessionStore].
func (s *Store) LastSession(ctx context.Context) (history.Session, error) {
	return inRead(ctx, s, "read the last session", func(tx *transaction) history.Session {
		return selectRow(tx, scanSession, `select `+sessionColumns+`
			from sessions s
			where s.trash = 0
			order by s.touched desc
			limit 1`)
	})
}

// RenameSession implements [history.SessionStore].
func (s *Store) RenameSession(ctx context.Context, id int64, name string) error {
	return s.write(ctx, "rename the session", func(tx *transaction) {
		tx.renameSession(tx.readSession(id), name)
	})
}

func (tx *transaction) renameSession(old history.Session, name string) {
	tx.execute(`update sessions set name = ? where id = ?`, name, old.ID)
	tx.updateIndex(sessionFTSEntry(old.ID, old.Name), sessionFTSEntry(old.ID, name))
}

// countAdded counts what was added to a session and makes it the one used last.
func (tx *transaction) countAdded(id int64, turns int, answers []history.Answer) {
	pictures := 0
	for _, a := range answers {
		if a.Picture != nil {
			pictures++
		}
	}
	tx.execute(`update sessions
		set turns = turns + ?, answers = answers + ?, pictures = pictures + ?,
			touched = (select max(touched) + 1 from sessions), updated = max(updated, ?)
		where id = ?`, turns, len(answers), pictures, tx.store.now().UnixMilli(), id)
}

// recountSession counts what a session holds, after something was hidden or shown.
func (tx *transaction) recountSession(id int64) {
	tx.execute(`update sessions
		set (turns, answers, pictures) = (
			select count(distinct t.id), count(a.id), count(a.picture_path)
			from turns t left join answers a on a.turn = t.id and a.trash = 0
			where t.session = sessions.id and t.trash = 0)
		where id = ?`, id)
}

// ForkSession implements [history.SessionStore].
func (s *Store) ForkSession(ctx context.Context, id, uptoTurn int64, name string) (history.Session, error) {
	return inWrite(ctx, s, "fork the session", func(tx *transaction) history.Session {
		from := tx.readSession(id)
		if uptoTurn == 0 {
			uptoTurn = 1 << 62
		} else if tx.readTurn(uptoTurn).Session != id {
			tx.fail(history.ErrNotFound)
		}
		if name == "" {
			name = from.Name + " (fork)"
		}
		to := tx.insertSession(name, id)
		// Turn by turn, so that a long session is never held in memory.
		copies := map[int64]int64{} // the answers' ids
		for last := int64(0); ; {
			page := tx.selectTurns(`t.session = ? and t.id > ? and t.id <= ?`, `t.id`, 100, id, last, uptoTurn)
			if len(page) == 0 {
				break
			}
			last = page[len(page)-1].ID
			for _, t := range page {
				tx.copyTurn(t, to, copies)
			}
		}
		tx.recountSession(to)
		return tx.readSession(to)
	})
}

// copyTurn copies a turn with its answers. Where it names an answer that was copied too, the copy names the copy. An
// answer that still runs is copied as interrupted: nobody will end the copy.
func (tx *transaction) copyTurn(t history.Turn, to int64, copies map[int64]int64) {
	copied := func(id int64) int64 {
		if c, ok := copies[id]; ok {
			return c
		}
		return id
	}
	rows := selectRows(tx, scanAnswerRow,
		`select `+answerColumns()+` from answers a where a.turn = ? and a.trash = 0 order by a.id`, t.ID)
	answers := make([]history.Answer, len(rows))
	for i := range rows {
		answers[i] = rows[i].Answer
	}
	if t.Source != nil {
		t.Source.Answer = copied(t.Source.Answer)
	}
	t.Session = to
	t = tx.insertTurn(t, filterTokens(answers))
	for i, a := range answers {
		original := a.ID
		if !a.State.Ended() {
			a.State = history.Interrupted
			a.Version++
		}
		a.Turn = t.ID
		row := rowOfAnswer(a)
		row.picture.Parent = copied(row.picture.Parent)
		row.isLater, row.isCopied = rows[i].isLater, true
		copies[original] = tx.insertAnswer(row).ID
		tx.execute(`insert into exchanges (answer, body) select ?, body from exchanges where answer = ?`,
			copies[original], original)
	}
}
