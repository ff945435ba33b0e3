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
	return inTx(ctx, s, s.wait, step, func(tx *Tx) history.Vote {
		// The vote is the user's own row even if the answers are another user's.
		a := tx.readAnswer(tx.lookInto(v.AnswerA))
		b := tx.readAnswer(tx.ownID(v.AnswerB))
		if v.Created.IsZero() {
			v.Created = s.now()
		}
		v.Turn, v.A.Model, v.B.Model, v.Created = a.Turn, a.Model, b.Model, history.StoredTime(v.Created)
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

// Votes implements [history.VoteStore] for a store of one user.
func (s *Store) Votes(ctx context.Context, run int64) (votes []history.Vote, hidden int, err error) {
	votes, err = inTx(ctx, s, reading, "read the votes", func(tx *Tx) []history.Vote { return tx.ReadVotes(run, `votes`, `''`) })
	return votes, 0, err
}

// ReadVotes returns the votes in a table on answers of a run, or all for run 0, the oldest first. It leaves out votes
// on deleted answers. voter is an SQL expression of the row v.
func (tx *Tx) ReadVotes(run int64, table, voter string) []history.Vote {
	if run != 0 {
		run = tx.lookInto(run)
	}
	from := ` from ` + table + ` v
		cross join answers a on a.id = v.answer_a cross join turns ta on ta.id = a.turn
		cross join sessions sa on sa.id = ta.session
		cross join answers b on b.id = v.answer_b cross join turns tb on tb.id = b.turn
		cross join sessions sb on sb.id = tb.session
		where a.trash = 0 and ta.trash = 0 and sa.trash = 0 and b.trash = 0 and tb.trash = 0 and sb.trash = 0
		and (?1 = 0 or v.turn in (select c.turn from cells c where c.run = ?1)
			and b.turn in (select c.turn from cells c where c.run = ?1))`
	asked := tx.readVotedTurns(`(select v.turn`+from+` union select b.turn`+from+`)`, run)
	return selectRows(tx, func(row Scanner) (v history.Vote) {
		var turn int64 // of b
		row(append([]any{&v.Voter, &v.ID, &turn}, fieldsOf(voteColumns(&v))...)...)
		for _, x := range []struct {
			side *history.VotedAnswer
			turn int64
		}{{&v.A, v.Turn}, {&v.B, turn}} {
			model := x.side.Model
			*x.side = *asked[x.turn]
			x.side.Model = model
		}
		tx.markIDs(&v.Turn, &v.AnswerA, &v.AnswerB)
		return v
	}, `select `+voter+`, v.id, b.turn, `+columnList("v.", voteColumns(new(history.Vote)))+from+` order by v.id`, run)
}

// readVotedTurns returns what the answers of some turns were asked with, by turn.
func (tx *Tx) readVotedTurns(turns string, args ...any) map[int64]*history.VotedAnswer {
	asked := map[int64]*history.VotedAnswer{}
	for row := range tx.Rows(`select t.id, coalesce(c.provider, ''), coalesce(c.prompt, ''),
		coalesce(c.description, ''), `+turnColumns()+` from turns t
		left join cells c on c.id = (select max(id) from cells where turn = t.id) where t.id in `+turns, args...) {
		var id int64
		var v history.VotedAnswer
		v.Turn = tx.scanTurn(func(turn ...any) { row(append([]any{&id, &v.Provider, &v.Prompt, &v.Test}, turn...)...) })
		asked[id] = &v
	}
	for row := range tx.Rows(`select f.turn, f.name from turn_files f where f.turn in `+turns+`
		order by f.turn, f.position`, args...) {
		var id int64
		var f history.File
		row(&id, &f.Name)
		asked[id].Turn.Files = append(asked[id].Turn.Files, f)
	}
	return asked
}
