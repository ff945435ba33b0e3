package storetest

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"confab/history"
)

func sessionTests() []named {
	return []named{
		{"session/an empty store has none", func(f *fixture) {
			_, err := f.LastSession(f.ctx)
			f.fails("last session: not found", err, history.ErrNotFound)
			_, err = f.Session(f.ctx, 1)
			f.fails("session: not found", err, history.ErrNotFound)
			hits, total, err := f.Sessions(f.ctx, history.Query{})
			f.must(err)
			f.same("hits and total", []int{len(hits), total}, []int{0, 0})
		}},
		{"session/create and read", func(f *fixture) {
			s := f.session("first")
			f.same("created", s, history.Session{ID: s.ID, Name: "first", Created: s.Created, Updated: s.Updated})
			f.same("changed before it was created", s.Updated.Before(s.Created), false)
			got, err := f.Session(f.ctx, s.ID)
			f.must(err)
			f.same("read", got, s)
			named, err := f.SessionNamed(f.ctx, "first")
			f.must(err)
			f.same("by name", named, s)
			_, err = f.SessionNamed(f.ctx, "First")
			f.fails("another name: not found", err, history.ErrNotFound)
		}},
		{"session/the one used last", func(f *fixture) {
			a, b := f.session("same"), f.session("same")
			f.send(a.ID, "hello", "alpha")
			last, err := f.LastSession(f.ctx)
			f.must(err)
			f.same("last", last.ID, a.ID)
			var several *history.AmbiguousNameError
			_, err = f.SessionNamed(f.ctx, "same")
			f.same("two have the name", errors.As(err, &several) && slices.Equal(several.IDs, []int64{a.ID, b.ID}),
				true)
			_, err = f.AddTurnToSession(f.ctx, "same", history.Turn{Prompt: "x"})
			f.same("none of them is taken", errors.As(err, &several), true)
			one, err := f.AddTurnToSession(f.ctx, "new", history.Turn{Prompt: "x"})
			f.must(err)
			again, err := f.AddTurnToSession(f.ctx, "new", history.Turn{Prompt: "y"})
			f.must(err)
			f.same("made once", []any{again.Session, len(f.turns(one.Session))}, []any{one.Session, 2})
			unnamed, err := f.AddTurnToSession(f.ctx, "", history.Turn{Prompt: "x"})
			f.must(err)
			other, err := f.AddTurnToSession(f.ctx, "", history.Turn{Prompt: "x"})
			f.must(err)
			f.same("without a name always made", unnamed.Session != other.Session, true)
			f.send(b.ID, "hello", "alpha")
			last, err = f.LastSession(f.ctx)
			f.must(err)
			f.same("last", last.ID, b.ID)
		}},
		{"session/the one used last, though the clock went back", func(f *fixture) {
			a, b := f.session("a"), f.session("b")
			for _, at := range []time.Time{noon().AddDate(0, 0, -1), time.Unix(0, 0).UTC()} {
				f.clock.set(at)
				f.send(a.ID, "hello", "alpha")
				hits, _, err := f.Sessions(f.ctx, history.Query{})
				f.must(err)
				f.same("order", []int64{hits[0].ID, hits[1].ID}, []int64{a.ID, b.ID})
				f.same("updated is not before created", hits[0].Updated.Before(hits[0].Created), false)
			}
		}},
		{"session/named by its first prompt", func(f *fixture) {
			for prompt, want := range map[string]string{
				"How are you?":               "How are you?",
				"\n  \n\tTwo   words \nmore": "Two words",
				"a\x00b \x1b]0;x\x07c\xff":   "a b ]0;x c",
				"   ":                        "",
				strings.Repeat("words ", 30): "words words words words words words words words words words…",
				strings.Repeat("語", 40):      strings.Repeat("語", 20) + "…",
			} {
				s := f.session("")
				f.send(s.ID, prompt, "alpha")
				got, err := f.Session(f.ctx, s.ID)
				f.must(err)
				f.same("name", got.Name, want)
			}
			s := f.session("kept")
			f.send(s.ID, "another", "alpha")
			got, err := f.Session(f.ctx, s.ID)
			f.must(err)
			f.same("a given name stays", got.Name, "kept")
		}},
		{"session/rename", func(f *fixture) {
			s := f.session("before")
			f.must(f.RenameSession(f.ctx, s.ID, "after"))
			got, err := f.Session(f.ctx, s.ID)
			f.must(err)
			f.same("name", got.Name, "after")
			hits, _, err := f.Sessions(f.ctx, history.Query{Text: "after"})
			f.must(err)
			f.same("found by the new name", len(hits), 1)
			hits, _, err = f.Sessions(f.ctx, history.Query{Text: "before"})
			f.must(err)
			f.same("found by the old name", len(hits), 0)
			f.fails("not found", f.RenameSession(f.ctx, missingID, "x"), history.ErrNotFound)
		}},
		{"session/setup", func(f *fixture) {
			setup := func(session int64, want *history.Setup) {
				f.Helper()
				got, err := f.Setup(f.ctx, session)
				f.must(err)
				f.same("setup", got, want)
			}
			s := f.session("")
			setup(s.ID, nil)
			sent, err := f.AddTurn(f.ctx, history.Turn{Session: s.ID, Prompt: "a", System: "be red",
				SystemTemplate: "be {{color}}", HasContext: true,
				Params:  history.Params{"temperature": json.Number("0.7")},
				Answers: []history.Answer{{Model: "alpha"}, {Model: "beta"}, {Model: "alpha", Sample: 2}}})
			f.must(err)
			ofTurn := &history.Setup{Models: []string{"alpha", "beta"}, System: "be {{color}}", HasContext: true,
				Params: history.Params{"temperature": json.Number("0.7")}}
			setup(s.ID, ofTurn)
			chosen := &history.Setup{Models: []string{"gamma"}, System: "日本語\x00"}
			f.must(f.SaveSetup(f.ctx, s.ID, *chosen))
			setup(s.ID, chosen)
			fork, err := f.ForkSession(f.ctx, s.ID, 0, "")
			f.must(err)
			setup(fork.ID, chosen)
			f.must(f.SaveSetup(f.ctx, s.ID, history.Setup{}))
			setup(s.ID, &history.Setup{})
			setup(fork.ID, chosen)
			newer := f.send(s.ID, "b", "delta")
			setup(s.ID, &history.Setup{Models: []string{"delta"}})
			fork, err = f.ForkSession(f.ctx, s.ID, sent.ID, "")
			f.must(err)
			setup(fork.ID, &history.Setup{Models: []string{"delta"}})
			_, err = f.DeleteTurn(f.ctx, newer.ID)
			f.must(err)
			setup(s.ID, ofTurn)
			_, err = f.Setup(f.ctx, missingID)
			f.fails("read: not found", err, history.ErrNotFound)
			f.fails("store: not found", f.SaveSetup(f.ctx, missingID, history.Setup{}), history.ErrNotFound)
		}},
		{"session/counts", func(f *fixture) {
			s := f.session("")
			t := f.send(s.ID, "one", "alpha", "pic")
			f.send(s.ID, "two", "alpha")
			f.drawn(t.Answers[1], "/p/1.png")
			_, err := f.AddAnswers(f.ctx, t.ID, []history.Answer{{Model: "alpha", Kind: history.KindText, Sample: 2}})
			f.must(err)
			got, err := f.Session(f.ctx, s.ID)
			f.must(err)
			f.same("turns, answers, pictures", []int{got.Turns, got.Answers, got.Pictures}, []int{2, 4, 1})
		}},
		{"session/list the newest, with the number of all", func(f *fixture) {
			var want []int64
			for range 5 {
				want = append([]int64{f.session("s").ID}, want...)
			}
			var got []int64
			hits, total, err := f.Sessions(f.ctx, history.Query{Limit: 3})
			f.must(err)
			f.same("total", total, 5)
			for _, h := range hits {
				got = append(got, h.ID)
			}
			f.same("newest first", got, want[:3])
		}},
		{"session/fork", testFork},
		{"session/fork up to a turn", func(f *fixture) {
			s := f.session("s")
			one := f.chat(s.ID, "one", "alpha", "1")
			f.chat(s.ID, "two", "alpha", "2")
			fork, err := f.ForkSession(f.ctx, s.ID, one.ID, "mine")
			f.must(err)
			f.same("name and turns", []any{fork.Name, fork.Turns, fork.ForkedFrom}, []any{"mine", 1, s.ID})
			other := f.session("other")
			foreign := f.send(other.ID, "x", "alpha")
			_, err = f.ForkSession(f.ctx, s.ID, foreign.ID, "")
			f.fails("a turn of another session: not found", err, history.ErrNotFound)
			_, total, err := f.Sessions(f.ctx, history.Query{})
			f.must(err)
			f.same("nothing half made", total, 3)
		}},
	}
}

func testFork(f *fixture) {
	s := f.session("refund")
	t := f.send(s.ID, "draw a fox", "pic", "alpha")
	fox := f.drawn(t.Answers[0], "/p/fox.png")
	f.must(f.SaveExchange(f.ctx, fox.ID, history.Exchange{Method: "POST", RequestBody: []byte("{}")}))
	edit, err := f.AddTurn(f.ctx,
		history.Turn{Session: s.ID, Prompt: "winter", Source: &history.Source{Answer: fox.ID, Path: "/p/fox.png"},
			Vars: map[string]string{"season": "winter"}, Template: "{{season}}", SystemTemplate: "in {{season}}",
			Answers: []history.Answer{{Model: "edit", Kind: history.KindEdit, State: history.Done, Version: 1,
				SentTurns: history.SentTurns{Turns: []history.SentTurn{{Turn: t.ID, Answer: fox.ID}}},
				Picture:   &history.Picture{Path: "/p/w.png", Parent: fox.ID}}}})
	f.must(err)
	_, err = f.AddAnswers(f.ctx, t.ID,
		[]history.Answer{{Model: "pic", Kind: history.KindImage, Sample: 2, State: history.Failed,
			Failure: &history.Failure{Code: "service", Message: "no"}}})
	f.must(err)
	before, err := f.Stats(f.ctx)
	f.must(err)

	fork, err := f.ForkSession(f.ctx, s.ID, 0, "")
	f.must(err)
	f.same("name", fork.Name, "refund (fork)")
	f.same("counts", []int{fork.Turns, fork.Answers, fork.Pictures}, []int{2, 4, 2})
	last, err := f.LastSession(f.ctx)
	f.must(err)
	f.same("the fork is used last", last.ID, fork.ID)
	copies := f.turns(fork.ID)
	f.same("order of the samples", models(copies[0].Answers), "pic/1 pic/2 alpha/1")
	copied := copies[0].Answers[0]
	f.same("what it was filled in from", []any{copies[1].Vars, copies[1].Template, copies[1].SystemTemplate},
		[]any{edit.Vars, "{{season}}", "in {{season}}"})
	f.same("the picture is shared", copied.Picture, fox.Picture)
	f.same("a new answer", copied.ID != fox.ID, true)
	e, err := f.Exchange(f.ctx, copied.ID)
	f.must(err)
	f.same("its exchange", e.Method, "POST")
	f.same("what nobody will end", copies[0].Answers[2].State, history.Interrupted)
	f.same("the original still waits", f.answer(t.Answers[1].ID).State, history.Queued)
	f.same("source and parent name the copy", []int64{copies[1].Source.Answer, copies[1].Answers[0].Picture.Parent},
		[]int64{copied.ID, copied.ID})
	f.same("so does what went along", copies[1].Answers[0].SentTurns.Turns,
		[]history.SentTurn{{Turn: copies[0].ID, Answer: copied.ID}})
	f.same("the original's do not", f.turns(s.ID)[1].Source.Answer, fox.ID)
	f.same("the original's answer", edit.Answers[0].Picture.Parent, fox.ID)
	after, err := f.Stats(f.ctx)
	f.must(err)
	f.same("copies are not counted", after, before)
}
