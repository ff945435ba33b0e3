package storetest

import (
	"slices"
	"time"

	"confab/history"
)

// importedAt is when the imported session was used last.
var importedAt = time.Date(2023, 5, 6, 7, 8, 9, 0, time.UTC)

func importTests() []named {
	return []named{
		{"import/a session with branches", func(f *fixture) {
			f.send(f.session("own").ID, "hello", "alpha")
			dry, err := f.ImportSession(f.ctx, foreignSession(), true)
			f.must(err)
			f.same("dry", dry, history.Import{IsNew: true, Turns: 4, Answers: 5})
			r, err := f.ImportSession(f.ctx, foreignSession(), false)
			f.must(err)
			f.same("added", r, history.Import{Session: r.Session, IsNew: true, Turns: 4, Answers: 5})
			s, err := f.Session(f.ctx, r.Session)
			f.must(err)
			f.same("session", s, history.Session{ID: r.Session, Name: "fables", Created: importedAt.Add(-time.Hour),
				Updated: importedAt, Turns: 4, Answers: 5})
			turns := f.turns(r.Session)
			f.same("shown", promptsOf(turns), []string{"a fox", "and a hen"})
			f.same("answers", []string{turns[0].Answers[0].Text, turns[0].Answers[1].Text}, []string{"red", "quick"})
			f.same("times", []time.Time{turns[0].Created, turns[0].Answers[0].Ended},
				[]time.Time{importedAt.Add(-time.Hour), importedAt.Add(-time.Hour + time.Second)})
			f.same("which", turns[1].BranchText(), "branch 1 of 2")
			f.must(f.ShowBranch(f.ctx, turns[1].Siblings[1]))
			f.same("the other branch", promptsOf(f.turns(r.Session)), []string{"a fox", "and a cat", "why"})
			f.same("found", f.search("quick"), []string{"answer: [quick]"})
			last, err := f.LastSession(f.ctx)
			f.must(err)
			f.same("not the last used", last.Name, "own")
		}},
		{"import/again", func(f *fixture) {
			first, err := f.ImportSession(f.ctx, foreignSession(), false)
			f.must(err)
			for _, isDry := range []bool{true, false} {
				r, err := f.ImportSession(f.ctx, foreignSession(), isDry)
				f.must(err)
				f.same("nothing twice", r, history.Import{Session: first.Session})
			}
			grown := foreignSession()
			grown.Updated = importedAt.Add(time.Hour)
			grown.Turns[3].Answers = append(grown.Turns[3].Answers, foreignAnswer("because not"))
			grown.Turns = append(grown.Turns, foreignTurn("and now", "5", 3))
			grown.Shown = 4
			r, err := f.ImportSession(f.ctx, grown, false)
			f.must(err)
			f.same("what is new", r, history.Import{Session: first.Session, Turns: 1, Answers: 2})
			turns := f.turns(first.Session)
			f.same("shown", promptsOf(turns), []string{"a fox", "and a cat", "why", "and now"})
			f.same("answers", len(turns[2].Answers), 2)
			s, err := f.Session(f.ctx, first.Session)
			f.must(err)
			f.same("changed", []any{s.Updated, s.Turns, s.Answers}, []any{grown.Updated, 5, 7})
		}},
		{"import/again after it was continued, forked and deleted from", func(f *fixture) {
			first, err := f.ImportSession(f.ctx, foreignSession(), false)
			f.must(err)
			f.chat(first.Session, "my own", "alpha", "yes")
			_, err = f.ForkSession(f.ctx, first.Session, 0, "copy")
			f.must(err)
			_, err = f.DeleteTurn(f.ctx, f.turns(first.Session)[1].ID)
			f.must(err)
			f.same("deleted", promptsOf(f.turns(first.Session)), []string{"a fox", "my own"})
			used, err := f.Session(f.ctx, first.Session)
			f.must(err)
			r, err := f.ImportSession(f.ctx, foreignSession(), false)
			f.must(err)
			f.same("it comes again", r, history.Import{Session: first.Session, Turns: 1, Answers: 1})
			s, err := f.Session(f.ctx, first.Session)
			f.must(err)
			f.same("still used when it was", s.Updated, used.Updated)
			_, err = f.DeleteSession(f.ctx, first.Session)
			f.must(err)
			r, err = f.ImportSession(f.ctx, foreignSession(), false)
			f.must(err)
			f.same("after the session was deleted", []any{r.IsNew, r.Session != first.Session, r.Turns},
				[]any{true, true, 4})
		}},
		{"import/order", func(f *fixture) {
			var names []string
			for i, name := range []string{"older", "newer", "middle"} {
				s := foreignSession()
				s.Name, s.Updated = name, importedAt.Add([]time.Duration{0, 2, 1}[i]*time.Hour)
				for j := range s.Turns {
					s.Turns[j].Origin += name
				}
				_, err := f.ImportSession(f.ctx, s, false)
				f.must(err)
			}
			f.send(f.session("own").ID, "hello", "alpha")
			f.send(f.session("last").ID, "hello", "alpha")
			hits, _, err := f.Sessions(f.ctx, history.Query{})
			f.must(err)
			for _, h := range hits {
				names = append(names, h.Name)
			}
			f.same("own ones first, then by time", names, []string{"last", "own", "newer", "middle", "older"})
		}},
		{"import/names and nothing", func(f *fixture) {
			s := foreignSession()
			s.Name = ""
			r, err := f.ImportSession(f.ctx, s, false)
			f.must(err)
			named, err := f.Session(f.ctx, r.Session)
			f.must(err)
			f.same("by the first prompt", named.Name, "a fox")
			r, err = f.ImportSession(f.ctx, history.ImportedSession{}, false)
			f.must(err)
			f.same("without turns", []any{r.Session, r.IsNothing()}, []any{int64(0), true})
		}},
	}
}

// foreignSession is a session with two branches after its first turn, the first of which is shown.
func foreignSession() history.ImportedSession {
	turns := []history.ImportedTurn{foreignTurn("a fox", "1", -1), foreignTurn("and a hen", "2", 0),
		foreignTurn("and a cat", "3", 0), foreignTurn("why", "4", 2)}
	turns[0].Answers = []history.Answer{foreignAnswer("red"), foreignAnswer("quick")}
	return history.ImportedSession{Name: "fables", Updated: importedAt, Turns: slices.Clip(turns), Shown: 1}
}

func foreignTurn(prompt, origin string, follows int) history.ImportedTurn {
	return history.ImportedTurn{Origin: origin, Follows: follows, Turn: history.Turn{Prompt: prompt,
		Created: importedAt.Add(-time.Hour), Answers: []history.Answer{foreignAnswer("because")}}}
}

func foreignAnswer(text string) history.Answer {
	return history.Answer{Model: "elsewhere-1", Kind: history.KindText, State: history.Done, Text: text,
		Queued: importedAt.Add(-time.Hour), Ended: importedAt.Add(-time.Hour + time.Second)}
}
