package sqlite

import (
	"context"
	"database/sql"

	"confab/history"
)

// normalized returns the answer as it can be stored: in milliseconds, without
// negative durations when the clock went back, without what is never stored.
func normalized(a history.Answer) history.Answer {
	a.Elapsed = max(0, a.Elapsed)
	if !a.Queued.IsZero() && !a.Started.IsZero() && a.Started.Before(a.Queued) {
		a.Started = a.Queued
	}
	first := a.Started
	if first.IsZero() {
		first = a.Queued
	}
	if !a.Ended.IsZero() && !first.IsZero() && a.Ended.Before(first) {
		a.Ended = first.Add(a.Elapsed)
	}
	a.Queued, a.Started, a.Ended = storedTime(a.Queued), storedTime(a.Started), storedTime(a.Ended)
	a.Progress = history.Progress{}
	return a
}

// answerOrigin says how an answer came into its turn.
type answerOrigin struct{ later, copied bool }

// insertAnswer adds an answer and returns it as it is stored.
func (s *Store) insertAnswer(ctx context.Context, tx *sql.Tx, a history.Answer, o answerOrigin) (history.Answer,
	error) {
	a = normalized(a)
	if a.State == "" {
		a.State = history.Queued
	}
	a.Sample = max(1, a.Sample)
	row := rowOfAnswer(a)
	row.answerOrigin = o
	if !a.State.Ended() {
		row.owner = s.ownerRow()
	}
	var err error
	if a.ID, err = insertRow(ctx, tx, "answers", row.insertColumns()); err != nil {
		return a, err
	}
	counts := 1
	if o.copied {
		counts = 0
	}
	if err := countAnswer(ctx, tx, a, counts); err != nil {
		return a, err
	}
	return a, addToIndex(ctx, tx, answerFTSEntry(a))
}

func answerFTSEntry(a history.Answer) ftsEntry {
	return ftsEntry{kind: ftsAnswers, id: a.ID, texts: []string{a.Text, a.Note},
		facts: modelToken(a.Model) + " " + kindToken(a.Kind)}
}

// AddAnswers adds further samples to a turn and returns them with the ids filled in.
func (s *Store) AddAnswers(ctx context.Context, turn int64, answers []history.Answer) ([]history.Answer, error) {
	return inWrite(ctx, s, "add the answers", func(tx *sql.Tx) ([]history.Answer, error) {
		return s.addAnswers(ctx, tx, turn, answers)
	})
}

func (s *Store) addAnswers(ctx context.Context, tx *sql.Tx, turnID int64, as []history.Answer) ([]history.Answer,
	error) {
	t, err := readTurn(ctx, tx, turnID)
	if err != nil {
		return nil, err
	}
	added := make([]history.Answer, len(as))
	for i, a := range as {
		a.Turn = turnID
		if added[i], err = s.insertAnswer(ctx, tx, a, answerOrigin{later: true}); err != nil {
			return nil, err
		}
	}
	facts, err := selectValue[string](ctx, tx, `select facts from turns where id = ?`, turnID)
	if err != nil {
		return nil, err
	}
	if more := addFilterTokens(facts, as); more != facts {
		if err := execute(ctx, tx, `update turns set facts = ? where id = ?`, more, turnID); err != nil {
			return nil, err
		}
		if err := updateIndex(ctx, tx, turnFTSEntry(turnID, t.Prompt, t.System, facts),
			turnFTSEntry(turnID, t.Prompt, t.System, more)); err != nil {
			return nil, err
		}
	}
	return added, s.countAdded(ctx, tx, t.Session, 0, added)
}

// SaveAnswer stores how far an answer has come, all but its judgement.
func (s *Store) SaveAnswer(ctx context.Context, a history.Answer) error {
	return s.write(ctx, "save the answer", func(tx *sql.Tx) error {
		old, err := readAnswer(ctx, tx, a.ID)
		if err != nil {
			return err
		}
		ends := a.State.Ended() && !old.State.Ended() || a.State == history.Done && old.State == history.Interrupted
		if a.Version <= old.Version && !ends {
			return nil
		}
		a = normalized(a)
		a.Version = max(a.Version, old.Version+1)
		a.Turn, a.Model, a.Kind, a.Note = old.Turn, old.Model, old.Kind, old.Note
		row := rowOfAnswer(a)
		if !a.State.Ended() { // a row that had ended and runs again belongs to who runs it
			row.owner = s.ownerRow()
		}
		if err := updateRow(ctx, tx, "answers", row.updateColumns(), a.ID); err != nil {
			return err
		}
		if err := updateIndex(ctx, tx, answerFTSEntry(old), answerFTSEntry(a)); err != nil {
			return err
		}
		return s.countChange(ctx, tx, old, a)
	})
}

// countChange keeps the statistics and the session's number of pictures right
// after an answer has changed.
func (s *Store) countChange(ctx context.Context, tx *sql.Tx, old, a history.Answer) error {
	if old.State != a.State {
		if err := countAnswer(ctx, tx, old, -1); err != nil {
			return err
		}
		if err := countAnswer(ctx, tx, a, 1); err != nil {
			return err
		}
	}
	if (old.Picture == nil) == (a.Picture == nil) {
		return nil
	}
	more := 1
	if a.Picture == nil {
		more = -1
	}
	// What is hidden is not counted; showing it again counts anew.
	return execute(ctx, tx, `update sessions set pictures = pictures + ?
		where id = (select t.session from answers a join turns t on t.id = a.turn
			where a.id = ? and a.trash = 0 and t.trash = 0)`, more, a.ID)
}

// readAnswer reads an answer, hidden or not.
func readAnswer(ctx context.Context, tx *sql.Tx, id int64) (history.Answer, error) {
	return scanAnswer(tx.QueryRowContext(ctx, `select `+answerColumns()+` from answers a where a.id = ?`, id))
}

// Answer returns an answer by its id.
func (s *Store) Answer(ctx context.Context, id int64) (history.Answer, error) {
	return inRead(ctx, s, "read the answer", func(tx *sql.Tx) (history.Answer, error) {
		return readVisibleAnswer(ctx, tx, id)
	})
}

func readVisibleAnswer(ctx context.Context, tx *sql.Tx, id int64) (history.Answer, error) {
	return scanAnswer(tx.QueryRowContext(ctx, `select `+answerColumns()+`
		from answers a join turns t on t.id = a.turn join sessions s on s.id = t.session
		where a.id = ? and a.trash = 0 and t.trash = 0 and s.trash = 0`, id))
}

// Judge stores what a person thinks of an answer and returns it, with a newer version.
func (s *Store) Judge(ctx context.Context, id int64, rating history.Rating, winner bool, note string) (history.Answer,
	error) {
	return inWrite(ctx, s, "judge the answer", func(tx *sql.Tx) (history.Answer, error) {
		old, err := readVisibleAnswer(ctx, tx, id)
		if err != nil {
			return old, err
		}
		judged := old
		judged.Version++
		judged.Rating, judged.Winner, judged.Note = rating, winner, note
		err = execute(ctx, tx, `update answers set version = ?, rating = ?, winner = ?, note = ? where id = ?`,
			judged.Version, rating, winner, note, id)
		if err == nil && winner { // also of what is hidden: it may be shown again
			err = execute(ctx, tx,
				`update answers set version = version + 1, winner = 0 where turn = ? and winner = 1 and id <> ?`,
				old.Turn, id)
		}
		if err != nil {
			return old, err
		}
		return judged, updateIndex(ctx, tx, answerFTSEntry(old), answerFTSEntry(judged))
	})
}
