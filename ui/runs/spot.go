package runs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/service/runstats"
)

// counts says how many samples stand where, and what the checks said.
type counts struct {
	all                    int
	passed, failed, errors int // that have ended with an answer or an error
	// that have an answer of which nothing failed, but not all was judged, or nothing
	skipped, unchecked                      int
	running, stopped, open                  int // stopped is cancelled or interrupted; open was not asked for
	checksHeld, checksBroken, checksSkipped int
	reused                                  int // answers that are old ones
}

func (c *counts) add(o counts, sign int) {
	c.all += sign * o.all
	c.passed += sign * o.passed
	c.failed += sign * o.failed
	c.errors += sign * o.errors
	c.running += sign * o.running
	c.stopped += sign * o.stopped
	c.open += sign * o.open
	c.checksHeld += sign * o.checksHeld
	c.checksBroken += sign * o.checksBroken
	c.checksSkipped += sign * o.checksSkipped
	c.skipped += sign * o.skipped
	c.unchecked += sign * o.unchecked
	c.reused += sign * o.reused
}

// ended is how many have an answer or an error.
func (c counts) ended() int { return c.answered() + c.errors }

// answered is how many have an answer.
func (c counts) answered() int { return c.passed + c.failed + c.skipped + c.unchecked }

// checks is how many checks there are of what was answered.
func (c counts) checks() int { return c.checksHeld + c.checksBroken + c.checksSkipped }

// sign is the worst of what has ended. What was not judged is not passed.
func (c counts) sign() string {
	switch {
	case c.failed > 0:
		return signFailed
	case c.errors > 0:
		return signError
	case c.skipped > 0:
		return signSkipped
	case c.unchecked > 0:
		return signUnchecked
	}
	return signPassed
}

// spot is the place of a row and a column in one run: the samples of a cell.
type spot struct {
	counts
	cells []history.Cell  // by repetition; shared with the table
	since time.Time       // when what runs was first seen to; zero where that is not known
	begun bool            // it began just now: the next tick says when that is
	times []time.Duration // of fresh answers, sorted
	texts []string        // what it says once it has ended, the longest first
}

// newSpot says where the samples of a cell stand. Old is what was known of the
// place before, nil for nothing: what runs then may have been running for long.
func newSpot(cells []history.Cell, old *spot) *spot {
	s := &spot{cells: cells}
	for i := range cells {
		s.count(&cells[i])
	}
	slices.Sort(s.times)
	if s.running > 0 && old != nil {
		s.since, s.begun = old.since, old.begun || old.running == 0
	}
	switch {
	case s.all == 1 && s.running+s.open == 0:
		s.texts = s.single(&cells[0])
	case s.all > 1 && s.ended() > 0:
		s.texts = s.several()
	}
	return s
}

func (s *spot) count(c *history.Cell) {
	s.all++
	switch c.Verdict() {
	case history.CellPassed:
		s.passed++
	case history.CellFailed:
		s.failed++
	case history.CellSkipped:
		s.skipped++
	case history.CellUnchecked:
		s.unchecked++
	}
	switch c.State {
	case history.Done:
		checks := runstats.CountChecks(c.Checks)
		s.checksHeld += checks.Passed
		s.checksBroken += checks.Failed
		s.checksSkipped += checks.Skipped
		if c.Cached {
			s.reused++
		}
		if fresh(c) {
			s.times = append(s.times, c.Elapsed)
		}
	case history.Failed:
		s.errors++
	case history.Cancelled, history.Interrupted:
		s.stopped++
	case history.Running, history.Queued:
		s.running++
	default:
		s.open++
	}
}

// single is what a cell of one sample says, the longest first.
func (s *spot) single(c *history.Cell) []string {
	switch c.State {
	case history.Done:
	case history.Failed:
		text := signError + " " + code(c.FailureCode)
		return []string{text + " " + brief(c.Elapsed), text}
	default:
		return []string{string(c.State)}
	}
	sign := s.sign()
	if all := s.checks(); all > 0 {
		sign = fmt.Sprintf("%s %d/%d", sign, s.checksHeld, all)
	}
	took := brief(c.Elapsed)
	switch {
	case c.Cached && strings.Contains(sign, "/"):
		return []string{sign + " " + signReused + " reused (" + took + ")", sign + " " + signReused + "(" + took + ")",
			sign + " " + signReused, sign}
	case c.Cached:
		return []string{signReused + " reused (" + took + ")", signReused + " (" + took + ")", signReused}
	}
	return []string{sign + " " + took, sign}
}

// several is what a cell of several samples says once one has ended.
func (s *spot) several() []string {
	short := fmt.Sprintf("%s %d/%d", s.sign(), s.passed, s.ended())
	base := fmt.Sprintf("%s ×%d", short, s.all)
	switch {
	case s.running > 0:
		return []string{base + " running", base, short}
	case len(s.times) > 1:
		took := base + " " + brief(format.Summarize(s.times).Median)
		return []string{fmt.Sprintf("%s (%.1f–%.1f)", took, s.times[0].Seconds(), s.times[len(s.times)-1].Seconds()), took,
			base, short}
	case len(s.times) == 1:
		return []string{base + " " + brief(s.times[0]), base, short}
	case s.reused > 0:
		return []string{base + " " + signReused + " reused", base + " " + signReused, base, short}
	}
	return []string{base, short}
}

// text implements [face].
func (s *spot) text(w int, m moment) string {
	times := ""
	if s.all > 1 {
		times = fmt.Sprintf(" ×%d", s.all)
	}
	switch {
	case s.all == 0:
		return signNone
	case s.texts != nil:
		return fitting(w, s.texts...)
	case s.running > 0 && s.since.IsZero():
		return fitting(w, "running"+times, "running")
	case s.running > 0:
		took := brief(max(m.now.Sub(s.since), 0).Truncate(time.Second))
		took = strings.Replace(took, ".0s", "s", 1)
		return fitting(w, "running "+took+times, "running "+took, "run "+took)
	case s.open > 0 && m.live:
		return fitting(w, "wait"+times, "wait")
	case s.open > 0:
		return fitting(w, "missing"+times, "missing")
	}
	return fitting(w, "stopped"+times, "stopped")
}

// tone implements [face].
func (s *spot) tone() tone {
	switch {
	case s.failed > 0:
		return bad
	case s.errors+s.skipped > 0:
		return trouble
	case s.running > 0:
		return busy
	case s.passed > 0 && s.open+s.stopped+s.unchecked == 0 && s.reused == 0:
		return good
	case s.answered() > 0:
		return plain
	}
	return quiet
}

// strikes implements [face].
func (s *spot) strikes() bool { return s.failed+s.errors > 0 }

// facts says all there is to say of the cell, in a few sentences.
func (s *spot) facts(m moment) string {
	switch {
	case s.all == 0:
		return "not asked of this model"
	case s.all == 1:
		return cellFacts(&s.cells[0], s, m)
	}
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(s.passed, "passed")
	add(s.failed, "failed")
	add(s.skipped, "skipped")
	add(s.unchecked, "unchecked")
	add(s.errors, "with an error")
	add(s.running, "running")
	add(s.stopped, "stopped")
	if m.live {
		add(s.open, "waiting")
	} else {
		add(s.open, "missing")
	}
	text := s.sign() + " " + format.Count(s.all, "sample") + ": " + strings.Join(parts, ", ")
	if s.ended() == 0 {
		text = text[strings.Index(text, " ")+1:]
	}
	if n := len(s.times); n > 0 {
		text += fmt.Sprintf("; median %s, %s to %s, n=%d", format.Seconds(format.Summarize(s.times).Median),
			format.Seconds(s.times[0]), format.Seconds(s.times[n-1]), n)
	}
	for i := range s.cells {
		if why := wrong(&s.cells[i]); why != "" {
			return fmt.Sprintf("%s; sample %d: %s", text, i+1, why)
		}
	}
	return text
}

// cellFacts says all there is to say of one sample.
func cellFacts(c *history.Cell, s *spot, m moment) string {
	switch c.State {
	case history.Done:
	case history.Failed:
		return fmt.Sprintf("%s %s after %s: %s", signError, code(c.FailureCode), format.Seconds(c.Elapsed),
			sentence(c.FailureCode))
	case history.Cancelled:
		return "cancelled before it had ended"
	case history.Interrupted:
		return "interrupted: confab ended before the answer came"
	case history.Queued, history.Running:
		if s.since.IsZero() {
			return "running"
		}
		return "running for " + since(s.since, m.now)
	default:
		if m.live {
			return "waiting for its turn"
		}
		return "missing: it was not asked for yet"
	}
	took := format.Seconds(c.Elapsed)
	if c.Cached {
		took = signReused + " an old answer, which took " + took
	}
	switch verdict := c.Verdict(); {
	case !c.Judged:
		return "answered, " + took + "; its checks were not judged yet"
	case verdict == history.CellUnchecked:
		return signUnchecked + " answered, and nothing checked it, " + took
	case verdict == history.CellPassed:
		return fmt.Sprintf("%s %s passed, %s", signPassed, format.Count(s.checks(), "check"), took)
	}
	text := fmt.Sprintf("%s %d of %s passed", s.sign(), s.checksHeld, format.Count(s.checks(), "check"))
	if s.checksSkipped > 0 {
		text += fmt.Sprintf(", %d skipped", s.checksSkipped)
	}
	return text + ", " + took + "; " + wrong(c)
}

// wrong says the first thing that is wrong with a sample, with its reason: an error, a check that failed, or one that
// was
// skipped; "" for nothing.
func wrong(c *history.Cell) string {
	if c.State == history.Failed {
		return code(c.FailureCode) + ": " + sentence(c.FailureCode)
	}
	if c.State != history.Done {
		return ""
	}
	for _, verdict := range []string{"failed", "skipped"} {
		for i, r := range c.Checks {
			if r.Verdict != verdict {
				continue
			}
			text := fmt.Sprintf("check %d, %s, %s", i+1, tidy(r.Name), verdict)
			if r.Reason != "" {
				text += ": " + tidy(r.Reason)
			}
			return text
		}
	}
	return ""
}
