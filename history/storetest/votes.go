package storetest

import (
	"encoding/json"
	"fmt"
	"slices"

	"confab/history"
)

func voteTests() []named {
	return []named{
		{"vote/votes", func(f *fixture) {
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
			vote(alpha2, zeta, history.VoteEqual, false) // across turns
			vote(alpha, mu, history.VoteBad, true)
			vote(mu, alpha, history.VoteB, true)
			want := []string{"zeta a alpha blind", "alpha equal zeta", "alpha bad mu blind", "mu b alpha blind"}
			f.same("votes", f.votes(0), want)
			f.must(f.UndoVote(f.ctx, vote(zeta, mu, history.VoteA, true).ID))
			f.same("undone", f.votes(0), want)
			f.fails("undone once", f.UndoVote(f.ctx, missingID), history.ErrNotFound)

			trash, err := f.DeleteTurn(f.ctx, other.ID)
			f.must(err)
			f.same("hidden with its first answer's turn", f.votes(0), slices.Delete(slices.Clone(want), 1, 2))
			f.must(f.Undelete(f.ctx, trash))
			f.same("shown again", f.votes(0), want)
			_, err = f.DeleteAnswer(f.ctx, mu)
			f.must(err)
			f.must(f.Purge(f.ctx, 0, nil))
			f.same("gone with an answer", f.votes(0), want[:2])
			f.must(f.Check(f.ctx))
		}},
		{"vote/what was asked", readsWhatVotedAnswersWereAskedWith},
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
			f.same("votes", len(f.votes(0)), 0)
		}},
	}
}

// votes returns the votes on a run, or all for run 0, a few words each.
func (f *fixture) votes(run int64) (texts []string) {
	f.Helper()
	votes, hidden, err := f.Votes(f.ctx, run)
	f.must(err)
	f.same("hidden votes", hidden, 0)
	for _, v := range votes {
		text := fmt.Sprintf("%s %s %s", v.A.Model, v.Preference, v.B.Model)
		if v.IsBlind {
			text += " blind"
		}
		texts = append(texts, text)
	}
	return texts
}

// readsWhatVotedAnswersWereAskedWith votes between answers of a run, and of a conversation.
func readsWhatVotedAnswersWereAskedWith(f *fixture) {
	r := newRun("asked")
	inRun := func(provider, model, test string) history.Turn {
		f.Helper()
		t := f.asked(r, "p")
		t.Answers[0].Model = model
		c := history.Cell{Run: r.ID, Key: provider, Provider: provider, Prompt: "short", Description: test}
		var err error
		if r.ID == 0 {
			*r, _, t, err = f.StartRun(f.ctx, *r, c, t)
		} else {
			_, t, err = f.AddCell(f.ctx, c, t)
		}
		f.must(err)
		return t
	}
	asked := func(t history.Turn) history.Turn {
		f.Helper()
		t.Session, t.Samples = f.session("s").ID, 1
		t.Answers = []history.Answer{{Model: "alpha", Kind: history.KindText, Sample: 1, State: history.Queued}}
		t, err := f.AddTurn(f.ctx, t)
		f.must(err)
		return t
	}
	cold, hot := inRun("cold", "alpha", "one"), inRun("hot", "beta", "")
	setup := history.Turn{Prompt: "Say 1", Template: "Say {{n}}", System: "Be terse, 1.",
		SystemTemplate: "Be terse, {{n}}.", Vars: map[string]string{"n": "1"}, Aspect: "16:9",
		Params: history.Params{"temperature": json.Number("0")},
		Files:  []history.File{{Name: "a.go", Text: "package a"}}}
	with, without := asked(setup), asked(history.Turn{Prompt: "Say"})
	for _, pair := range [][2]history.Turn{{cold, hot}, {with, without}, {without, hot}} {
		_, err := f.AddVote(f.ctx, history.Vote{AnswerA: pair[0].Answers[0].ID, AnswerB: pair[1].Answers[0].ID,
			Preference: history.VoteA})
		f.must(err)
	}
	votes, _, err := f.Votes(f.ctx, 0)
	f.must(err)
	f.same("votes", len(votes), 3)
	b := votes[0].B
	f.same("of the run", []any{votes[0].A.Provider, votes[0].A.Prompt, votes[0].A.Test, b.Provider, b.Model, b.Turn.ID},
		[]any{"cold", "short", "one", "hot", "beta", hot.ID})
	got := votes[1].A.Turn
	f.same("of the turn", []any{got.ID, got.Template, got.SystemTemplate, got.Vars, got.Aspect, got.Params,
		got.Files[0].Name, votes[1].A.Provider}, []any{with.ID, setup.Template, setup.SystemTemplate, setup.Vars,
		setup.Aspect, setup.Params, "a.go", ""})
	f.same("of the other one", []any{votes[1].B.Turn.Prompt, len(votes[1].B.Turn.Files)}, []any{"Say", 0})
	f.same("on the run", f.votes(r.ID), []string{"alpha a beta"})
}
