package storetest

import (
	"fmt"
	"time"

	"confab/history"
	"confab/internal/chat"
)

func answerTests() []named {
	return []named{
		{"answer/only a newer version is saved", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha")
			a := f.done(t.Answers[0], "first")
			late := a
			late.Text = "late"
			f.must(f.SaveAnswer(f.ctx, late))
			late.Version--
			f.must(f.SaveAnswer(f.ctx, late))
			f.same("text", f.answer(a.ID), a)
			late.Version = a.Version + 5
			f.must(f.SaveAnswer(f.ctx, late))
			f.same("a newer one", f.answer(a.ID), late)
		}},
		{"answer/an end is never lost to a version", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha")
			a := t.Answers[0]
			judged, err := f.Judge(f.ctx, a.ID, history.Good, true, "noted while it ran")
			f.must(err)
			a.Version++
			a.State, a.Text = history.Done, "the answer"
			f.must(f.SaveAnswer(f.ctx, a))
			got := f.answer(a.ID)
			f.same("answer and judgement", []any{got.State, got.Text, got.Rating, got.IsWinner, got.Note},
				[]any{history.Done, "the answer", history.Good, true, "noted while it ran"})
			f.same("version grows", got.Version > judged.Version, true)
		}},
		{"answer/saving keeps who and what was asked", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha")
			a := t.Answers[0]
			a.Version, a.State = 1, history.Done
			a.Model, a.Kind, a.Turn, a.Sample = "other", history.KindEdit, missingID, 7
			f.must(f.SaveAnswer(f.ctx, a))
			got := f.answer(a.ID)
			f.same("model, kind, turn, sample", []any{got.Model, got.Kind, got.Turn, got.Sample},
				[]any{"alpha", history.KindText, t.ID, 1})
			err := f.SaveAnswer(f.ctx, history.Answer{ID: missingID})
			f.fails("not found", err, history.ErrNotFound)
		}},
		{"answer/progress is not stored", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha")
			a := t.Answers[0]
			a.Version, a.State, a.Progress = 1, history.Running, history.Progress{Received: 5, Attempt: 1}
			f.must(f.SaveAnswer(f.ctx, a))
			f.same("progress", f.answer(a.ID).Progress, history.Progress{})
		}},
		{"answer/times never run backwards", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha")
			a := t.Answers[0]
			a.Version, a.State, a.Elapsed = 1, history.Done, 3*time.Second
			a.Queued, a.Started, a.Ended = noon(), noon().Add(time.Second), noon().AddDate(0, 0, -1)
			f.must(f.SaveAnswer(f.ctx, a))
			got := f.answer(a.ID)
			f.same("times", []time.Time{got.Queued, got.Started, got.Ended},
				[]time.Time{noon(), noon().Add(time.Second), noon().Add(4 * time.Second)})
			a.Version, a.Elapsed = 2, -time.Second
			f.must(f.SaveAnswer(f.ctx, a))
			f.same("elapsed", f.answer(a.ID).Elapsed, time.Duration(0))
		}},
		{"answer/judge", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha")
			a := f.done(t.Answers[0], "text")
			got, err := f.Judge(f.ctx, a.ID, history.Bad, true, "wordy")
			f.must(err)
			want := a
			want.Version++
			want.Rating, want.IsWinner, want.Note = history.Bad, true, "wordy"
			f.same("returned", got, want)
			f.same("stored", f.answer(a.ID), want)
			f.same("found by the note", f.search("wordy"), []string{"note: [wordy]"})
			_, err = f.Judge(f.ctx, a.ID, history.Bad, true, "")
			f.must(err)
			f.same("note taken back", f.search("wordy"), []string{})
			_, err = f.Judge(f.ctx, missingID, history.Bad, true, "")
			f.fails("not found", err, history.ErrNotFound)
		}},
		{"answer/a turn has one winner", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha", "beta", "gamma")
			other := f.send(f.session("s").ID, "p", "alpha")
			judge := func(a history.Answer, winner bool) {
				_, err := f.Judge(f.ctx, a.ID, history.Good, winner, "kept")
				f.must(err)
			}
			winners := func() (won []bool) {
				for _, a := range append(t.Answers, other.Answers...) {
					won = append(won, f.answer(a.ID).IsWinner)
				}
				return won
			}
			judge(other.Answers[0], true)
			judge(t.Answers[0], true)
			before := f.answer(t.Answers[0].ID)
			judge(t.Answers[1], true)
			f.same("the later one", winners(), []bool{false, true, false, true})
			after := f.answer(t.Answers[0].ID)
			f.same("a newer version", after.Version > before.Version, true)
			f.same("rating and note stay", []any{after.Rating, after.Note}, []any{history.Good, "kept"})
			judge(t.Answers[2], false)
			f.same("one that is no winner", winners(), []bool{false, true, false, true})
			judge(t.Answers[1], false)
			f.same("taken back", winners(), []bool{false, false, false, true})
		}},
		{"answer/exchange", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha")
			id := t.Answers[0].ID
			_, err := f.Exchange(f.ctx, id)
			f.fails("none yet", err, history.ErrNotFound)
			want := history.Exchange{Method: "POST", URL: "http://x/y?z", RequestBody: []byte("{\"a\":\"\xff\x00\"}"),
				Status: 200,
				Proto:  "HTTP/1.1",
				Header: map[string][][]byte{"Content-Type": {[]byte("text/html"), []byte("\xfe")}},
				Head:   []byte("\x89PNG\r\n\x1a\n\x00"), Received: 8, Attempts: 2,
				QueueWait: time.Second, Connect: 2, FirstByte: 3, Total: 4}
			f.must(f.SaveExchange(f.ctx, id, history.Exchange{Method: "GET"}))
			f.must(f.SaveExchange(f.ctx, id, want))
			got, err := f.Exchange(f.ctx, id)
			f.must(err)
			f.same("exchange", got, want)
			f.fails("not found", f.SaveExchange(f.ctx, missingID, want), history.ErrNotFound)
		}},
		{"answer/statistics", testStats},
		{"answer/usage", testUsage},
		{"recover/only the answers of dead owners", testRecover},
		{"recover/what had come of an answer stays", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha")
			a := t.Answers[0]
			a.Version, a.State, a.Text, a.Reasoning = 1, history.Running, "half of a walrus", "let me see"
			f.must(f.SaveAnswer(f.ctx, a))
			f.same(
				"text and reasoning",
				[]any{f.answer(a.ID).Text, f.answer(a.ID).Reasoning},
				[]any{a.Text, a.Reasoning},
			)
			f.same("a search does not find what still grows", f.search("walrus"), []string{})
			a.Version, a.Text = 2, "half of a walrus and a bit"
			f.must(f.SaveAnswer(f.ctx, a))
			_, err := f.open(Options{Process: process(2)}).Recover(f.ctx)
			f.must(err)
			got := f.answer(a.ID)
			f.same("recovered", []any{got.State, got.Text}, []any{history.Interrupted, a.Text})
			f.same("found", f.search("walrus"), []string{"answer: half of a [walrus] and a bit"})
			f.same("asked again", len(f.done(got, "whole").Text), 5)
			f.same("the old text is found no more", f.search("walrus"), []string{})
		}},
		{"recover/an answer that comes after all is kept", func(f *fixture) {
			t := f.send(f.session("s").ID, "p", "alpha")
			other := f.open(Options{Process: process(2)})
			_, err := other.Recover(f.ctx) // treats owner 1 as dead
			f.must(err)
			f.same("interrupted", f.answer(t.Answers[0].ID).State, history.Interrupted)
			got := f.done(t.Answers[0], "here it is")
			f.same("state", []any{got.State, got.Text}, []any{history.Done, "here it is"})
		}},
	}
}

func testStats(f *fixture) {
	s := f.session("s")
	for i, state := range []history.State{history.Done, history.Done, history.Failed, history.Cancelled,
		history.Interrupted, history.Running} {
		a := f.send(s.ID, "p", "alpha").Answers[0]
		a.Version, a.State, a.Elapsed, a.EngineModel = 1, state, time.Duration(i+1)*time.Second, fmt.Sprintf("m:%d", i)
		f.must(f.SaveAnswer(f.ctx, a))
	}
	a := f.send(s.ID, "p", "alpha").Answers[0]
	a.Version, a.State, a.Elapsed, a.IsCached = 1, history.Done, time.Hour, true
	f.must(f.SaveAnswer(f.ctx, a))
	f.send(s.ID, "p", "never")
	got, err := f.Stats(f.ctx)
	f.must(err)
	f.same("statistics", got, map[string]history.ModelStats{
		"alpha": {Answers: 4, Failures: 1, MedianTime: 1500 * time.Millisecond, EngineModel: "m:1"},
		"never": {},
	})
	for range 60 {
		a := f.send(s.ID, "p", "alpha").Answers[0]
		a.Version, a.State, a.Elapsed = 1, history.Done, time.Minute
		f.must(f.SaveAnswer(f.ctx, a))
	}
	got, err = f.Stats(f.ctx)
	f.must(err)
	f.same("typical is of the newest", got["alpha"], history.ModelStats{Answers: 64, Failures: 1,
		MedianTime: time.Minute})
	_, err = f.DeleteSession(f.ctx, s.ID)
	f.must(err)
	err = f.Purge(f.ctx, 0, nil)
	f.must(err)
	got, err = f.Stats(f.ctx)
	f.must(err)
	f.same("after all was purged", got, map[string]history.ModelStats{})
}

func testUsage(f *fixture) {
	first, second := f.session("first"), f.session("second")
	zone := time.FixedZone("east", 5*3600+1800)
	midnight := time.Date(2026, 11, 24, 0, 0, 0, 0, zone)
	add := func(session int64, model string, state history.State, at time.Time, tokens int, currency string) {
		a := f.send(session, "p", model).Answers[0]
		a.Version, a.State, a.Started, a.Elapsed = 1, state, at, time.Second
		a.Usage = chat.Usage{InputTokens: tokens, OutputTokens: 2 * tokens, ReasoningTokens: tokens}
		if currency != "" {
			a.Cost = history.Cost{Amount: 0.5, Currency: currency}
		}
		a.FirstToken, a.Thinking = time.Second/2, time.Second/4
		f.must(f.SaveAnswer(f.ctx, a))
	}
	add(first.ID, "beta", history.Done, midnight.Add(-time.Minute), 10, "USD")
	add(first.ID, "alpha", history.Cancelled, midnight, 20, "USD")
	add(first.ID, "alpha", history.Failed, midnight.Add(time.Hour), 0, "")
	add(first.ID, "alpha", history.Running, midnight, 500, "USD")
	add(second.ID, "alpha", history.Done, midnight.Add(2*time.Hour), 40, "EUR")
	_, err := f.ForkSession(f.ctx, first.ID, 0, "")
	f.must(err)
	gone := f.session("gone")
	add(gone.ID, "beta", history.Done, midnight, 100, "USD")
	_, err = f.DeleteSession(f.ctx, gone.ID)
	f.must(err)

	sum := func(answers, counted, tokens int, costs ...history.Cost) history.UsageSum {
		return history.UsageSum{Answers: answers, Counted: counted, Elapsed: time.Duration(answers) * time.Second,
			Usage: chat.Usage{InputTokens: tokens, OutputTokens: 2 * tokens, ReasoningTokens: tokens}, Costs: costs}
	}
	usd, eur := history.Cost{Amount: 0.5, Currency: "USD"}, history.Cost{Amount: 0.5, Currency: "EUR"}
	usage := func(q history.UsageQuery) []history.UsageSum {
		sums, err := f.Usage(f.ctx, q)
		f.must(err)
		return sums
	}
	alpha, beta := sum(3, 2, 60, eur, usd), sum(1, 1, 10, usd)
	alpha.Model, beta.Model = "alpha", "beta"
	f.same("by model", usage(history.UsageQuery{By: history.UsageByModel}), []history.UsageSum{alpha, beta})
	alpha = sum(2, 1, 20, usd)
	alpha.Model = "alpha"
	f.same("by model of a session", usage(history.UsageQuery{By: history.UsageByModel, Session: first.ID}),
		[]history.UsageSum{alpha, beta})
	one, two := sum(3, 2, 30, history.Cost{Amount: 1, Currency: "USD"}), sum(1, 1, 40, eur)
	one.Session, one.SessionName, two.Session, two.SessionName = first.ID, "first", second.ID, "second"
	f.same("by session", usage(history.UsageQuery{By: history.UsageBySession}), []history.UsageSum{one, two})
	before, after := sum(1, 1, 10, usd), sum(3, 2, 60, eur, usd)
	before.Day, after.Day = midnight.AddDate(0, 0, -1), midnight
	f.same("by day", usage(history.UsageQuery{By: history.UsageByDay, Location: zone}),
		[]history.UsageSum{before, after})

	stats, err := f.Stats(f.ctx)
	f.must(err)
	got := stats["beta"] // includes the hidden one that is not purged
	f.same("medians", []any{got.FirstToken, got.OutputTokens, int(got.Speed)}, []any{time.Second / 2, 110, 220})
}

func testRecover(f *fixture) {
	s := f.session("s")
	mine := f.send(s.ID, "mine", "alpha", "beta")
	ended := f.done(mine.Answers[1], "ended")
	owned := map[int]history.Turn{}
	for _, pid := range []int{2, 3} {
		store := f.open(Options{Process: process(pid)})
		t, err := store.AddTurn(f.ctx,
			history.Turn{Session: s.ID, Prompt: "theirs",
				Answers: []history.Answer{{Model: "alpha"}, {Model: "beta", State: history.Running, Started: noon()}}})
		f.must(err)
		owned[pid] = t
	}
	elsewhere := f.open(Options{Process: history.Process{PID: 2, Host: "elsewhere"}})
	foreign, err := elsewhere.AddTurn(f.ctx,
		history.Turn{Session: s.ID, Answers: []history.Answer{{Model: "alpha", Queued: noon()}}})
	f.must(err)
	f.alive["here/3"], f.alive["elsewhere/2"] = true, true

	n, err := f.Recover(f.ctx)
	f.must(err)
	f.same("recovered", n, 2)
	for i, a := range owned[2].Answers {
		got := f.answer(a.ID)
		f.same("the dead one's", []any{got.State, got.Version}, []any{history.Interrupted, a.Version + 1})
		f.same("ended after it started", got.Ended.Before(owned[2].Answers[i].Started), false)
	}
	f.same("the living one's", f.answer(owned[3].Answers[0].ID).State, history.Queued)
	f.same("our own", f.answer(mine.Answers[0].ID).State, history.Queued)
	f.same("one that had ended", f.answer(ended.ID), ended)
	f.same("one of a machine that cannot be asked", f.answer(foreign.Answers[0].ID).State, history.Queued)
	f.clock.set(noon().Add(25 * time.Hour))
	n, err = f.Recover(f.ctx)
	f.must(err)
	f.same("a day later", n, 1)
	f.same("one of a machine that cannot be asked", f.answer(foreign.Answers[0].ID).State, history.Interrupted)
}
