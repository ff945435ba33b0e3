package history

import (
	"context"
	"database/sql"
)

const answerColumns = `a.id, a.turn, a.model, a.kind, a.sample, a.state, a.version, a.answer, a.served_model,
	a.failure_code, a.failure_message, a.sent_prompt, a.sent_nonce, a.source_url, a.http_status, a.cached,
	a.queued, a.started, a.ended, a.elapsed, a.masked, a.sha256, a.rating, a.winner, a.note,
	a.picture_path, a.picture_type, a.picture_width, a.picture_height, a.picture_bytes, a.picture_sha256, a.picture_parent, a.picture_too_large,
	a.engine, a.engine_model, a.service_note`

func scanAnswer(r rowScanner, more ...any) (Answer, error) {
	var a Answer
	var f Failure
	var p Picture
	var path, contentType, sum sql.NullString
	var width, height, size, parent sql.NullInt64
	var tooLarge sql.NullBool
	var queued, started, ended sql.NullInt64
	err := r.Scan(append([]any{&a.ID, &a.Turn, &a.Model, &a.Kind, &a.Sample, &a.State, &a.Version, &a.Text, &a.ServedModel,
		&f.Code, &f.Message, &a.SentPrompt, &a.SentNonce, &a.SourceURL, &a.HTTPStatus, &a.Cached,
		&queued, &started, &ended, &a.Elapsed, &a.Masked, &a.SHA256, &a.Rating, &a.Winner, &a.Note,
		&path, &contentType, &width, &height, &size, &sum, &parent, &tooLarge,
		&a.Engine, &a.EngineModel, &a.ServiceNote}, more...)...)
	a.Queued, a.Started, a.Ended = fromMillis(queued), fromMillis(started), fromMillis(ended)
	if f != (Failure{}) {
		a.Failure = &f
	}
	if path.Valid {
		p = Picture{Path: path.String, ContentType: contentType.String, Width: int(width.Int64), Height: int(height.Int64),
			Bytes: size.Int64, SHA256: sum.String, Parent: parent.Int64, TooLarge: tooLarge.Bool}
		a.Picture = &p
	}
	return a, err
}

// answerValues are the columns of an answer that change while it comes in, in
// the order of answerSets.
func answerValues(a Answer) []any {
	var f Failure
	if a.Failure != nil {
		f = *a.Failure
	}
	values := []any{string(a.State), a.Version, a.Text, a.ServedModel, f.Code, f.Message, a.SentPrompt, a.SentNonce, a.SourceURL,
		a.HTTPStatus, toInt(a.Cached), toMillis(a.Queued), toMillis(a.Started), toMillis(a.Ended), int64(a.Elapsed), toInt(a.Masked), a.SHA256, a.Engine, a.EngineModel, a.ServiceNote}
	if p := a.Picture; p != nil {
		return append(values, p.Path, p.ContentType, p.Width, p.Height, p.Bytes, p.SHA256, p.Parent, toInt(p.TooLarge))
	}
	return append(values, nil, nil, nil, nil, nil, nil, nil, nil)
}

const answerSets = `state, version, answer, served_model, failure_code, failure_message, sent_prompt, sent_nonce, source_url,
	http_status, cached, queued, started, ended, elapsed, masked, sha256, engine, engine_model, service_note,
	picture_path, picture_type, picture_width, picture_height, picture_bytes, picture_sha256, picture_parent, picture_too_large`

// normalized returns the answer as it can be stored: in milliseconds, without
// negative durations when the clock went back, without what is never stored.
func normalized(a Answer) Answer {
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
	a.Queued, a.Started, a.Ended = fromMillis(toMillis(a.Queued)), fromMillis(toMillis(a.Started)), fromMillis(toMillis(a.Ended))
	a.Progress = Progress{}
	return a
}

// answerOrigin says how an answer came into its turn.
type answerOrigin struct{ later, copied bool }

// insertAnswer adds an answer and returns it as it is stored.
func (s *Store) insertAnswer(ctx context.Context, tx *sql.Tx, a Answer, o answerOrigin) (Answer, error) {
	a = normalized(a)
	if a.State == "" {
		a.State = Queued
	}
	a.Sample = max(1, a.Sample)
	var owner ownerRow
	if !a.State.Ended() {
		owner = s.owner.row()
	}
	values := append([]any{a.Turn, a.Model, string(a.Kind), a.Sample, toInt(o.later), toInt(o.copied), int(a.Rating), toInt(a.Winner), a.Note,
		owner.pid, owner.started, owner.boot, owner.host}, answerValues(a)...)
	res, err := tx.ExecContext(ctx, `insert into answers (turn, model, kind, sample, later, copied, rating, winner, note,
			owner_pid, owner_started, owner_boot, owner_host, `+answerSets+`)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values...)
	if err != nil {
		return a, err
	}
	if a.ID, err = res.LastInsertId(); err != nil {
		return a, err
	}
	if err := countAnswer(ctx, tx, a, !o.copied); err != nil {
		return a, err
	}
	return a, addToIndex(ctx, tx, answerFTSEntry(a))
}

func answerFTSEntry(a Answer) ftsEntry {
	return ftsEntry{kind: ftsAnswers, id: a.ID, texts: []string{a.Text, a.Note}, facts: modelToken(a.Model) + " " + kindToken(a.Kind)}
}

// AddAnswers adds further samples to a turn and returns them with the ids
// filled in. Those that have not ended belong to the owner of the store.
func (s *Store) AddAnswers(ctx context.Context, turnID int64, as []Answer) (added []Answer, err error) {
	err = s.write(ctx, "add the answers", func(tx *sql.Tx) (err error) {
		added, err = s.addAnswers(ctx, tx, turnID, as)
		return err
	})
	if err != nil {
		return nil, err
	}
	return added, nil
}

func (s *Store) addAnswers(ctx context.Context, tx *sql.Tx, turnID int64, as []Answer) ([]Answer, error) {
	t, err := readTurn(ctx, tx, turnID)
	if err != nil {
		return nil, err
	}
	added := make([]Answer, len(as))
	for i, a := range as {
		a.Turn = turnID
		if added[i], err = s.insertAnswer(ctx, tx, a, answerOrigin{later: true}); err != nil {
			return nil, err
		}
	}
	var facts string
	if err := tx.QueryRowContext(ctx, `select facts from turns where id = ?`, turnID).Scan(&facts); err != nil {
		return nil, err
	}
	if more := addFilterTokens(facts, as); more != facts {
		if _, err := tx.ExecContext(ctx, `update turns set facts = ? where id = ?`, more, turnID); err != nil {
			return nil, err
		}
		if err := updateIndex(ctx, tx, turnFTSEntry(turnID, t.Prompt, t.System, facts), turnFTSEntry(turnID, t.Prompt, t.System, more)); err != nil {
			return nil, err
		}
	}
	return added, s.countAdded(ctx, tx, t.Session, 0, added)
}

// SaveAnswer stores how far an answer has come, all but its judgement, which is
// [Store.Judge]'s. A version that is not newer than the stored one changes
// nothing and is no error, except that an end is kept over a state that is none,
// and a real answer over "interrupted". Its owner is forgotten once it has ended.
func (s *Store) SaveAnswer(ctx context.Context, a Answer) error {
	return s.write(ctx, "save the answer", func(tx *sql.Tx) error {
		old, err := readAnswer(ctx, tx, a.ID)
		if err != nil {
			return err
		}
		ends := a.State.Ended() && !old.State.Ended() || a.State == Done && old.State == Interrupted
		if a.Version <= old.Version && !ends {
			return nil
		}
		a = normalized(a)
		a.Version = max(a.Version, old.Version+1)
		a.Turn, a.Model, a.Kind, a.Note = old.Turn, old.Model, old.Kind, old.Note
		// A row that had ended and runs again belongs to who runs it.
		var owner ownerRow
		if !a.State.Ended() {
			owner = s.owner.row()
		}
		values := append(answerValues(a), owner.pid, owner.started, owner.boot, owner.host, a.ID)
		_, err = tx.ExecContext(ctx, `update answers set (`+answerSets+`, owner_pid, owner_started, owner_boot, owner_host)
			= (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) where id = ?`, values...)
		if err != nil {
			return err
		}
		if err := updateIndex(ctx, tx, answerFTSEntry(old), answerFTSEntry(a)); err != nil {
			return err
		}
		if err := s.countChange(ctx, tx, old, a); err != nil {
			return err
		}
		return nil
	})
}

// countChange keeps the statistics and the session's number of pictures right
// after an answer has changed.
func (s *Store) countChange(ctx context.Context, tx *sql.Tx, old, a Answer) error {
	if old.State != a.State {
		if err := uncountAnswer(ctx, tx, old); err != nil {
			return err
		}
		if err := countAnswer(ctx, tx, a, true); err != nil {
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
	_, err := tx.ExecContext(ctx, `update sessions set pictures = pictures + ?
		where id = (select t.session from answers a join turns t on t.id = a.turn where a.id = ? and a.trash = 0 and t.trash = 0)`, more, a.ID)
	return err
}

// readAnswer reads an answer, hidden or not.
func readAnswer(ctx context.Context, tx *sql.Tx, id int64) (Answer, error) {
	return scanAnswer(tx.QueryRowContext(ctx, `select `+answerColumns+` from answers a where a.id = ?`, id))
}

// Answer returns an answer by its id.
func (s *Store) Answer(ctx context.Context, id int64) (found Answer, err error) {
	err = s.read(ctx, "read the answer", func(tx *sql.Tx) error {
		found, err = readVisibleAnswer(ctx, tx, id)
		return err
	})
	return found, err
}

func readVisibleAnswer(ctx context.Context, tx *sql.Tx, id int64) (Answer, error) {
	return scanAnswer(tx.QueryRowContext(ctx, `select `+answerColumns+`
		from answers a join turns t on t.id = a.turn join sessions s on s.id = t.session
		where a.id = ? and a.trash = 0 and t.trash = 0 and s.trash = 0`, id))
}

// Judge stores what a person thinks of an answer and returns it, with a newer
// version. A turn has one winner: the mark of another answer is taken back, which
// gets a newer version too.
func (s *Store) Judge(ctx context.Context, id int64, rating Rating, winner bool, note string) (Answer, error) {
	var judged Answer
	err := s.write(ctx, "judge the answer", func(tx *sql.Tx) error {
		old, err := readVisibleAnswer(ctx, tx, id)
		if err != nil {
			return err
		}
		judged = old
		judged.Version++
		judged.Rating, judged.Winner, judged.Note = rating, winner, note
		_, err = tx.ExecContext(ctx, `update answers set version = ?, rating = ?, winner = ?, note = ? where id = ?`,
			judged.Version, int(rating), toInt(winner), note, id)
		if err != nil {
			return err
		}
		if winner { // also of what is hidden: it may be shown again
			_, err = tx.ExecContext(ctx, `update answers set version = version + 1, winner = 0 where turn = ? and winner = 1 and id <> ?`, old.Turn, id)
			if err != nil {
				return err
			}
		}
		return updateIndex(ctx, tx, answerFTSEntry(old), answerFTSEntry(judged))
	})
	if err != nil {
		return Answer{}, err
	}
	return judged, nil
}
