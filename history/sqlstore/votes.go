package sqlstore

import (
	"context"
	"errors"

	"confab/history"
)

// AddVote implements [history.VoteStore].
func (s *Store) AddVote(ctx context.Context, v history.Vote) (history.Vote, error) {
	const step = "store the vote"
	if !v.Preference.IsValid() || v.AnswerA == v.AnswerB {
		return history.Vote{}, &history.StoreError{Step: step, Kind: history.ErrIO,
			Cause: errors.New("an unknown preference, or an answer against itself")}
	}
	return inWrite(ctx, s, step, func(tx *Tx) history.Vote {
		a, b := tx.readAnswer(v.AnswerA), tx.readAnswer(v.AnswerB)
		if v.Created.IsZero() {
			v.Created = s.now()
		}
		v.Turn, v.ModelA, v.ModelB, v.Created = a.Turn, a.Model, b.Model, history.StoredTime(v.Created)
		v.ID = tx.insertRow("votes", []column{
			{"turn", v.Turn}, {"created", millis{&v.Created}}, {"answer_a", v.AnswerA}, {"answer_b", v.AnswerB},
			{"blind", v.Blind}, {"verdict", v.Preference}, {"model_a", v.ModelA}, {"model_b", v.ModelB},
		})
		return v
	})
}

// UndoVote implements [history.VoteStore].
func (s *Store) UndoVote(ctx context.Context, id int64) error {
	return s.Write(ctx, "undo the vote", func(tx *Tx) { tx.changeRow(`delete from votes where id = ?`, id) })
}

// Wins implements [history.VoteStore].
func (s *Store) Wins(ctx context.Context) (history.Wins, error) {
	counts, err := inRead(ctx, s, "count the votes", func(tx *Tx) []history.VoteCount {
		return SelectRows(tx, func(row Scanner) (c history.VoteCount) {
			row(&c.ModelA, &c.ModelB, &c.Preference, &c.N, &c.Blind)
			return c
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
