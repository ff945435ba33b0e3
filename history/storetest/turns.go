package storetest

import (
	"encoding/json"
	"fmt"
	"time"

	"confab/history"
	"confab/internal/chat"
)

func turnTests() []named {
	return []named{
		{"turn/every field", func(f *fixture) {
			s := f.session("s")
			want := history.Turn{
				Session: s.ID, Created: noon().Add(-time.Hour), Prompt: "p", System: "sys", Aspect: "16:9",
				Nonce:   history.Nonce{Mode: history.NonceFixed, Value: "n1"},
				Source:  &history.Source{Answer: 7, Path: "/p/x.png", URL: "http://x/"},
				Samples: 3, HasContext: true, Files: turnFiles(),
				Vars: map[string]string{
					"who":   "Ana",
					"größe": "L\x00\u2028<&>",
					"":      "",
				},
				Params: history.Params{
					"temperature": json.Number("0"), "max_tokens": json.Number("5"), "seed": json.Number("-7"),
					"stop": []any{"\n"}, "extra": map[string]any{"a": "\x00", "b": []any{json.Number("1e400")}},
				},
				Template: "p{{who}}\x00\xff", SystemTemplate: "s{{größe}}\xff",
				Answers: []history.Answer{{
					Model: "alpha", Kind: history.KindEdit, Sample: 2, State: history.Failed, Version: 4, Text: "t",
					ServedModel: "beta",
					Engine:      "local", EngineModel: "beta:7b", ServiceNote: "larger",
					Failure: &history.Failure{Code: "timeout",
						Message: "too slow"}, SentPrompt: "sent", SentNonce: "n", SourceURL: "http://y/",
					HTTPStatus: 504, IsCached: true, Queued: noon(), Started: noon().Add(time.Second),
					Ended:   noon().Add(2 * time.Second),
					Elapsed: 1234567 * time.Nanosecond, FirstToken: 345678, QueueWait: 42,
					IsMasked: true, SHA256: "sum",
					Reasoning: "hm", Finish: chat.FinishLength, Thinking: 3,
					Usage: chat.Usage{InputTokens: 4, OutputTokens: 5, ReasoningTokens: 2},
					Cost:  history.Cost{Amount: 0.0031, Currency: "USD"},
					SentMessages: []chat.Message{{Role: chat.RoleUser, Content: "hi <&>"},
						{Role: chat.RoleAssistant, Content: "ho"}}, Ignored: []string{"seed"}, OmittedTurns: 12,
					SentTurns: history.SentTurns{Turns: []history.SentTurn{{Turn: 3, Answer: 4}}, IsInPrompt: true,
						SHA256: "s"},
					Rating: history.Bad, IsWinner: true, Note: "note",
					Picture: &history.Picture{Path: "/p/y.jpg", ContentType: "image/jpeg", Width: 1, Height: 2,
						Bytes: 3, SHA256: "s",
						Parent: 4, IsTooLarge: true},
				}},
			}
			got, err := f.AddTurn(f.ctx, want)
			f.must(err)
			want.ID, want.Answers[0].ID, want.Answers[0].Turn = got.ID, got.Answers[0].ID, got.ID
			f.same("returned", got, want)
			read, err := f.Turn(f.ctx, got.ID)
			f.must(err)
			f.same("read", read, want)
			f.same("its answer", f.answer(got.Answers[0].ID), want.Answers[0])
		}},
		{"turn/what is not given", func(f *fixture) {
			s := f.session("s")
			got, err := f.AddTurn(f.ctx,
				history.Turn{Session: s.ID, Answers: []history.Answer{{Model: "alpha", Kind: history.KindText}}})
			f.must(err)
			f.same("samples, sample, state", []any{got.Samples, got.Answers[0].Sample, got.Answers[0].State},
				[]any{1, 1, history.Queued})
			f.same("created now", got.Created.Sub(noon()).Abs() < time.Second, true)
			read, err := f.Turn(f.ctx, got.ID)
			f.must(err)
			f.same("read as returned", read, got)
		}},
		{"turn/needs its session", func(f *fixture) {
			_, err := f.AddTurn(f.ctx, history.Turn{Session: 5, Prompt: "x"})
			f.fails("not found", err, history.ErrNotFound)
			_, err = f.AddAnswers(f.ctx, 5, []history.Answer{{Model: "alpha"}})
			f.fails("not found", err, history.ErrNotFound)
		}},
		{"turn/text is kept byte for byte", func(f *fixture) {
			s := f.session("s")
			for _, text := range []string{"", "a\x00b", "\x00", "\xff\xfe\xc0\xed\xa0\x80", "\x1b]52;c;eA==\x07",
				"\r\n\t ",
				"é\u0301\u202e语🎉", "' \" ; -- ?"} {
				t, err := f.AddTurn(f.ctx,
					history.Turn{Session: s.ID, Prompt: text, System: text,
						Answers: []history.Answer{{Model: "m" + text, Kind: history.KindText}}})
				f.must(err)
				f.done(t.Answers[0], text)
				_, err = f.Judge(f.ctx, t.Answers[0].ID, history.Good, false, text)
				f.must(err)
				read, err := f.Turn(f.ctx, t.ID)
				f.must(err)
				a := read.Answers[0]
				f.same("texts", []string{read.Prompt, read.System, a.Model, a.Text, a.Note},
					[]string{text, text, "m" + text, text, text})
			}
		}},
		{"turn/a later sample stands after the last of its model", func(f *fixture) {
			s := f.session("s")
			t := f.send(s.ID, "p", "a", "b", "c")
			seen := t
			for i, m := range []string{"b", "a", "b", "d"} {
				added, err := f.AddAnswers(f.ctx, t.ID,
					[]history.Answer{{Model: m, Kind: history.KindText, Sample: i + 2}})
				f.must(err)
				seen = history.Apply(seen, history.Event{Turn: t.ID, Answer: added[0]})
			}
			read, err := f.Turn(f.ctx, t.ID)
			f.must(err)
			f.same("order", models(read.Answers), "a/1 a/3 b/1 b/2 b/4 c/1 d/5")
			f.same("as by events", models(seen.Answers), models(read.Answers))
			f.same("on a page", f.turns(s.ID)[0], read)
			f.same("the prompt is found by the added model", f.search("p model:d"), []string{"prompt: [p]"})
		}},
		{"turn/pages", testPages},
		{"turn/other sessions are not in the way", func(f *fixture) {
			a, b := f.session("a"), f.session("b")
			var want []int64
			for i := range 6 {
				want = append(want, f.send(a.ID, fmt.Sprint(i), "alpha").ID)
				f.send(b.ID, fmt.Sprint(i), "alpha")
			}
			got := f.turns(a.ID)
			f.same("turns", ids(got), want)
			for _, t := range got {
				f.same("answers", len(t.Answers), 1)
			}
		}},
		{"turn/order is by id though the clock goes back", func(f *fixture) {
			s := f.session("s")
			one := f.chat(s.ID, "first word", "alpha", "answer word")
			f.clock.set(noon().AddDate(0, 0, -1))
			two := f.chat(s.ID, "second word", "alpha", "answer word")
			f.same("turns", ids(f.turns(s.ID)), []int64{one.ID, two.ID})
			hits, err := f.Search(f.ctx, history.Query{Text: "word"})
			f.must(err)
			var order []int64
			for _, h := range hits {
				order = append(order, h.Turn)
			}
			f.same("hits", order, []int64{two.ID, two.ID, one.ID, one.ID})
		}},
		{"turn/answered ones are counted", func(f *fixture) {
			s := f.session("s")
			f.chat(s.ID, "a text", "alpha", "text")
			cancelled := f.send(s.ID, "half of one", "alpha").Answers[0]
			cancelled.Version, cancelled.State, cancelled.Text = 2, history.Cancelled, "half"
			f.must(f.SaveAnswer(f.ctx, cancelled))
			running := f.send(s.ID, "half of another", "alpha").Answers[0]
			running.Version, running.State, running.Text = 2, history.Running, "half"
			f.must(f.SaveAnswer(f.ctx, running))
			f.chat(s.ID, "none", "alpha", "")
			f.drawn(f.send(s.ID, "a picture", "pict").Answers[0], "/p/1.png")
			deleted := f.chat(s.ID, "a deleted one", "alpha", "text")
			_, err := f.DeleteTurn(f.ctx, deleted.ID)
			f.must(err)
			f.chat(f.session("other").ID, "elsewhere", "alpha", "text")
			last := f.chat(s.ID, "another text", "alpha", "text")
			for before, want := range map[int64]int{last.ID: 3, last.ID + 1: 4} {
				n, err := f.AnsweredTurns(f.ctx, s.ID, before)
				f.must(err)
				f.same("turns with a text or picture that has ended", n, want)
			}
		}},
		{"turn/find in a session", func(f *fixture) {
			s, other := f.session("s"), f.session("other")
			one := f.chat(s.ID, "The QUICK fox", "alpha", "nothing")
			two := f.chat(s.ID, "second", "alpha", "aquickanswer and ÄRGER")
			three := f.send(s.ID, "third", "alpha")
			_, err := f.Judge(f.ctx, three.Answers[0].ID, history.Unrated, false, "a Quick note")
			f.must(err)
			four, err := f.AddTurn(f.ctx, history.Turn{Session: s.ID, System: "be quick"})
			f.must(err)
			f.chat(other.ID, "quick", "alpha", "quick")
			for text, want := range map[string][]int64{
				"quick": {one.ID, two.ID, three.ID,
					four.ID}, "ärger": {two.ID}, "uickans": {two.ID}, "100%": nil, "": nil, "_": nil, "third": {
					three.ID,
				},
			} {
				got, err := f.FindInSession(f.ctx, s.ID, text)
				f.must(err)
				f.same("find "+text, got, want)
			}
		}},
	}
}

func testPages(f *fixture) {
	s := f.session("s")
	var all []int64
	for i := range 10 {
		all = append(all, f.send(s.ID, fmt.Sprint(i), "alpha", "beta").ID)
	}
	for _, test := range []struct {
		name string
		page history.Page
		want []int64
	}{
		{"newest", history.Page{Limit: 3}, all[7:]},
		{"all", history.Page{}, all},
		{"more than there are", history.Page{Limit: 99}, all},
		{"before", history.Page{Before: all[5], Limit: 3}, all[2:5]},
		{"before the first", history.Page{Before: all[0], Limit: 3}, nil},
		{"after", history.Page{After: all[5], Limit: 3}, all[6:9]},
		{"after the last", history.Page{After: all[9], Limit: 3}, nil},
		{"around", history.Page{Around: all[5], Limit: 5}, all[3:8]},
		{"around one", history.Page{Around: all[5], Limit: 1}, all[5:6]},
		{"around two", history.Page{Around: all[5], Limit: 2}, all[5:7]},
		{"around the first", history.Page{Around: all[0], Limit: 5}, all[:5]},
		{"around the last", history.Page{Around: all[9], Limit: 5}, all[5:]},
	} {
		got, err := f.Turns(f.ctx, s.ID, test.page)
		f.must(err)
		f.same(test.name, ids(got), test.want)
		for _, t := range got {
			f.same(test.name+": answers", models(t.Answers), "alpha/1 beta/1")
		}
	}
	got, err := f.Turns(f.ctx, missingID, history.Page{})
	f.must(err)
	f.same("no such session", len(got), 0)
}
