package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/export"
)

// tally counts the cells of a run by what came of them.
type tally map[history.CellVerdict]int

func (r *suiteReport) tally() tally {
	t := tally{}
	for _, e := range r.ends {
		verdict := history.CellMissing
		if e != nil {
			verdict = e.Cell.Verdict()
		}
		t[verdict]++
	}
	return t
}

// String says "2 passed, 1 failed, 3 skipped": the passed ones always, the others where there are some.
func (t tally) String() string {
	parts := []string{fmt.Sprintf("%d passed", t[history.CellPassed])}
	for _, v := range []history.CellVerdict{history.CellFailed, history.CellSkipped, history.CellUnchecked,
		history.CellError, history.CellMissing} {
		if n := t[v]; n > 0 {
			what := string(v)
			if v == history.CellError && n > 1 {
				what = "errors"
			}
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	return strings.Join(parts, ", ")
}

// outcome says how the run ended and returns what the exit code is to say.
func (r *suiteReport) outcome(ctx context.Context) error {
	t := r.tally()
	facts := r.run.Facts()
	if !r.f.quiet {
		text := t.String()
		if r.svc.Saving() {
			text = fmt.Sprintf("run %d: %s, in session s%d", facts.ID, t, facts.Session)
		}
		r.a.say(text)
	}
	doubts := r.doubts(t)
	for _, text := range doubts {
		r.a.warn("%s", text)
	}
	missing := t[history.CellMissing]
	if missing > 0 && r.svc.Saving() {
		r.a.say("go on with: " + r.again())
	}
	switch {
	case r.run.Err() != nil && r.err == nil:
		return r.run.Err()
	case r.err != nil:
		return r.err
	case ctx.Err() != nil && missing > 0:
		return exit(exitInterrupted)
	case t[history.CellFailed]+t[history.CellError]+missing > 0, r.f.strict && len(doubts) > 0:
		return exit(exitFailed)
	}
	return nil
}

// doubts returns why a run in which nothing failed has not passed all the same: answers that nothing checked, checks
// that were skipped, and what the suite has that was not asked at all. They are said even when little else is, because
// the exit code alone reads as passed.
func (r *suiteReport) doubts(t tally) []string {
	var out []string
	unchecked, skipped := t[history.CellUnchecked], t[history.CellSkipped]
	if unchecked+skipped > 0 && !r.judgedAny() {
		out = append(out, "nothing was checked: this run has not passed")
	} else if skipped > 0 {
		out = append(out, format.Several(skipped, "answer has", "answers have")+" skipped checks: this run has not passed")
	}
	if unchecked > 0 && unchecked < len(r.ends) {
		out = append(out,
			format.Several(unchecked, "answer was not checked: the suite has no check for it",
				"answers were not checked: the suite has no checks for them"))
	}
	out = append(out, r.skippedChecks()...)
	if n := r.run.Plan.LeftOut; n > 0 {
		out = append(out, format.Several(n, "test was", "tests were")+" not run: none of the prompts and models is for them")
	}
	for _, n := range r.notes {
		if n.LeavesOut {
			out = append(out, fmt.Sprintf("line %d of %s: %s: this run has not passed", n.Line, r.name, n.Text))
		}
	}
	return out
}

// judgedAny reports whether any check of the run passed or failed.
func (r *suiteReport) judgedAny() bool {
	return slices.ContainsFunc(r.ends, func(e *service.CellEvent) bool {
		if e == nil {
			return false
		}
		passed, failed, _ := export.CountChecks(e.Cell.Checks)
		return passed+failed > 0
	})
}

// skippedChecks says which checks were skipped, how often and why, those of one reason together.
func (r *suiteReport) skippedChecks() []string {
	var order []string
	count := map[string]int{}
	for _, e := range r.ends {
		if e == nil || e.Cell.State != history.Done {
			continue
		}
		for _, c := range e.Cell.Checks {
			if c.Verdict == "passed" || c.Verdict == "failed" {
				continue
			}
			text := c.Name + " (" + c.Reason + ")"
			if count[text]++; count[text] == 1 {
				order = append(order, text)
			}
		}
	}
	var out []string
	for i, text := range order {
		if i == maxTroubles {
			return append(out, format.Count(len(order)-i, "more check")+" skipped; -o writes them all")
		}
		out = append(out, fmt.Sprintf("skipped %s: %s", format.Several(count[text], "time", "times"), text))
	}
	return out
}
