package suite_test

import (
	"reflect"
	"testing"
	"time"

	"confab/history"
	"confab/service/suite"
)

func checks(verdicts ...string) []history.CheckResult {
	var out []history.CheckResult
	for _, v := range verdicts {
		out = append(out, history.CheckResult{Verdict: v})
	}
	return out
}

func done(elapsed time.Duration, verdicts ...string) history.Cell {
	return history.Cell{State: history.Done, Elapsed: elapsed, IsJudged: true, Checks: checks(verdicts...)}
}

func TestStatsCountVerdictsStatesAndTimes(t *testing.T) {
	reused := done(9*time.Second, "passed")
	reused.IsCached = true
	cells := []history.Cell{
		done(3*time.Second, "passed", "passed"), done(time.Second, "passed", "failed"), done(2*time.Second, "skipped"),
		done(4 * time.Second), reused, {State: history.Failed}, {State: history.Cancelled},
		{State: history.Interrupted}, {State: history.Running}, {State: history.Queued}, {},
	}
	got := suite.StatsOf(cells...)
	want := suite.Stats{Cells: 11, Passed: 2, Failed: 1, Skipped: 1, Unchecked: 1, Errors: 1, Running: 2, Stopped: 2,
		Missing: 1,
		Checks:  suite.Checks{Passed: 4, Failed: 1, Skipped: 1}, Reused: 1,
		Times: []time.Duration{3 * time.Second, time.Second, 2 * time.Second, 4 * time.Second}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got.Answered() != 5 || got.Ended() != 6 || got.WithoutAnswer() != 5 {
		t.Errorf("answered %d, ended %d, without answer %d", got.Answered(), got.Ended(), got.WithoutAnswer())
	}
	if median := got.Time().Median; median != 2500*time.Millisecond {
		t.Errorf("median %v", median)
	}
	if said := got.String(); said != "2 passed, 1 failed, 1 unchecked, 2 inconclusive (1 skipped, 1 error), 5 missing" {
		t.Errorf("said %q", said)
	}
	if said := (suite.Stats{}).String(); said != "0 passed" {
		t.Errorf("said %q of nothing", said)
	}
}

func TestStatsAddUp(t *testing.T) {
	a := []history.Cell{done(3*time.Second, "passed"), done(time.Second, "failed"), {State: history.Running}}
	b := []history.Cell{done(time.Second), done(2*time.Second, "passed"), {State: history.Failed}}
	got := suite.StatsOf(a...)
	got.Add(b)
	if want := suite.StatsOf(append(a[:len(a):len(a)], b...)...); !equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// equal compares statistics; no times are as good as an empty list of them.
func equal(a, b suite.Stats) bool {
	for _, s := range []*suite.Stats{&a, &b} {
		s.Times = append([]time.Duration{}, s.Times...)
	}
	return reflect.DeepEqual(a, b)
}

func TestChecksNameSkippedOnes(t *testing.T) {
	for want, c := range map[string]suite.Checks{
		"": {}, "3/3 checks": {Passed: 3}, "1/3 checks, 1 skipped": {Passed: 1, Failed: 1, Skipped: 1},
	} {
		if got := c.String(); got != want {
			t.Errorf("%+v reads %q, want %q", c, got, want)
		}
	}
}
