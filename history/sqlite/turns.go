package sqlite

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"confab/history"
)

// AddTurn records a turn with its answers before it is sent, and returns it
// with the ids filled in. Its answers that have not ended belong to the owner of
// the store. The session becomes the one used last, and is named from the
// prompt when it has no name. A zero Created stands for now.
func (s *Store) AddTurn(ctx context.Context, t history.Turn) (history.Turn, error) {
	err := s.write(ctx, "record the turn", func(tx *sql.Tx) (err error) {
		t, err = s.addTurn(ctx, tx, t)
		return err
	})
	if err != nil {
		return history.Turn{}, err
	}
	return t, nil
}

// AddTurnToSession records a turn as [Store.AddTurn] does, in the session with exactly this name. When there is none,
// or
// the name is empty, the session is made in the same transaction, so that no session is left without its first turn.
// Two processes that give one name at the same time get the same session. When several sessions have the name, the
// error is an [history.AmbiguousNameError].
func (s *Store) AddTurnToSession(ctx context.Context, name string, t history.Turn) (history.Turn, error) {
	err := s.write(ctx, "record the turn", func(tx *sql.Tx) (err error) {
		if t.Session, err = s.ensureSession(ctx, tx, name); err != nil {
			return err
		}
		t, err = s.addTurn(ctx, tx, t)
		return err
	})
	if err != nil {
		return history.Turn{}, err
	}
	return t, nil
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
	t.Created = fromMillis(toMillis(t.Created))
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
	inserted := row.inserted()
	res, err := tx.ExecContext(ctx, insertInto("turns", inserted), fieldsOf(inserted)...)
	if err != nil {
		return t, err
	}
	if t.ID, err = res.LastInsertId(); err != nil {
		return t, err
	}
	return t, addToIndex(ctx, tx, turnFTSEntry(t.ID, t.Prompt, t.System, facts))
}

func turnFTSEntry(id int64, prompt, system, facts string) ftsEntry {
	return ftsEntry{kind: ftsTurns, id: id, texts: []string{prompt, system}, facts: facts}
}

// countAdded counts what was added to a session and makes it the one used last.
func (s *Store) countAdded(ctx context.Context, tx *sql.Tx, id int64, turns int, answers []history.Answer) error {
	pictures := 0
	for _, a := range answers {
		if a.Picture != nil {
			pictures++
		}
	}
	_, err := tx.ExecContext(ctx,
		`update sessions set turns = turns + ?, answers = answers + ?, pictures = pictures + ? where id = ?`,
		turns, len(answers), pictures, id)
	if err != nil {
		return err
	}
	return s.touch(ctx, tx, id)
}

// Turn returns a turn with its answers.
func (s *Store) Turn(ctx context.Context, id int64) (found history.Turn, err error) {
	err = s.read(ctx, "read the turn", func(tx *sql.Tx) error {
		found, err = readTurn(ctx, tx, id)
		if err != nil {
			return err
		}
		turns := []history.Turn{found}
		err = readAnswersInto(ctx, tx, turns)
		found = turns[0]
		return err
	})
	return found, err
}

// readTurn reads a turn that is not hidden, without its answers.
func readTurn(ctx context.Context, tx *sql.Tx, id int64) (history.Turn, error) {
	return scanTurn(tx.QueryRowContext(ctx, `select `+turnColumns()+`
		from turns t join sessions s on s.id = t.session
		where t.id = ? and t.trash = 0 and s.trash = 0`, id))
}

// Turns returns a page of a session's turns with their answers, the oldest
// first.
func (s *Store) Turns(ctx context.Context, session int64, p history.Page) ([]history.Turn, error) {
	if p.Limit <= 0 {
		p.Limit = 50
	}
	var turns []history.Turn
	err := s.read(ctx, "read the turns", func(tx *sql.Tx) error {
		var err error
		switch {
		case p.Around > 0:
			var after []history.Turn
			if turns, err = turnsBefore(ctx, tx, session, p.Around, (p.Limit+1)/2-1); err != nil {
				return err
			}
			if after, err = turnsAfter(ctx, tx, session, p.Around-1, p.Limit-len(turns)); err != nil {
				return err
			}
			// Near the end of a session the other side gives more.
			if missing := p.Limit - len(turns) - len(after); missing > 0 && len(turns) > 0 {
				more, err := turnsBefore(ctx, tx, session, turns[0].ID, missing)
				if err != nil {
					return err
				}
				turns = append(more, turns...)
			}
			turns = append(turns, after...)
		case p.After > 0:
			turns, err = turnsAfter(ctx, tx, session, p.After, p.Limit)
		case p.Before > 0:
			turns, err = turnsBefore(ctx, tx, session, p.Before, p.Limit)
		default:
			turns, err = turnsBefore(ctx, tx, session, 1<<62, p.Limit)
		}
		if err != nil {
			return err
		}
		return readAnswersInto(ctx, tx, turns)
	})
	return turns, err
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
	var turns []history.Turn
	rows, err := tx.QueryContext(ctx, `select `+turnColumns()+`
		from turns t cross join sessions s on s.id = t.session
		where `+where+` and t.trash = 0 and s.trash = 0
		order by `+order+`
		limit ?`, append(args, limit)...)
	err = forEachRow(rows, err, func() error {
		t, err := scanTurn(rows)
		turns = append(turns, t)
		return err
	})
	return turns, err
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

// FindInSession returns the ids of the turns of a session whose prompt, system
// prompt, answers or notes contain the text whatever its case, the oldest first.
func (s *Store) FindInSession(ctx context.Context, session int64, text string) ([]int64, error) {
	if text == "" {
		return nil, nil
	}
	lowered := strings.ToLower(text)
	var ids []int64
	err := s.read(ctx, "search the session", func(tx *sql.Tx) error {
		for _, query := range []string{
			`select t.id, t.prompt, t.system
				from turns t cross join sessions s on s.id = t.session
				where t.session = ? and t.trash = 0 and s.trash = 0`,
			`select t.id, a.answer, a.note
				from turns t cross join sessions s on s.id = t.session cross join answers a on a.turn = t.id
				where t.session = ? and t.trash = 0 and s.trash = 0 and a.trash = 0`,
		} {
			rows, err := tx.QueryContext(ctx, query, session)
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
			if err != nil {
				return err
			}
		}
		return nil
	})
	slices.Sort(ids)
	return slices.Compact(ids), err
}
