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
		// The vote is the user's own row even if the answers are another user's.
		a := tx.readAnswer(tx.find(v.AnswerA))
		b := tx.readAnswer(tx.ownID(v.AnswerB))
		if v.Created.IsZero() {
			v.Created = s.now()
		}
		v.Turn, v.ModelA, v.ModelB, v.Created = a.Turn, a.Model, b.Model, history.StoredTime(v.Created)
		row := v
		row.Turn, row.AnswerA, row.AnswerB = tx.ownID(v.Turn), tx.ownID(v.AnswerA), tx.ownID(v.AnswerB)
		v.ID = tx.insertRow("votes", voteColumns(&row))
		v.IsBlind = SelectValue[bool](tx, `select blind from votes where id = ?`, v.ID)
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
				and v.id in (select max(id) from votes group by
					case when answer_a < answer_b then answer_a else answer_b end,
					case when answer_a < answer_b then answer_b else answer_a end)
				and a.trash = 0 and ta.trash = 0 and sa.trash = 0 and b.trash = 0 and tb.trash = 0 and sb.trash = 0
			group by v.model_a, v.model_b, v.verdict`)
	})
	return history.WinsOf(counts), err
}

// RunVotes implements [history.VoteStore] for a store of one user.
func (s *Store) RunVotes(ctx context.Context, run int64) (votes []history.Vote, hidden int, err error) {
	votes, err = inRead(ctx, s, "read the votes", func(tx *Tx) []history.Vote {
		return tx.ReadRunVotes(run, `votes`, `''`)
	})
	return votes, 0, err
}

// ReadRunVotes returns the votes in a table on answers of a run; voter is an SQL expression of the row v.
func (tx *Tx) ReadRunVotes(run int64, table, voter string) []history.Vote {
	run = tx.find(run)
	return SelectRows(tx, func(row Scanner) (v history.Vote) {
		row(&v.Voter, &v.ID, &v.Turn, millis{&v.Created}, &v.AnswerA, &v.AnswerB, &v.ModelA, &v.ModelB, &v.Preference,
			&v.IsBlind)
		tx.markIDs(&v.Turn, &v.AnswerA, &v.AnswerB)
		return v
	}, `select `+voter+`, v.id, v.turn, v.created, v.answer_a, v.answer_b, v.model_a, v.model_b, v.verdict, v.blind
		from `+table+` v
			cross join answers a on a.id = v.answer_a cross join turns ta on ta.id = a.turn
			cross join answers b on b.id = v.answer_b cross join turns tb on tb.id = b.turn
		where v.turn in (select c.turn from cells c where c.run = ?1)
			and b.turn in (select c.turn from cells c where c.run = ?1)
			and a.trash = 0 and ta.trash = 0 and b.trash = 0 and tb.trash = 0
		order by v.id`, run)
}
