package cli

import (
	"context"
	"fmt"

	"confab/history"
	"confab/internal/format"
	"confab/service/runstats"
)

// stats returns the statistics of the run: cells that were not asked for count as missing.
func (r *suiteReport) stats() runstats.Stats {
	cells := make([]history.Cell, len(r.ends))
	for i := range r.ends {
		cells[i] = r.cellAt(i)
	}
	return runstats.Of(cells...)
}

// cellAt returns what became of a cell; one without an end has no state.
func (r *suiteReport) cellAt(i int) history.Cell {
	if e := r.ends[i]; e != nil {
		return e.Cell
	}
	return history.Cell{}
}

// outcome says how the run ended and returns what the exit code is to say.
func (r *suiteReport) outcome(ctx context.Context) error {
	stats := r.stats()
	facts := r.run.Record()
	if !r.f.quiet {
		text := stats.String()
		if r.svc.Saving() {
			text = fmt.Sprintf("run %d: %s, in session s%d", facts.ID, stats, facts.Session)
		}
		r.a.say(text)
	}
	doubts := r.doubts(stats)
	for _, text := range doubts {
		r.a.warn("%s", text)
	}
	missing := stats.WithoutAnswer()
	if missing > 0 && r.svc.Saving() {
		r.a.say("continue with: " + r.again())
	}
	switch {
	case r.run.Err() != nil && r.err == nil:
		return r.run.Err()
	case r.err != nil:
		return r.err
	case ctx.Err() != nil && missing > 0:
		return exit(exitInterrupted)
	case stats.Failed+stats.Errors+missing > 0, r.f.strict && len(doubts) > 0:
		return exit(exitFailed)
	}
	return nil
}

// doubts returns why a run in which nothing failed has not passed all the same: answers that nothing checked, checks
// that were skipped, and what the suite has that was not asked at all. They are said even when little else is, because
// the exit code alone reads as passed.
func (r *suiteReport) doubts(stats runstats.Stats) []string {
	var out []string
	unchecked, skipped := stats.Unchecked, stats.Skipped
	if unchecked+skipped > 0 && stats.Checks.Passed+stats.Checks.Failed == 0 {
		out = append(out, "nothing was checked: this run has not passed")
	} else if skipped > 0 {
		out = append(out, format.Several(skipped, "answer has", "answers have")+" skipped checks: this run has not "+
			"passed")
	}
	if unchecked > 0 && unchecked < len(r.ends) {
		out = append(out,
			format.Several(unchecked, "answer was not checked: the suite has no check for it",
				"answers were not checked: the suite has no checks for them"))
	}
	out = append(out, r.skippedChecks()...)
	if n := r.run.Plan.LeftOut; n > 0 {
		out = append(out, format.Several(n, "test was", "tests were")+" not run: none of the prompts and models is "+
			"for them")
	}
	for _, n := range r.notes {
		if n.LeavesOut {
			out = append(out, fmt.Sprintf("line %d of %s: %s: this run has not passed", n.Line, r.name, n.Text))
		}
	}
	return out
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
