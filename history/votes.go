package history

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"
)

// Verdict is what a vote says of two answers.
type Verdict string

// The verdicts.
const (
	VoteA     Verdict = "a"     // the first is better
	VoteB     Verdict = "b"     // the second is better
	VoteEqual Verdict = "equal" // they are as good as each other
	VoteBad   Verdict = "bad"   // neither is any good
)

// Vote is a person's choice between two answers.
type Vote struct {
	ID      int64
	Turn    int64 // of AnswerA
	Created time.Time
	AnswerA int64
	AnswerB int64
	ModelA  string
	ModelB  string
	Verdict Verdict
	Blind   bool // the names were hidden, also by the answers themselves
}

// Tally counts votes from the side of one model. N is their number: Wins,
// Losses, Ties and Bad together; Blind is how many of them were blind.
type Tally struct{ Wins, Losses, Ties, Bad, N, Blind int }

// ModelWins is how a model fared against all others.
type ModelWins struct {
	Model string
	Tally
}

// PairWins is how a model fared against another; A comes before B by name.
type PairWins struct {
	A, B  string
	Tally // of A
}

// Wins is how models fared in the votes, by their names.
type Wins struct {
	Models []ModelWins
	Pairs  []PairWins
}

// AddVote stores a vote and returns it with its id, turn, time and models, which
// are those of the answers.
func (s *Store) AddVote(ctx context.Context, v Vote) (Vote, error) {
	const step = "store the vote"
	err := s.write(ctx, step, func(tx *sql.Tx) error {
		switch v.Verdict {
		case VoteA, VoteB, VoteEqual, VoteBad:
		default:
			return &storeError{step: step, kind: ErrIO, cause: errors.New("a verdict that is none")}
		}
		if v.AnswerA == v.AnswerB {
			return &storeError{step: step, kind: ErrIO, cause: errors.New("an answer against itself")}
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
		return Vote{}, err
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
func (s *Store) Wins(ctx context.Context) (Wins, error) {
	models, pairs := map[string]Tally{}, map[[2]string]Tally{}
	err := s.read(ctx, "count the votes", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `select v.model_a, v.model_b, v.verdict, count(*), sum(v.blind)
			from votes v
				cross join answers a on a.id = v.answer_a cross join turns ta on ta.id = a.turn cross join sessions sa on sa.id = ta.session
				cross join answers b on b.id = v.answer_b cross join turns tb on tb.id = b.turn cross join sessions sb on sb.id = tb.session
			where v.model_a <> v.model_b
				and a.trash = 0 and ta.trash = 0 and sa.trash = 0 and b.trash = 0 and tb.trash = 0 and sb.trash = 0
			group by v.model_a, v.model_b, v.verdict`)
		return forEachRow(rows, err, func() error {
			var a, b string
			var verdict Verdict
			var n, blind int
			if err := rows.Scan(&a, &b, &verdict, &n, &blind); err != nil {
				return err
			}
			first, second := tallies(verdict, n, blind)
			models[a], models[b] = models[a].plus(first), models[b].plus(second)
			if a > b {
				a, b, first = b, a, second
			}
			pairs[[2]string{a, b}] = pairs[[2]string{a, b}].plus(first)
			return nil
		})
	})
	if err != nil {
		return Wins{}, err
	}
	var w Wins
	for m, t := range models {
		w.Models = append(w.Models, ModelWins{m, t})
	}
	for p, t := range pairs {
		w.Pairs = append(w.Pairs, PairWins{p[0], p[1], t})
	}
	slices.SortFunc(w.Models, func(x, y ModelWins) int { return cmp.Compare(x.Model, y.Model) })
	slices.SortFunc(w.Pairs, func(x, y PairWins) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return w, nil
}

// tallies returns what n votes are from either side.
func tallies(v Verdict, n, blind int) (a, b Tally) {
	a = Tally{N: n, Blind: blind}
	b = a
	switch v {
	case VoteA:
		a.Wins, b.Losses = n, n
	case VoteB:
		a.Losses, b.Wins = n, n
	case VoteEqual:
		a.Ties, b.Ties = n, n
	case VoteBad:
		a.Bad, b.Bad = n, n
	}
	return a, b
}

func (t Tally) plus(o Tally) Tally {
	return Tally{t.Wins + o.Wins, t.Losses + o.Losses, t.Ties + o.Ties, t.Bad + o.Bad, t.N + o.N, t.Blind + o.Blind}
}
