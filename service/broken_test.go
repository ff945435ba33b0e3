package service_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/api"
	"confab/service/suite"
)

// brokenWorld returns a world in which a run of two models, of which delta answered twice and zeta in part once, ended
// as a test says.
type brokenWorld func(t *testing.T) (w *world, run int64)

const brokenSuite = "prompts: [a]\nproviders: [llm:delta, llm:zeta]\n" +
	"tests:\n  - assert: [{type: contains, value: part}]\n"

// partThen lets zeta write a part of its answer, and then do what end says.
func (w *world) partThen(end func(ctx context.Context) (api.Response, error)) {
	w.client.do = func(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
		error) {
		const text = "the part of all"
		if r.Model.Slug != "zeta" {
			return api.Response{Text: text, Status: 200}, api.Exchange{Status: 200}, nil
		}
		observe(api.Progress{Attempt: 1})
		observe(api.Progress{Attempt: 1, Received: 1, Text: text})
		response, err := end(ctx)
		return response, api.Exchange{Status: 200}, err
	}
}

func untilCancelled(ctx context.Context) (api.Response, error) {
	<-ctx.Done()
	return api.Response{}, context.Cause(ctx)
}

// An answer that broke off counts nowhere, however it did: not in votes and wins, not in checks and their sums, not in
// similarities, not in what a conversation goes on with.
func TestAnAnswerThatBrokeOffCountsNowhere(t *testing.T) {
	streams := withExtensions(api.Extensions{Streams: true})
	for name, c := range map[string]struct {
		make  brokenWorld
		state history.State
	}{
		"a broken stream": {func(t *testing.T) (*world, int64) {
			w := newWorld(t, streams)
			w.partThen(func(context.Context) (api.Response, error) {
				return api.Response{}, &api.Error{Code: api.CodeBadResponse, Message: "The answer broke off."}
			})
			r, _ := w.run(t, t.Context(), w.suiteIn(t, "s.yaml", brokenSuite))
			return w, r.Record().ID
		}, history.Failed},
		"cancelled": {func(t *testing.T) (*world, int64) {
			w := newWorld(t, streams)
			ctx, cancel := context.WithCancel(t.Context())
			w.partThen(func(ctx context.Context) (api.Response, error) {
				cancel()
				return untilCancelled(ctx)
			})
			r, _ := w.run(t, ctx, w.suiteIn(t, "s.yaml", brokenSuite))
			return w, r.Record().ID
		}, history.Cancelled},
		"killed": {killedRun, history.Interrupted},
		"a full disk": {func(t *testing.T) (*world, int64) {
			w := newWorld(t, streams)
			f := newFailingStore(t, w)
			w.partThen(func(context.Context) (api.Response, error) {
				f.set(history.ErrFull)
				return api.Response{}, &api.Error{Code: api.CodeBadResponse, Message: "The answer broke off."}
			})
			q := w.suiteIn(t, "s.yaml", brokenSuite)
			q.Concurrency = 1 // delta's answer is stored before
			r, _ := w.run(t, t.Context(), q)
			if w.Unsaved() == 0 {
				t.Error("the disk was not full")
			}
			f.set(nil)
			return w, r.Record().ID
		}, history.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, run := c.make(t)
			w.countsNowhere(t, run, c.state)
		})
	}
}

// killedRun leaves a run as a process does that dies while zeta writes: with the history as it is at that moment.
func killedRun(t *testing.T) (*world, int64) {
	dir, snapshot := t.TempDir(), t.TempDir()
	dead := history.CurrentProcess()
	dead.Boot = "an earlier one"
	var run int64
	synctest.Test(t, func(t *testing.T) {
		before := worldIn(t, dir, withExtensions(api.Extensions{Streams: true}), func(o *service.Options) {
			o.History.Open = func(ctx context.Context) (history.Store, error) {
				return sqlite.Open(ctx, filepath.Join(dir, "history.db"), sqlite.Options{Process: dead})
			}
		})
		before.partThen(func(context.Context) (api.Response, error) {
			// The part is stored while it runs.
			time.Sleep(time.Second + service.RunningMarkDelay + service.PartialSaveInterval)
			db, err := sql.Open("sqlite", "file:"+before.path)
			if err == nil {
				_, err = db.ExecContext(t.Context(), `vacuum into ?`, filepath.Join(snapshot, "history.db"))
				err = errors.Join(err, db.Close())
			}
			return api.Response{Text: "the end"}, err
		})
		r, _ := before.run(t, t.Context(), before.suiteIn(t, "s.yaml", brokenSuite))
		run = r.Record().ID
	})
	w := worldIn(t, snapshot)
	found, err := w.Start(t.Context())
	if err != nil || found.Recovered != 1 {
		t.Fatalf("found %+v, %v", found, err)
	}
	return w, run
}

func (w *world) countsNowhere(t *testing.T, run int64, state history.State) {
	t.Helper()
	cells, err := w.Runner().Cells(t.Context(), run)
	if err != nil || len(cells) != 2 {
		t.Fatalf("%d cells, %v", len(cells), err)
	}
	good, err := w.Answer(t.Context(), cells[0].Answer)
	if err != nil || good.State != history.Done {
		t.Fatalf("the good answer is %s, %v", good.State, err)
	}
	broken, err := w.Answer(t.Context(), cells[1].Answer)
	if err != nil || broken.State != state || broken.Text != good.Text {
		t.Fatalf("the broken answer is %s with %q, %v", broken.State, broken.Text, err)
	}

	for _, v := range []history.Vote{
		{AnswerA: good.ID, AnswerB: broken.ID, Preference: history.VoteA},
		{AnswerA: broken.ID, AnswerB: good.ID, Preference: history.VoteA},
	} {
		_, err := w.AddVote(t.Context(), v)
		wantCode(t, err, api.CodeUsage)
	}
	_, err = w.Judge(t.Context(), broken.ID, history.Bad, true, "")
	wantCode(t, err, api.CodeUsage)
	must(t, errorOf(w.Judge(t.Context(), broken.ID, history.Bad, false, "it stops")))
	if votes, err := w.Runner().Votes(t.Context(), suite.VoteScope{}); err != nil || len(votes.Voters) != 0 {
		t.Errorf("votes %+v, %v", votes, err)
	}

	if stats := suite.StatsOf(cells...); stats.Passed != 1 || stats.Answered() != 1 || len(stats.Times) != 1 ||
		stats.Checks != (suite.Checks{Passed: 1}) {
		t.Errorf("the run counts %+v", stats)
	}
	for _, result := range cells[1].Checks {
		if result.Verdict != "skipped" || !strings.Contains(result.Reason, "the answer is "+state.Word()) {
			t.Errorf("a check says %+v", result)
		}
	}
	_, changes, err := w.Runner().Compare(t.Context(), run, run)
	must(t, err)
	for _, c := range changes {
		if c.AnswerB.ID == broken.ID && c.Similarity != 0 {
			t.Error("the broken answer is compared")
		}
	}
	turn, err := w.Turn(t.Context(), broken.Turn)
	must(t, err)
	if a, _ := service.ContextAnswer(turn, "zeta"); a.Text != broken.Text {
		t.Errorf("the conversation goes on with %q", a.Text)
	}
}
