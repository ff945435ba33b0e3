package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"confab/history"
)

// AddSession adds a session without turns and returns its id.
func (tx *Tx) AddSession(name string, forkedFrom int64) int64 {
	touched := SelectValue[int64](tx, `select `+nextTouch)
	return tx.addSession(name, forkedFrom, tx.store.now(), touched)
}

// nextTouch is the rank of a session that is used now. Ranks of imported sessions that were not used are negative.
const nextTouch = `(select coalesce(max(touched), 0) + 1 from sessions where touched > 0)`

func (tx *Tx) addSession(name string, forkedFrom int64, created time.Time, touched int64) int64 {
	id := tx.insertRow("sessions", []column{{"created", millis{&created}}, {"updated", millis{&created}},
		{"touched", touched}, {"forked_from", forkedFrom}, {"name", name}})
	tx.AddToIndex(sessionEntry(id, name))
	return id
}

func sessionEntry(id int64, name string) IndexEntry {
	return IndexEntry{Kind: SessionRows, ID: id, Texts: []string{name}}
}

// Session implements [history.SessionStore].
func (s *Store) Session(ctx context.Context, id int64) (history.Session, error) {
	return inTx(ctx, s, reading, "read the session", func(tx *Tx) history.Session {
		return tx.readSession(tx.lookInto(id))
	})
}

func (tx *Tx) readSession(id int64) history.Session {
	defer tx.explainMissing(id)
	return selectRow(tx, tx.scanSession, `select `+sessionColumns()+` from sessions s where s.id = ? and s.trash = 0`, id)
}

// SessionNamed implements [history.SessionStore].
func (s *Store) SessionNamed(ctx context.Context, name string) (history.Session, error) {
	return inTx(ctx, s, reading, "read the session", func(tx *Tx) history.Session {
		return tx.readSession(tx.sessionNamed(name))
	})
}

// ensureSession returns the session with exactly this name, or adds one. For an empty name it always adds a session.
func (tx *Tx) ensureSession(name string) int64 {
	if name != "" {
		if id := tx.sessionNamed(name); id != 0 {
			return id
		}
	}
	return tx.AddSession(name, 0)
}

// sessionNamed returns the id of the only session with a name, 0 when there is none.
func (tx *Tx) sessionNamed(name string) int64 {
	ids := SelectColumn[int64](tx,
		`select id from sessions where name = ? and trash = 0 order by touched desc limit 20`, name)
	if len(ids) == 0 {
		return 0
	}
	if len(ids) > 1 {
		tx.Fail(&history.AmbiguousNameError{IDs: ids})
	}
	return ids[0]
}

// LastSession implements [history.SessionStore].
func (s *Store) LastSession(ctx context.Context) (history.Session, error) {
	return inTx(ctx, s, reading, "read the last session", func(tx *Tx) history.Session {
		return selectRow(tx, tx.scanSession, `select `+sessionColumns()+`
			from sessions s
			where s.trash = 0 and not exists (select 1 from runs r where r.session = s.id)
			order by s.touched desc
			limit 1`)
	})
}

// RenameSession implements [history.SessionStore].
func (s *Store) RenameSession(ctx context.Context, id int64, name string) error {
	return s.Write(ctx, "rename the session", func(tx *Tx) {
		tx.renameSession(tx.readSession(id), name, 0)
	})
}

// renameSession sets a name that a person chose, or that came from the prompt of a turn.
func (tx *Tx) renameSession(old history.Session, name string, turn int64) {
	tx.Execute(`update sessions set name = ?, name_turn = ? where id = ?`, name, turn, old.ID)
	tx.updateIndex(sessionEntry(old.ID, old.Name), sessionEntry(old.ID, name))
}

// nameByTurns renames a session by its first shown prompt, without values, after turns were hidden or shown, unless a
// person named it. So no name contains deleted text.
func (tx *Tx) nameByTurns(id int64) {
	in := selectRow(tx, tx.scanSession, `select `+sessionColumns()+` from sessions s where s.id = ?`, id)
	if in.NameTurn == 0 && in.Name != "" {
		return
	}
	name, from := "", int64(0)
	for row := range tx.Rows(`select id, case when template <> '' then template else prompt end from turns
		where session = ? and trash = 0 order by id`, id) {
		var prompt string
		if row(&from, &prompt); prompt != "" {
			if name = history.SessionName(prompt); name != "" {
				break
			}
		}
	}
	if name == "" {
		from = 0
	}
	if from != in.NameTurn {
		tx.renameSession(in, name, from)
	}
}

// countAdded updates the counts of a session and makes it the last used.
func (tx *Tx) countAdded(id int64, turns int, answers []history.Answer) {
	pictures := 0
	for _, a := range answers {
		if a.Picture != nil {
			pictures++
		}
	}
	tx.Execute(`update sessions
		set turns = turns + ?1, answers = answers + ?2, pictures = pictures + ?3,
			setup = '', touched = `+nextTouch+`,
			updated = case when updated < ?4 then ?4 else updated end
		where id = ?5`, turns, len(answers), pictures, tx.store.now().UnixMilli(), id)
}

// recountSession counts the entries of a session again after some were hidden or shown.
func (tx *Tx) recountSession(id int64) {
	tx.Execute(`update sessions
		set (turns, answers, pictures) = (
			select count(distinct t.id), count(a.id), count(a.picture_path)
			from turns t left join answers a on a.turn = t.id and a.trash = 0
			where t.session = sessions.id and t.trash = 0)
		where id = ?`, id)
}

// Setup implements [history.SessionStore].
func (s *Store) Setup(ctx context.Context, session int64) (*history.Setup, error) {
	return inTx(ctx, s, reading, "read the settings of the session", func(tx *Tx) *history.Setup {
		return tx.setup(tx.readSession(tx.lookInto(session)).ID)
	})
}

// setup returns the stored setup of a session, else that of its newest turn. Of another user's session, it returns
// that of the newest turn.
func (tx *Tx) setup(session int64) *history.Setup {
	if tx.owner == "" {
		var stored *history.Setup
		selectRow(tx, func(row Scanner) any { row(jsonText{value: &stored}); return nil },
			`select setup from sessions where id = ?`, session)
		if stored != nil {
			return stored
		}
	}
	newest := tx.readPage(tx.ownID(session), history.Page{Limit: 1})
	if len(newest) == 0 {
		return nil
	}
	tx.readAnswersInto(newest)
	setup := newest[0].Setup()
	return &setup
}

// SaveSetup implements [history.SessionStore].
func (s *Store) SaveSetup(ctx context.Context, session int64, setup history.Setup) error {
	return s.Write(ctx, "store the settings of the session", func(tx *Tx) {
		tx.putSetup(tx.readSession(session).ID, &setup)
	})
}

func (tx *Tx) putSetup(session int64, setup *history.Setup) {
	tx.Execute(`update sessions set setup = ? where id = ?`, jsonText{value: setup}, session)
}

// ForkSession implements [history.SessionStore].
func (s *Store) ForkSession(ctx context.Context, id, uptoTurn int64, name string) (history.Session, error) {
	return inTx(ctx, s, s.wait, "fork the session", func(tx *Tx) history.Session {
		from := tx.readSession(tx.lookInto(id))
		number, lastTurn, setup := tx.number, tx.ownID(uptoTurn), tx.setup(id)
		if uptoTurn == 0 {
			lastTurn = 1 << 62
		} else if tx.readTurn(lastTurn).Session != id {
			tx.Fail(history.ErrNotFound)
		}
		nameTurn := int64(0)
		if name == "" {
			name, nameTurn = from.Name+" (fork)", from.NameTurn
		}
		tx.LookAt(0)
		to := tx.AddSession(name, id)
		// Copying turn by turn avoids holding a long session in memory.
		copies := &copiedIDs{turns: map[int64]int64{}, answers: map[int64]int64{}}
		for last := int64(0); ; {
			tx.LookAt(number)
			page := tx.selectTurns(`t.session = ? and t.off_path = 0 and t.id > ? and t.id <= ?`, `t.id`,
				100, tx.ownID(id), last, lastTurn)
			if len(page) == 0 {
				break
			}
			tx.readFilesInto(page)
			answers := make([][]answerRow, len(page))
			for i, t := range page {
				last = tx.ownID(t.ID)
				answers[i] = selectRows(tx, tx.scanAnswerRow,
					`select `+answerColumns()+` from answers a where a.turn = ? and a.trash = 0 order by a.id`, last)
			}
			tx.LookAt(0)
			for i, t := range page {
				tx.copyTurn(t, answers[i], to, copies)
			}
		}
		tx.LookAt(0)
		if nameTurn != 0 {
			tx.Execute(`update sessions set name_turn = ? where id = ?`, copies.turns[nameTurn], to)
		}
		tx.putSetup(to, setup)
		tx.recountSession(to)
		return tx.readSession(to)
	})
}

// copiedIDs maps the ids of originals to those of their copies.
type copiedIDs struct {
	turns, answers map[int64]int64
	last           int64 // the copy made last
}

// copyTurn copies a turn with its answers. References to copied answers point to the copies. The copy of a running
// answer is interrupted, because no process will end it.
func (tx *Tx) copyTurn(t history.Turn, rows []answerRow, to int64, copies *copiedIDs) {
	copied := func(id int64) int64 { return cmp.Or(copies.answers[id], id) }
	answers := make([]history.Answer, len(rows))
	for i := range rows {
		answers[i] = rows[i].Answer
	}
	if t.Source != nil {
		t.Source.Answer = copied(t.Source.Answer)
	}
	t.Session, t.Parent = to, copies.last
	originalTurn := t.ID
	t = tx.insertTurn(t, filterWords(answers))
	copies.turns[originalTurn], copies.last = t.ID, t.ID
	for i, a := range answers {
		original := a.ID
		if !a.State.HasEnded() {
			a.State = history.Interrupted
			a.Version++
		}
		a.Turn = t.ID
		a.SentTurns.Turns = slices.Clone(a.SentTurns.Turns)
		for i, sent := range a.SentTurns.Turns {
			a.SentTurns.Turns[i] = history.SentTurn{Turn: cmp.Or(copies.turns[sent.Turn], sent.Turn),
				Answer: copied(sent.Answer)}
		}
		row := rowOfAnswer(a)
		row.picture.Parent = copied(row.picture.Parent)
		row.isLater, row.isCopied = rows[i].isLater, true
		copies.answers[original] = tx.insertAnswer(row).ID
		tx.Execute(`insert into exchanges (answer, body) select ?, body from exchanges where answer = ?`,
			copies.answers[original], original)
	}
}
