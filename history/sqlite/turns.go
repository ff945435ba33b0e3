package sqlite

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"confab/history"
)

// AddTurn records a turn with its answers and returns it with the ids filled in.
func (s *Store) AddTurn(ctx context.Context, t history.Turn) (history.Turn, error) {
	return inWrite(ctx, s, "record the turn", func(tx *sql.Tx) (history.Turn, error) { return s.addTurn(ctx, tx, t) })
}

// AddTurnToSession records a turn in the session with exactly this name, which it makes when there is none.
func (s *Store) AddTurnToSession(ctx context.Context, name string, t history.Turn) (history.Turn, error) {
	return inWrite(ctx, s, "record the turn", func(tx *sql.Tx) (_ history.Turn, err error) {
		if t.Session, err = s.ensureSession(ctx, tx, name); err != nil {
			return t, err
		}
		return s.addTurn(ctx, tx, t)
	})
}

func (s *Store) addTurn(ctx context.Context, tx *sql.Tx, t history.Turn) (history.Turn, error) {
	in, err := readSession(ctx, tx, t.Session)
	if err != nil {
		return t, err
	}
	if t, err = s.insertTurn(ctx, tx, t, filterTokens(t.Answers)); err != nil {
		return t, err
	}
	answers := slices.Clone(t.Answers)
	for i, a := range answers {
		a.Turn = t.ID
		if answers[i], err = s.insertAnswer(ctx, tx, a, answerOrigin{}); err != nil {
			return t, err
		}
	}
	t.Answers = answers
	if in.Name == "" {
		if name := history.SessionName(t.Prompt); name != "" {
			if err := renameSession(ctx, tx, in, name); err != nil {
				return t, err
			}
		}
	}
	return t, s.countAdded(ctx, tx, t.Session, 1, answers)
}

// insertTurn adds the row of a turn without its answers.
func (s *Store) insertTurn(ctx context.Context, tx *sql.Tx, t history.Turn, facts string) (history.Turn, error) {
	if t.Created.IsZero() {
		t.Created = s.now()
	}
	t.Created = storedTime(t.Created)
	t.Samples = max(1, t.Samples)
	if t.Source != nil {
		copied := *t.Source
		t.Source = &copied
	}
	if t.Vars = maps.Clone(t.Vars); len(t.Vars) == 0 {
		t.Vars = nil
	}
	row, err := rowOfTurn(t, facts)
	if err != nil {
		return t, err
	}
	if t.ID, err = insertRow(ctx, tx, "turns", row.inserted()); err != nil {
		return t, err
	}
	return t, addToIndex(ctx, tx, turnFTSEntry(t.ID, t.Prompt, t.System, facts))
}

func turnFTSEntry(id int64, prompt, system, facts string) ftsEntry {
	return ftsEntry{kind: ftsTurns, id: id, texts: []string{prompt, system}, facts: facts}
}

// Turn returns a turn with its answers.
func (s *Store) Turn(ctx context.Context, id int64) (history.Turn, error) {
	return inRead(ctx, s, "read the turn", func(tx *sql.Tx) (history.Turn, error) {
		found, err := readTurn(ctx, tx, id)
		if err != nil {
			return found, err
		}
		turns := []history.Turn{found}
		err = readAnswersInto(ctx, tx, turns)
		return turns[0], err
	})
}

// readTurn reads a turn that is not hidden, without its answers.
func readTurn(ctx context.Context, tx *sql.Tx, id int64) (history.Turn, error) {
	return scanTurn(tx.QueryRowContext(ctx, `select `+turnColumns()+`
		from turns t join sessions s on s.id = t.session
		where t.id = ? and t.trash = 0 and s.trash = 0`, id))
}

// Turns returns a page of a session's turns with their answers, the oldest first.
func (s *Store) Turns(ctx context.Context, session int64, p history.Page) ([]history.Turn, error) {
	if p.Limit <= 0 {
		p.Limit = 50
	}
	return inRead(ctx, s, "read the turns", func(tx *sql.Tx) ([]history.Turn, error) {
		turns, err := readPage(ctx, tx, session, p)
		if err == nil {
			err = readAnswersInto(ctx, tx, turns)
		}
		return turns, err
	})
}

// readPage reads the turns of a page without their answers.
func readPage(ctx context.Context, tx *sql.Tx, session int64, p history.Page) ([]history.Turn, error) {
	switch {
	case p.Around > 0:
		return turnsAround(ctx, tx, session, p.Around, p.Limit)
	case p.After > 0:
		return turnsAfter(ctx, tx, session, p.After, p.Limit)
	case p.Before > 0:
		return turnsBefore(ctx, tx, session, p.Before, p.Limit)
	}
	return turnsBefore(ctx, tx, session, 1<<62, p.Limit)
}

func turnsAround(ctx context.Context, tx *sql.Tx, session, id int64, limit int) ([]history.Turn, error) {
	before, err := turnsBefore(ctx, tx, session, id, (limit+1)/2-1)
	if err != nil {
		return nil, err
	}
	after, err := turnsAfter(ctx, tx, session, id-1, limit-len(before))
	if err != nil {
		return nil, err
	}
	// Near the end of a session the other side gives more.
	var more []history.Turn
	if missing := limit - len(before) - len(after); missing > 0 && len(before) > 0 {
		more, err = turnsBefore(ctx, tx, session, before[0].ID, missing)
	}
	return slices.Concat(more, before, after), err
}

func turnsBefore(ctx context.Context, tx *sql.Tx, session, before int64, limit int) ([]history.Turn, error) {
	turns, err := selectTurns(ctx, tx, `t.session = ? and t.id < ?`, `t.id desc`, limit, session, before)
	slices.Reverse(turns)
	return turns, err
}

func turnsAfter(ctx context.Context, tx *sql.Tx, session, after int64, limit int) ([]history.Turn, error) {
	return selectTurns(ctx, tx, `t.session = ? and t.id > ?`, `t.id`, limit, session, after)
}

func selectTurns(ctx context.Context, tx *sql.Tx, where, order string, limit int, args ...any) ([]history.Turn, error) {
	if limit <= 0 {
		return nil, nil
	}
	return selectRows(ctx, tx, func(r rowScanner) (history.Turn, error) { return scanTurn(r) },
		`select `+turnColumns()+`
		from turns t cross join sessions s on s.id = t.session
		where `+where+` and t.trash = 0 and s.trash = 0
		order by `+order+`
		limit ?`, append(args, limit)...)
}

// readAnswersInto reads the answers of turns that follow one another in a session.
func readAnswersInto(ctx context.Context, tx *sql.Tx, turns []history.Turn) error {
	if len(turns) == 0 {
		return nil
	}
	at := make(map[int64]int, len(turns))
	for i, t := range turns {
		at[t.ID] = i
	}
	rows, err := tx.QueryContext(ctx, `select `+answerColumns()+`, a.later
		from turns t cross join answers a on a.turn = t.id
		where t.session = ? and t.id between ? and ? and t.trash = 0 and a.trash = 0
		order by t.id, a.id`, turns[0].Session, turns[0].ID, turns[len(turns)-1].ID)
	return forEachRow(rows, err, func() error {
		var later bool
		a, err := scanAnswer(rows, &later)
		if err != nil {
			return err
		}
		if i, ok := at[a.Turn]; ok {
			if later {
				turns[i] = history.Apply(turns[i], history.Event{Turn: a.Turn, Answer: a})
			} else {
				turns[i].Answers = append(turns[i].Answers, a)
			}
		}
		return nil
	})
}

// FindInSession returns the turns of a session with the text in any of their texts, whatever its case.
func (s *Store) FindInSession(ctx context.Context, session int64, text string) ([]int64, error) {
	if text == "" {
		return nil, nil
	}
	lowered := strings.ToLower(text)
	return inRead(ctx, s, "search the session", func(tx *sql.Tx) ([]int64, error) {
		var ids []int64
		rows, err := tx.QueryContext(ctx, `select t.id, t.prompt, t.system
				from turns t cross join sessions s on s.id = t.session
				where t.session = ?1 and t.trash = 0 and s.trash = 0
			union all select t.id, a.answer, a.note
				from turns t cross join sessions s on s.id = t.session cross join answers a on a.turn = t.id
				where t.session = ?1 and t.trash = 0 and s.trash = 0 and a.trash = 0`, session)
		err = forEachRow(rows, err, func() error {
			var id int64
			var one, other string
			if err := rows.Scan(&id, &one, &other); err != nil {
				return err
			}
			if containsFolded(one, lowered) || containsFolded(other, lowered) {
				ids = append(ids, id)
			}
			return nil
		})
		slices.Sort(ids)
		return slices.Compact(ids), err
	})
}
