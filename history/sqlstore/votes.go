package sqlstore

import (
	"context"
	"errors"
	"strings"

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

// Wins implements [history.VoteStore].
func (s *Store) Wins(ctx context.Context) (history.Wins, error) {
	votes, err := inRead(ctx, s, "count the votes", func(tx *Tx) []history.Vote {
		return tx.readVotes(`votes`, `''`, `true`)
	})
	return history.WinsOf(votes), err
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
	return tx.readVotes(table, voter, `v.turn in (select c.turn from cells c where c.run = ?1)
		and b.turn in (select c.turn from cells c where c.run = ?1)`, tx.find(run))
}

// readVotes returns the votes v in a table that meet a condition, with labels, the oldest first. It leaves out votes on
// deleted answers. voter is an SQL expression of the row v.
func (tx *Tx) readVotes(table, voter, condition string, args ...any) []history.Vote {
	return selectRows(tx, func(row Scanner) (v history.Vote) {
		var providers [2]string
		var turns [2]history.Turn
		fields := []any{&v.Voter, &v.ID, &v.Turn, millis{&v.Created}, &v.AnswerA, &v.AnswerB, &v.A.Model, &v.B.Model,
			&v.Preference, &v.IsBlind}
		for i := range turns {
			t := &turns[i]
			fields = append(fields, &providers[i], &t.Prompt, &t.Template, &t.System, &t.SystemTemplate,
				jsonText{value: &t.Params})
		}
		row(fields...)
		v.SetLabels(providers, turns)
		tx.markIDs(&v.Turn, &v.AnswerA, &v.AnswerB)
		return v
	}, `select `+voter+`, v.id, v.turn, v.created, v.answer_a, v.answer_b, v.model_a, v.model_b, v.verdict, v.blind, `+
		setupOf(`ta`)+`, `+setupOf(`tb`)+`
		from `+table+` v
			cross join answers a on a.id = v.answer_a cross join turns ta on ta.id = a.turn
			cross join sessions sa on sa.id = ta.session
			cross join answers b on b.id = v.answer_b cross join turns tb on tb.id = b.turn
			cross join sessions sb on sb.id = tb.session
		where a.trash = 0 and ta.trash = 0 and sa.trash = 0 and b.trash = 0 and tb.trash = 0 and sb.trash = 0
			and `+condition+`
		order by v.id`, args...)
}

// setupOf lists what labels the contestant of a vote v in a turn: what the suite calls the model, and texts and
// parameters of the turn, which are empty unless both answers are of one model.
func setupOf(turn string) string {
	columns := []string{`coalesce((select c.provider from cells c where c.turn = ` + turn + `.id
		order by c.id desc limit 1), '')`}
	for _, name := range []string{"prompt", "template", "system", "system_template", "params"} {
		columns = append(columns, `case when v.model_a = v.model_b then `+turn+`.`+name+` else '' end`)
	}
	return strings.Join(columns, ", ")
}
