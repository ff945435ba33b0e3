package runs

import (
	"fmt"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/service/runstats"
)

// cellSummary is a cell of the table of one run: the samples of one prompt and one model.
type cellSummary struct {
	runstats.Stats
	cells          []history.Cell // by repetition; shared with the table
	runningSince   time.Time      // zero where that is not known
	hasJustStarted bool           // the next tick sets runningSince
	texts          []string       // of a cell that has ended, of which the first that fits is shown
}

// newCellSummary summarizes the samples of a cell. The summary before tells since when they run; nil when nothing is
// known: they may have been running for long then.
func newCellSummary(cells []history.Cell, before *cellSummary) *cellSummary {
	s := &cellSummary{cells: cells, Stats: runstats.Of(cells...)}
	if s.Running > 0 && before != nil {
		s.runningSince, s.hasJustStarted = before.runningSince, before.hasJustStarted || before.Running == 0
	}
	switch {
	case s.Cells == 1 && s.Running+s.Missing == 0:
		s.texts = s.sampleTexts(cells[0])
	case s.Cells > 1 && s.Ended() > 0:
		s.texts = s.samplesTexts()
	}
	return s
}

// verdictSign returns the sign of a verdict.
func verdictSign(v history.CellVerdict) string {
	switch v {
	case history.CellPassed:
		return signPassed
	case history.CellFailed:
		return signFailed
	case history.CellSkipped:
		return signSkipped
	case history.CellUnchecked:
		return signUnchecked
	case history.CellError:
		return signError
	}
	return signNone
}

// worstSign returns the sign of the worst verdict. A sample that was not judged has not passed.
func (s *cellSummary) worstSign() string {
	for _, v := range []history.CellVerdict{history.CellFailed, history.CellError, history.CellSkipped,
		history.CellUnchecked} {
		if s.Count(v) > 0 {
			return verdictSign(v)
		}
	}
	return signPassed
}

// sampleTexts returns the texts for a single sample that has ended, the longest first.
func (s *cellSummary) sampleTexts(c history.Cell) []string {
	switch c.State {
	case history.Done:
	case history.Failed:
		text := signError + " " + codeWords(c.FailureCode)
		return []string{text + " " + shortTime(c.Elapsed), text}
	default:
		return []string{string(c.State)}
	}
	sign, took := s.worstSign(), shortTime(c.Elapsed)
	all := s.Checks.All()
	if all > 0 {
		sign = fmt.Sprintf("%s %d/%d", sign, s.Checks.Passed, all)
	}
	switch {
	case c.Cached && all > 0:
		return []string{sign + " " + signReused + " reused (" + took + ")", sign + " " + signReused + "(" + took + ")",
			sign + " " + signReused, sign}
	case c.Cached:
		return []string{signReused + " reused (" + took + ")", signReused + " (" + took + ")", signReused}
	}
	return []string{sign + " " + took, sign}
}

// samplesTexts returns the texts for several samples of which one has ended, the longest first.
func (s *cellSummary) samplesTexts() []string {
	short := fmt.Sprintf("%s %d/%d", s.worstSign(), s.Passed, s.Ended())
	base := fmt.Sprintf("%s ×%d", short, s.Cells)
	switch {
	case s.Running > 0:
		return []string{base + " running", base, short}
	case len(s.Times) > 1:
		took := base + " " + shortTime(s.Time().Median)
		return []string{took + " " + timeRange(s.Times), took, base, short}
	case len(s.Times) == 1:
		return []string{base + " " + shortTime(s.Times[0]), base, short}
	case s.Reused > 0:
		return []string{base + " " + signReused + " reused", base + " " + signReused, base, short}
	}
	return []string{base, short}
}

func (s *cellSummary) text(w int, state viewState) string {
	count := ""
	if s.Cells > 1 {
		count = fmt.Sprintf(" ×%d", s.Cells)
	}
	word := "stopped"
	switch {
	case s.Cells == 0:
		return signNone
	case s.texts != nil:
		return firstFitting(w, s.texts...)
	case s.Running > 0 && s.runningSince.IsZero():
		word = "running"
	case s.Running > 0:
		took := shortTime(max(state.now.Sub(s.runningSince), 0).Truncate(time.Second))
		took = strings.Replace(took, ".0s", "s", 1)
		return firstFitting(w, "running "+took+count, "running "+took, "run "+took)
	case s.Missing > 0 && state.isLive:
		word = "wait"
	case s.Missing > 0:
		word = "missing"
	}
	return firstFitting(w, word+count, word)
}

func (s *cellSummary) tone() cellTone {
	switch {
	case s.Failed > 0:
		return toneBad
	case s.Errors+s.Skipped > 0:
		return toneWarning
	case s.Running > 0:
		return toneRunning
	case s.Passed > 0 && s.Missing+s.Stopped+s.Unchecked+s.Reused == 0:
		return toneGood
	case s.Answered() > 0:
		return tonePlain
	}
	return toneFaint
}

func (s *cellSummary) needsAttention() bool { return s.Failed+s.Errors > 0 }

// facts describes the cell in a few sentences.
func (s *cellSummary) facts(state viewState) string {
	switch s.Cells {
	case 0:
		return "not asked of this model"
	case 1:
		return s.sampleFacts(s.cells[0], state)
	}
	var parts []string
	missing := "missing"
	if state.isLive {
		missing = "waiting"
	}
	for _, x := range []struct {
		n    int
		what string
	}{{s.Passed, "passed"}, {s.Failed, "failed"}, {s.Skipped, "skipped"}, {s.Unchecked, "unchecked"},
		{s.Errors, "with an error"}, {s.Running, "running"}, {s.Stopped, "stopped"}, {s.Missing, missing}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	text := format.Count(s.Cells, "sample") + ": " + strings.Join(parts, ", ")
	if s.Ended() > 0 {
		text = s.worstSign() + " " + text
	}
	if n := len(s.Times); n > 0 {
		text += fmt.Sprintf("; median %s, %s to %s, n=%d", format.Seconds(s.Time().Median), format.Seconds(s.Times[0]),
			format.Seconds(s.Times[n-1]), n)
	}
	for i, c := range s.cells {
		if problem := cellProblem(c); problem != "" {
			return fmt.Sprintf("%s; sample %d: %s", text, i+1, problem)
		}
	}
	return text
}

// sampleFacts describes the only sample of the cell.
func (s *cellSummary) sampleFacts(c history.Cell, state viewState) string {
	switch c.State {
	case history.Done:
	case history.Failed:
		return fmt.Sprintf("%s %s after %s: %s", signError, codeWords(c.FailureCode), format.Seconds(c.Elapsed),
			failureText(c.FailureCode))
	case history.Cancelled:
		return "cancelled before it had ended"
	case history.Interrupted:
		return "interrupted: confab ended before the answer came"
	case history.Queued, history.Running:
		if s.runningSince.IsZero() {
			return "running"
		}
		return "running for " + wholeSeconds(s.runningSince, state.now)
	default:
		if state.isLive {
			return "waiting for its turn"
		}
		return "missing: it was not asked for yet"
	}
	took := format.Seconds(c.Elapsed)
	if c.Cached {
		took = signReused + " an old answer, which took " + took
	}
	checks := format.Count(s.Checks.All(), "check")
	switch verdict := c.Verdict(); {
	case !c.Judged:
		return "answered, " + took + "; its checks were not judged yet"
	case verdict == history.CellUnchecked:
		return signUnchecked + " answered, and nothing checked it, " + took
	case verdict == history.CellPassed:
		return fmt.Sprintf("%s %s passed, %s", signPassed, checks, took)
	}
	text := fmt.Sprintf("%s %d of %s passed", s.worstSign(), s.Checks.Passed, checks)
	if s.Checks.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", s.Checks.Skipped)
	}
	return text + ", " + took + "; " + cellProblem(c)
}

// cellProblem returns the first problem of a sample with its reason: an error, a check that failed, or one that was
// skipped; "" for none.
func cellProblem(c history.Cell) string {
	if c.State == history.Failed {
		return codeWords(c.FailureCode) + ": " + failureText(c.FailureCode)
	}
	if c.State != history.Done {
		return ""
	}
	for _, verdict := range []string{"failed", "skipped"} {
		for i, r := range c.Checks {
			if r.Verdict != verdict {
				continue
			}
			text := fmt.Sprintf("check %d, %s, %s", i+1, oneLine(r.Name), verdict)
			if r.Reason != "" {
				text += ": " + oneLine(r.Reason)
			}
			return text
		}
	}
	return ""
}

// isFresh tells whether the time of a sample was measured in its run.
func isFresh(c *history.Cell) bool { return c != nil && c.State == history.Done && !c.Cached }
