package storetest

import (
	"confab/history"
	"encoding/json"
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
			f.same("what the answers tell", []any{v.Turn, v.A.Model, v.B.Model, v.Created.IsZero()},
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
			alphas, mus, zetas := history.Contestant{Model: "alpha"}, history.Contestant{Model: "mu"},
				history.Contestant{Model: "zeta"}
			want := history.Wins{
				Contestants: []history.ContestantWins{
					winsOf(alphas, history.Tally{Wins: 1, Losses: 1, Ties: 1, N: 3, Blind: 2}),
					winsOf(mus, history.Tally{Wins: 1, N: 1, Blind: 1}),
					winsOf(zetas, history.Tally{Losses: 1, Ties: 1, N: 2, Blind: 1}),
				},
				Pairs: []history.PairWins{
					{A: alphas, B: mus, Tally: history.Tally{Losses: 1, N: 1, Blind: 1}},
					{A: alphas, B: zetas, Tally: history.Tally{Wins: 1, Ties: 1, N: 2, Blind: 1}},
				},
			}
			f.same("wins, of each pair the newest vote", wins(), want)
			f.must(f.UndoVote(f.ctx, vote(zeta, mu, history.VoteA, true).ID))
			f.same("undone", wins(), want)
			f.fails("undone once", f.UndoVote(f.ctx, missingID), history.ErrNotFound)

			trash, err := f.DeleteTurn(f.ctx, other.ID)
			f.must(err)
			f.same("hidden with its second answer's turn", len(wins().Pairs), 2)
			f.same("votes left", wins().Contestants[2].N, 1)
			f.must(f.Undelete(f.ctx, trash))
			f.same("shown again", wins(), want)
			_, err = f.DeleteAnswer(f.ctx, alpha)
			f.must(err)
			err = f.Purge(f.ctx, 0, nil)
			f.must(err)
			f.same("gone with an answer", wins().Contestants, []history.ContestantWins{
				winsOf(alphas, history.Tally{Wins: 1, N: 1, Blind: 1}),
				winsOf(zetas, history.Tally{Losses: 1, N: 1, Blind: 1}),
			})
			f.must(f.Check(f.ctx))
		}},
		{"vote/tells contestants apart", tellsContestantsApart},
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

func winsOf(c history.Contestant, t history.Tally) history.ContestantWins {
	return history.ContestantWins{Contestant: c, Tally: t}
}

// tellsContestantsApart votes between answers of one model that differ in one thing each, and in nothing that counts.
func tellsContestantsApart(f *fixture) {
	r := newRun("labels")
	inRun := func(provider, model string) int64 {
		f.Helper()
		t := f.asked(r, "p")
		t.Answers[0].Model = model
		c := history.Cell{Run: r.ID, Key: provider, Provider: provider}
		var err error
		if r.ID == 0 {
			*r, _, t, err = f.StartRun(f.ctx, *r, c, t)
		} else {
			_, t, err = f.AddCell(f.ctx, c, t)
		}
		f.must(err)
		return t.Answers[0].ID
	}
	s := f.session("s")
	asked := func(t history.Turn) int64 {
		f.Helper()
		t.Session, t.Samples = s.ID, 1
		t.Answers = []history.Answer{{Model: "alpha", Kind: history.KindText, Sample: 1, State: history.Queued}}
		t, err := f.AddTurn(f.ctx, t)
		f.must(err)
		return t.Answers[0].ID
	}
	vote := func(a, b int64) {
		f.Helper()
		_, err := f.AddVote(f.ctx, history.Vote{AnswerA: a, AnswerB: b, Preference: history.VoteA})
		f.must(err)
	}
	cold := inRun("cold", "alpha")
	vote(cold, inRun("hot", "alpha"))
	vote(cold, inRun("llm:mu", "mu")) // without a label
	vote(asked(history.Turn{System: "Be\nterse."}), asked(history.Turn{}))
	vote(asked(history.Turn{Params: history.Params{"temperature": json.Number("0"), "seed": json.Number("7")}}),
		asked(history.Turn{}))
	vote(asked(history.Turn{Prompt: "Say 1", Template: "Say {{n}}"}),
		asked(history.Turn{Prompt: "Tell 1", Template: "Tell {{n}}"}))
	vote(asked(history.Turn{Prompt: "Say 1", Template: "Say {{n}}"}), // with other values
		asked(history.Turn{Prompt: "Say 2", Template: "Say {{n}}"}))

	w, err := f.Wins(f.ctx)
	f.must(err)
	alpha := func(label string) history.Contestant { return history.Contestant{Model: "alpha", Label: label} }
	won, lost := history.Tally{Wins: 1, N: 1}, history.Tally{Losses: 1, N: 1}
	f.same("wins", w.Contestants, []history.ContestantWins{winsOf(alpha("Be terse."), won),
		winsOf(alpha("Say {{n}}"), won), winsOf(alpha("Tell {{n}}"), lost),
		winsOf(alpha("cold"), history.Tally{Wins: 2, N: 2}), winsOf(alpha("hot"), lost),
		winsOf(alpha("no parameters"), lost), winsOf(alpha("no system prompt"), lost),
		winsOf(alpha("seed 7, temperature 0"), won), winsOf(history.Contestant{Model: "mu"}, lost)})
	f.same("pairs", len(w.Pairs), 5)
	f.same("a pair", w.Pairs[0], history.PairWins{A: alpha("Be terse."), B: alpha("no system prompt"), Tally: won})

	votes, _, err := f.RunVotes(f.ctx, r.ID)
	f.must(err)
	var names []string
	for _, v := range votes {
		names = append(names, v.A.Name(), v.B.Name())
	}
	f.same("names in the run", names, []string{"cold (alpha)", "hot (alpha)", "cold (alpha)", "mu"})
}
