package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"confab/history"
)

// AddVote stores a vote and returns it with its id, turn, time and models.
func (s *Store) AddVote(ctx context.Context, v history.Vote) (history.Vote, error) {
	const step = "store the vote"
	refused := func(why string) error {
		return &history.StoreError{Step: step, Kind: history.ErrIO, Cause: errors.New(why)}
	}
	switch v.Verdict {
	case history.VoteA, history.VoteB, history.VoteEqual, history.VoteBad:
	default:
		return history.Vote{}, refused("an unknown verdict")
	}
	if v.AnswerA == v.AnswerB {
		return history.Vote{}, refused("an answer against itself")
	}
	return inWrite(ctx, s, step, func(tx *sql.Tx) (history.Vote, error) {
		a, err := readVisibleAnswer(ctx, tx, v.AnswerA)
		if err != nil {
			return v, err
		}
		b, err := readVisibleAnswer(ctx, tx, v.AnswerB)
		if err != nil {
			return v, err
		}
		if v.Created.IsZero() {
			v.Created = s.now()
		}
		v.Turn, v.ModelA, v.ModelB, v.Created = a.Turn, a.Model, b.Model, storedTime(v.Created)
		v.ID, err = insertRow(ctx, tx, "votes", []column{
			{"turn", v.Turn}, {"created", toMillis(v.Created)}, {"answer_a", v.AnswerA}, {"answer_b", v.AnswerB},
			{"blind", v.Blind}, {"verdict", string(v.Verdict)}, {"model_a", v.ModelA}, {"model_b", v.ModelB},
		})
		return v, err
	})
}

// UndoVote forgets a vote.
func (s *Store) UndoVote(ctx context.Context, id int64) error {
	return s.write(ctx, "undo the vote", func(tx *sql.Tx) error {
		return changeRow(ctx, tx, `delete from votes where id = ?`, id)
	})
}

// Wins counts the votes of the whole history.
func (s *Store) Wins(ctx context.Context) (history.Wins, error) {
	counts, err := inRead(ctx, s, "count the votes", func(tx *sql.Tx) ([]history.VoteCount, error) {
		return selectRows(ctx, tx, func(r rowScanner) (c history.VoteCount, err error) {
			err = r.Scan(&c.ModelA, &c.ModelB, &c.Verdict, &c.N, &c.Blind)
			return c, err
		}, `select v.model_a, v.model_b, v.verdict, count(*), sum(v.blind)
			from votes v
				cross join answers a on a.id = v.answer_a cross join turns ta on ta.id = a.turn
				cross join sessions sa on sa.id = ta.session
				cross join answers b on b.id = v.answer_b cross join turns tb on tb.id = b.turn
				cross join sessions sb on sb.id = tb.session
			where v.model_a <> v.model_b
				and a.trash = 0 and ta.trash = 0 and sa.trash = 0 and b.trash = 0 and tb.trash = 0 and sb.trash = 0
			group by v.model_a, v.model_b, v.verdict`)
	})
	return history.WinsOf(counts), err
}
