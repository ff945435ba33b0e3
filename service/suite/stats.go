package suite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
)

// Checks counts checks by their verdicts. A check that neither passed nor failed counts as skipped.
type Checks struct{ Passed, Failed, Skipped int }

// CountChecks counts the checks of an answer.
func CountChecks(checks []history.CheckResult) Checks {
	var c Checks
	for _, check := range checks {
		switch check.Verdict {
		case "passed":
			c.Passed++
		case "failed":
			c.Failed++
		default:
			c.Skipped++
		}
	}
	return c
}

// All returns how many checks there are.
func (c Checks) All() int { return c.Passed + c.Failed + c.Skipped }

// String returns "3/3 checks", or "1/3 checks, 1 skipped". The second number counts all checks, so that a skipped one
// never reads as passed. Without checks it is empty.
func (c Checks) String() string {
	if c.All() == 0 {
		return ""
	}
	text := fmt.Sprintf("%d/%d checks", c.Passed, c.All())
	if c.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	return text
}

// Stats are the statistics of some cells: of a run, of a model's column, or of the repetitions of one cell. The zero
// value is that of no cells.
type Stats struct {
	Cells int // all of them

	// Cells by their statuses, see [history.CellStatus].
	Passed, Failed, Skipped, Unchecked, Errors int
	// Cells without a status yet. Stopped ones were cancelled or interrupted; Missing ones were not asked for.
	Running, Stopped, Missing int

	Checks Checks
	Reused int             // answers that are old ones
	Times  []time.Duration // of fresh answers
	Usage  chat.Usage      // of fresh answers, as far as it is known
	Costs  []history.Cost  // the same, by currency
}

// StatsOf returns the statistics of cells. A cell that was not asked for has no state.
func StatsOf(cells ...history.Cell) Stats {
	var s Stats
	s.Add(cells)
	return s
}

// Add adds cells to those that are counted.
func (s *Stats) Add(cells []history.Cell) {
	for i := range cells {
		s.add(&cells[i])
	}
}

func (s *Stats) add(c *history.Cell) {
	s.Cells++
	if !c.IsCached {
		s.Usage, s.Costs = s.Usage.Plus(c.Usage), history.AddCost(s.Costs, c.Cost)
	}
	if n := s.counter(history.StatusOf(c.State, c.Checks)); n != nil {
		*n++
	}
	switch c.State {
	case history.Done:
		checks := CountChecks(c.Checks)
		s.Checks.Passed += checks.Passed
		s.Checks.Failed += checks.Failed
		s.Checks.Skipped += checks.Skipped
		if c.IsCached {
			s.Reused++
		} else {
			s.Times = append(s.Times, c.Elapsed)
		}
	case history.Failed:
	case history.Cancelled, history.Interrupted:
		s.Stopped++
	case history.Running, history.Queued:
		s.Running++
	default:
		s.Missing++
	}
}

// Answered returns how many cells have an answer.
func (s Stats) Answered() int { return s.Passed + s.Failed + s.Skipped + s.Unchecked }

// Inconclusive returns how many cells neither passed nor failed.
func (s Stats) Inconclusive() int { return s.Cells - s.Passed - s.Failed }

// Ended returns how many cells have an answer or an error.
func (s Stats) Ended() int { return s.Answered() + s.Errors }

// WithoutAnswer returns how many cells have neither an answer nor an error.
func (s Stats) WithoutAnswer() int { return s.Running + s.Stopped + s.Missing }

// Time returns the median and the range of the fresh answers' times.
func (s Stats) Time() format.Summary { return format.Summarize(s.Times) }

// Count returns how many cells have a status.
func (s Stats) Count(v history.CellStatus) int {
	if n := s.counter(v); n != nil {
		return *n
	}
	return s.WithoutAnswer()
}

// counter returns where the cells with a status are counted; nil for missing ones.
func (s *Stats) counter(v history.CellStatus) *int {
	switch v {
	case history.CellPassed:
		return &s.Passed
	case history.CellFailed:
		return &s.Failed
	case history.CellSkipped:
		return &s.Skipped
	case history.CellUnchecked:
		return &s.Unchecked
	case history.CellError:
		return &s.Errors
	}
	return nil
}

// String returns "2 passed, 1 failed, 3 inconclusive (2 skipped, 1 error)": the passed cells always, the others where
// there are some.
func (s Stats) String() string {
	text := fmt.Sprintf("%d passed", s.Passed)
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d failed", s.Failed)
	}
	var why []string
	for _, v := range []history.CellStatus{history.CellSkipped, history.CellUnchecked, history.CellError,
		history.CellMissing} {
		n, what := s.Count(v), string(v)
		if v == history.CellError && n > 1 {
			what = "errors"
		}
		if n > 0 {
			why = append(why, fmt.Sprintf("%d %s", n, what))
		}
	}
	if len(why) > 0 {
		text += fmt.Sprintf(", %d inconclusive (%s)", s.Inconclusive(), strings.Join(why, ", "))
	}
	return text
}

// UsageText returns the tokens and costs of all answers, as far as they are known: "1,204 → 356 tokens, $0.0031".
func (s Stats) UsageText() string {
	texts := []string{s.Usage.String(), CostsText(s.Costs)}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}

// CostsText writes sums of costs, one for each currency; empty for none.
func CostsText(costs []history.Cost) string {
	text := ""
	for i, c := range costs {
		if i > 0 {
			text += " + "
		}
		text += format.Money(c.Amount, c.Currency)
	}
	return text
}
