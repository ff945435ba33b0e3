package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"confab/history"
)

// newRun returns a run of a suite that starts in its own session with its first cell.
func newRun(path string) *history.Run {
	return &history.Run{Suite: "suite", Path: path, SHA256: "abc", Planned: 3, Note: "n\x00\xff",
		Options: history.RunOptions{Models: []string{"alpha", "beta"}, Repeat: 2, EffectiveConcurrency: 8}}
}

// started returns a run with one cell.
func (f *fixture) started(path string) history.Run {
	f.Helper()
	r := newRun(path)
	f.cell(r, "k")
	r.Cells = 1
	return *r
}

// cell adds a cell with a queued answer to a run; the first one starts it.
func (f *fixture) cell(r *history.Run, key string) (history.Cell, history.Turn) {
	f.Helper()
	c := history.Cell{Run: r.ID, Number: 1, TestIndex: 2, Repeat: 3, Row: 4, Column: 5, Key: key,
		Provider: "llm:alpha", Prompt: "warm", Vars: map[string]string{"name": "Ä\x00"}}
	t := f.asked(r, "prompt of "+key)
	c.Template = t.Prompt
	var err error
	if r.ID == 0 {
		*r, c, t, err = f.StartRun(f.ctx, *r, c, t)
	} else {
		c, t, err = f.AddCell(f.ctx, c, t)
	}
	f.must(err)
	return c, t
}

func (f *fixture) asked(r *history.Run, prompt string) history.Turn {
	return history.Turn{Session: r.Session, Prompt: prompt,
		Answers: []history.Answer{{Model: "alpha", Kind: history.KindText, State: history.Queued}}}
}

func (f *fixture) cells(r *history.Run) []history.Cell {
	f.Helper()
	cells, err := f.Cells(f.ctx, r.ID, 0, 0)
	f.must(err)
	return cells
}

func (f *fixture) end(a history.Answer, state history.State) {
	f.Helper()
	a.State, a.Version = state, a.Version+1
	f.must(f.SaveAnswer(f.ctx, a))
}

func runTests() []named {
	return []named{
		{"run/what was started is there", func(f *fixture) {
			one, two := f.started("/s/a.yaml"), f.started("/s/a.yaml")
			other := f.started("/s/b.yaml")
			got, err := f.Store.Run(f.ctx, one.ID)
			f.must(err)
			f.same("run", got, one)
			last, err := f.LastRun(f.ctx, "/s/a.yaml")
			f.must(err)
			f.same("last of its suite", last, two)
			runs, err := f.Runs(f.ctx, "", 0)
			f.must(err)
			f.same("all, newest first", runs, []history.Run{other, two, one})
			runs, err = f.Runs(f.ctx, "", 1)
			f.must(err)
			f.same("the newest", runs, []history.Run{other})
			_, err = f.LastRun(f.ctx, "/s/c.yaml")
			f.fails("a suite that was never run", err, history.ErrNotFound)
			one.SHA256, one.Planned, one.Note, one.Ended = "def", 5, "later", one.Started.Add(time.Hour)
			one.Options = history.RunOptions{Concurrency: 4, Timeout: time.Minute}
			f.must(f.PutRun(f.ctx, one))
			got, err = f.Store.Run(f.ctx, one.ID)
			f.must(err)
			f.same("changed", got, one)
			f.fails("changing none", f.PutRun(f.ctx, history.Run{ID: missingID}), history.ErrNotFound)
			_, _, _, err = f.StartRun(f.ctx, history.Run{Session: missingID}, history.Cell{Key: "k"},
				f.asked(&one, "x"))
			f.fails("in no session", err, history.ErrNotFound)
			next, _, _, err := f.StartRun(f.ctx, history.Run{Session: one.Session}, history.Cell{Key: "k"},
				f.asked(&one, "x"))
			f.must(err)
			f.same("in a session that is there", next.Session, one.Session)
			_, before, err := f.Sessions(f.ctx, history.Query{})
			f.must(err)
			_, _, _, err = f.StartRun(f.ctx, *newRun("/s/d.yaml"), history.Cell{Key: "k"},
				history.Turn{Prompt: "no answer"})
			f.same("without a cell", err != nil, true)
			_, after, err := f.Sessions(f.ctx, history.Query{})
			f.must(err)
			f.same("leaves no session", after, before)
			_, err = f.LastRun(f.ctx, "/s/d.yaml")
			f.fails("leaves no run", err, history.ErrNotFound)
		}},
		{"run/cells are turns", testCells},
		{"run/cells show their turns and answers", testCellsOfTurns},
		{"run/a cell is there once", func(f *fixture) {
			r := newRun("/s/a.yaml")
			c, t := f.cell(r, "k")
			_, _, err := f.AddCell(f.ctx, history.Cell{Run: r.ID, Key: "k"}, f.asked(r, "again"))
			f.fails("the second one is refused", err, history.ErrTaken)
			f.same("and leaves no turn", len(f.turns(r.Session)), 1)
			f.cell(newRun("/s/a.yaml"), "k") // a separate run

			a := history.Answer{Model: "alpha", Kind: history.KindText, Sample: 2, State: history.Queued}
			renewed, added, err := f.RenewCell(f.ctx, c, a)
			f.must(err)
			f.same("its answer", renewed.Answer, added.ID)
			f.same("the turn has both", len(f.turns(r.Session)[0].Answers), 2)
			_, _, err = f.RenewCell(f.ctx, c, a)
			f.fails("who was slower is refused", err, history.ErrTaken)
			f.same("and leaves no answer", len(f.turns(r.Session)[0].Answers), 2)
			f.same("the first turn stays", renewed.Turn, t.ID)
		}},
		{"run/pages", func(f *fixture) {
			r := newRun("/s/a.yaml")
			for i := range 7 {
				f.cell(r, fmt.Sprint(7-i))
			}
			var keys string
			for after := int64(0); ; {
				page, err := f.Cells(f.ctx, r.ID, after, 3)
				f.must(err)
				if len(page) == 0 {
					break
				}
				for _, c := range page {
					keys += c.Key
				}
				after = page[len(page)-1].ID
			}
			f.same("keys", keys, "7654321")
		}},
		{"run/goes with its turns", testRunDeletion},
	}
}

func testCellsOfTurns(f *fixture) {
	r := f.started("/s/a.yaml")
	t := f.asked(&r, "Say hi")
	t.Template, t.System, t.SystemTemplate = "Say  {{word}}", "Be brief", "Be {{how}}"
	t.Params = history.Params{"temperature": json.Number("0.7")}
	_, t, err := f.AddCell(f.ctx, history.Cell{Run: r.ID, Key: "k0"}, t)
	f.must(err)
	a := t.Answers[0]
	a.Text = "It\nis " + strings.Repeat("ä", 500)
	f.end(a, history.Done)
	_, err = f.Judge(f.ctx, a.ID, history.Unrated, true, "")
	f.must(err)
	c := f.cells(&r)[1]
	f.same("read of the turn", []any{c.Template, c.System, c.Params},
		[]any{"Say  {{word}}", "Be {{how}}", t.Params})
	f.same("read of the answer", []any{c.IsWinner, c.Words}, []any{true, history.Beginning(a.Text)})
}

func testCells(f *fixture) {
	r := newRun("/s/a.yaml")
	c, t := f.cell(r, "k1")
	f.same("its turn", []any{c.Turn, c.Answer, t.Answers[0].State}, []any{t.ID, t.Answers[0].ID, history.Queued})
	c.Model, c.Kind, c.State = "alpha", history.KindText, history.Queued
	f.same("read", f.cells(r), []history.Cell{c})
	f.same("the turn is as any other", f.turns(r.Session)[0].Prompt, "prompt of k1")
	done := t.Answers[0]
	done.Elapsed, done.IsCached, done.Text = 3*time.Second, true, "x"
	f.end(done, history.Done)
	c.Elapsed, c.IsCached, c.Words = done.Elapsed, true, "x"
	c.State, c.Number, c.Row, c.Column, c.IsJudged = history.Done, 9, 8, 7, true
	c.Description = "a late parcel"
	f.must(f.PutCell(f.ctx, c))
	c.Checks = []history.CheckResult{}
	f.same("judged by nothing", f.cells(r), []history.Cell{c})
	f.same("and is not passed", c.Status(), history.CellUnchecked)
	c.Checks = []history.CheckResult{{Name: `contains "x"`, Verdict: "passed", Reason: `it holds "verdict":"failed"`},
		{Name: "b", Verdict: "skipped"}}
	f.must(f.PutCell(f.ctx, c))
	f.same("judged", f.cells(r), []history.Cell{c})
	counts := func() []int {
		got, err := f.Store.Run(f.ctx, r.ID)
		f.must(err)
		return []int{got.Cells, got.Done, got.Passed, got.Failed, got.Inconclusive, got.Unchecked}
	}
	c.EarlierChecks = [][]history.CheckResult{{{Name: "a", Verdict: "skipped"}}, {{Name: "b", Verdict: "failed"}}}
	f.must(f.PutCell(f.ctx, c))
	f.same("judged anew", f.cells(r), []history.Cell{c})
	f.same("counts with a skipped check", counts(), []int{1, 1, 0, 0, 1, 0})
	c.Checks[1].Verdict = "passed"
	f.must(f.PutCell(f.ctx, c))
	f.same("counts with all passed", counts(), []int{1, 1, 1, 0, 0, 0})
	f.must(f.PutCell(f.ctx, history.Cell{ID: c.ID, IsJudged: true}))
	f.same("counts without checks", counts(), []int{1, 1, 0, 0, 1, 1})
	c.Checks[1].Verdict = "failed"
	f.must(f.PutCell(f.ctx, c))
	_, t2 := f.cell(r, "k2")
	failed := t2.Answers[0]
	failed.Failure = &history.Failure{Code: "service", Message: "no"}
	f.end(failed, history.Failed)
	f.same("why it failed", f.cells(r)[1].FailureCode, "service")
	f.cell(r, "k3")
	f.same("counts", counts(), []int{3, 1, 0, 1, 1, 0})
	blank, t4 := f.cell(r, "blank")
	t4.Answers[0].Text = " \n\t"
	f.end(t4.Answers[0], history.Done)
	blank.Checks, blank.IsJudged = []history.CheckResult{{Name: "is-refusal", Verdict: "passed"}}, true
	f.must(f.PutCell(f.ctx, blank))
	f.same("the status of an empty answer", f.cells(r)[3].Status(), history.CellEmpty)
	f.same("counts with an empty answer", counts(), []int{4, 2, 0, 1, 2, 0})
	f.fails("storing none", f.PutCell(f.ctx, history.Cell{ID: missingID}), history.ErrNotFound)
	_, _, err := f.AddCell(f.ctx, history.Cell{Run: r.ID, Key: "k4"},
		history.Turn{Session: r.Session, Prompt: "no answer"})
	f.same("a turn without an answer", err != nil, true)
	_, _, err = f.AddCell(f.ctx, history.Cell{Run: missingID, Key: "k4"}, f.asked(r, "no run"))
	f.same("a run that is not there", err != nil, true)
	f.same("turns", len(f.turns(r.Session)), 4)
}

func testRunDeletion(f *fixture) {
	r := newRun("/s/a.yaml")
	_, one := f.cell(r, "one")
	_, two := f.cell(r, "two")
	keys := func() string {
		all := ""
		for _, c := range f.cells(r) {
			all += c.Key + " "
		}
		return all
	}
	trash, err := f.DeleteTurn(f.ctx, one.ID)
	f.must(err)
	f.same("hidden", keys(), "two ")
	f.must(f.Undelete(f.ctx, trash))
	f.same("shown again", keys(), "one two ")
	_, err = f.DeleteAnswer(f.ctx, one.Answers[0].ID)
	f.must(err)
	f.same("hidden with its answer", keys(), "two ")
	again, _ := f.cell(r, "one") // a deleted cell may be requested again
	f.same("asked again", keys(), "one two ")
	err = f.Purge(f.ctx, 0, nil)
	f.must(err)
	f.same("purged", keys(), "one two ")
	for _, id := range []int64{two.ID, again.Turn} {
		_, err = f.DeleteTurn(f.ctx, id)
		f.must(err)
	}
	got, err := f.Store.Run(f.ctx, r.ID)
	f.must(err)
	f.same("still there, empty", got.Cells, 0)
	err = f.Purge(f.ctx, 0, nil)
	f.must(err)
	_, err = f.Store.Run(f.ctx, r.ID)
	f.fails("gone with its last turn", err, history.ErrNotFound)

	r = newRun("/s/a.yaml")
	f.cell(r, "one")
	trash, err = f.DeleteSession(f.ctx, r.Session)
	f.must(err)
	_, err = f.LastRun(f.ctx, "/s/a.yaml")
	f.fails("hidden with its session", err, history.ErrNotFound)
	f.must(f.Undelete(f.ctx, trash))
	_, err = f.LastRun(f.ctx, "/s/a.yaml")
	f.must(err)
	_, err = f.DeleteSession(f.ctx, r.Session)
	f.must(err)
	err = f.Purge(f.ctx, 0, nil)
	f.must(err)
	f.fails("changing what is gone", f.PutRun(f.ctx, *r), history.ErrNotFound)
	f.must(f.Check(f.ctx))
}
