package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"confab/history"
)

// AddVote stores a vote and returns it with its id, turn, time and models, which
// are those of the answers.
func (s *Store) AddVote(ctx context.Context, v history.Vote) (history.Vote, error) {
	const step = "store the vote"
	err := s.write(ctx, step, func(tx *sql.Tx) error {
		switch v.Verdict {
		case history.VoteA, history.VoteB, history.VoteEqual, history.VoteBad:
		default:
			return &history.StoreError{Step: step, Kind: history.ErrIO, Cause: errors.New("a verdict that is none")}
		}
		if v.AnswerA == v.AnswerB {
			return &history.StoreError{Step: step, Kind: history.ErrIO, Cause: errors.New("an answer against itself")}
		}
		a, err := readVisibleAnswer(ctx, tx, v.AnswerA)
		if err != nil {
			return err
		}
		b, err := readVisibleAnswer(ctx, tx, v.AnswerB)
		if err != nil {
			return err
		}
		if v.Created.IsZero() {
			v.Created = s.now()
		}
		v.Turn, v.ModelA, v.ModelB, v.Created = a.Turn, a.Model, b.Model, fromMillis(toMillis(v.Created))
		res, err := tx.ExecContext(ctx,
			`insert into votes (turn, created, answer_a, answer_b, blind, verdict, model_a, model_b)
			values (?, ?, ?, ?, ?, ?, ?, ?)`, v.Turn, toMillis(v.Created), v.AnswerA, v.AnswerB, toInt(v.Blind), string(v.Verdict), v.ModelA, v.ModelB)
		if err != nil {
			return err
		}
		v.ID, err = res.LastInsertId()
		return err
	})
	if err != nil {
		return history.Vote{}, err
	}
	return v, nil
}

// UndoVote forgets a vote.
func (s *Store) UndoVote(ctx context.Context, id int64) error {
	return s.write(ctx, "undo the vote", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `delete from votes where id = ?`, id)
		return requireRowChanged(res, err)
	})
}

// Wins counts the votes over the whole history. A vote between two answers of
// one model says nothing of models and is left out, as are those whose answers
// were deleted.
func (s *Store) Wins(ctx context.Context) (history.Wins, error) {
	var counts []history.VoteCount
	err := s.read(ctx, "count the votes", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `select v.model_a, v.model_b, v.verdict, count(*), sum(v.blind)
			from votes v
				cross join answers a on a.id = v.answer_a cross join turns ta on ta.id = a.turn cross join sessions sa on sa.id = ta.session
				cross join answers b on b.id = v.answer_b cross join turns tb on tb.id = b.turn cross join sessions sb on sb.id = tb.session
			where v.model_a <> v.model_b
				and a.trash = 0 and ta.trash = 0 and sa.trash = 0 and b.trash = 0 and tb.trash = 0 and sb.trash = 0
			group by v.model_a, v.model_b, v.verdict`)
		return forEachRow(rows, err, func() error {
			var c history.VoteCount
			err := rows.Scan(&c.ModelA, &c.ModelB, &c.Verdict, &c.N, &c.Blind)
			counts = append(counts, c)
			return err
		})
	})
	return history.WinsOf(counts), err
}
