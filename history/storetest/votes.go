package storetest

import (
	"confab/history"
)

func voteTests() []named {
	return []named{
		{"vote/wins", func(f *fixture) {
			s := f.session("s")
			t := f.send(s.ID, "p", "zeta", "alpha", "mu")
			other := f.send(s.ID, "p", "alpha")
			zeta, alpha, mu, alpha2 := t.Answers[0].ID, t.Answers[1].ID, t.Answers[2].ID, other.Answers[0].ID
			vote := func(a, b int64, preference history.Preference, blind bool) history.Vote {
				f.Helper()
				v, err := f.AddVote(f.ctx, history.Vote{AnswerA: a, AnswerB: b, Preference: preference, IsBlind: blind})
				f.must(err)
				return v
			}
			v := vote(zeta, alpha, history.VoteA, true)
			f.same("what the answers tell", []any{v.Turn, v.ModelA, v.ModelB, v.Created.IsZero()},
				[]any{t.ID, "zeta", "alpha", false})
			vote(alpha2, zeta, history.VoteA, true) // across turns
			vote(alpha, zeta, history.VoteEqual, false)
			vote(alpha, mu, history.VoteBad, true)
			vote(alpha, mu, history.VoteB, true)
			vote(alpha, alpha2, history.VoteB, true) // two answers of one model
			wins := func() history.Wins {
				f.Helper()
				w, err := f.Wins(f.ctx)
				f.must(err)
				return w
			}
			want := history.Wins{
				Models: []history.ModelWins{
					{Model: "alpha", Tally: history.Tally{Wins: 1, Losses: 1, Ties: 1, N: 3, Blind: 2}},
					{Model: "mu", Tally: history.Tally{Wins: 1, N: 1, Blind: 1}},
					{Model: "zeta", Tally: history.Tally{Losses: 1, Ties: 1, N: 2, Blind: 1}},
				},
				Pairs: []history.PairWins{
					{A: "alpha", B: "mu", Tally: history.Tally{Losses: 1, N: 1, Blind: 1}},
					{A: "alpha", B: "zeta", Tally: history.Tally{Wins: 1, Ties: 1, N: 2, Blind: 1}},
				},
			}
			f.same("wins, of each pair the newest vote", wins(), want)
			f.must(f.UndoVote(f.ctx, vote(zeta, mu, history.VoteA, true).ID))
			f.same("undone", wins(), want)
			f.fails("undone once", f.UndoVote(f.ctx, missingID), history.ErrNotFound)

			trash, err := f.DeleteTurn(f.ctx, other.ID)
			f.must(err)
			f.same("hidden with its second answer's turn", len(wins().Pairs), 2)
			f.same("votes left", wins().Models[2].N, 1)
			f.must(f.Undelete(f.ctx, trash))
			f.same("shown again", wins(), want)
			_, err = f.DeleteAnswer(f.ctx, alpha)
			f.must(err)
			err = f.Purge(f.ctx, 0, nil)
			f.must(err)
			f.same("gone with an answer", wins().Models, []history.ModelWins{
				{Model: "alpha", Tally: history.Tally{Wins: 1, N: 1, Blind: 1}},
				{Model: "zeta", Tally: history.Tally{Losses: 1, N: 1, Blind: 1}},
			})
			f.must(f.Check(f.ctx))
		}},
		{"vote/is refused", func(f *fixture) {
			s := f.session("s")
			a, b := f.send(s.ID, "p", "alpha").Answers[0].ID, f.send(s.ID, "p", "mu").Answers[0].ID
			for name, v := range map[string]history.Vote{
				"an answer that is not there": {AnswerA: a, AnswerB: missingID, Preference: history.VoteA},
				"an answer against itself":    {AnswerA: a, AnswerB: a, Preference: history.VoteA},
				"no preference":               {AnswerA: a, AnswerB: b},
				"a preference that is none":   {AnswerA: a, AnswerB: b, Preference: "c"},
			} {
				if _, err := f.AddVote(f.ctx, v); err == nil {
					f.Errorf("%s was stored", name)
				}
			}
			w, err := f.Wins(f.ctx)
			f.must(err)
			f.same("wins", w, history.Wins{})
		}},
	}
}
