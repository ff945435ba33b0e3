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

// CountChecks counts the checks of an answer that decide.
func CountChecks(checks []history.CheckResult) Checks {
	var c Checks
	for _, check := range checks {
		switch {
		case check.Verdict == history.CheckPassed:
			c.Passed++
		case check.Verdict == history.CheckFailed:
			c.Failed++
		case check.Advisory == "":
			c.Skipped++
		}
	}
	return c
}

// All returns the number of checks.
func (c Checks) All() int { return c.Passed + c.Failed + c.Skipped }

// String returns "3/3 checks", "0/1 check" or "1/3 checks, 1 skipped"; empty without checks. The second number counts
// all checks, so that a skipped one never reads as passed.
func (c Checks) String() string {
	if c.All() == 0 {
		return ""
	}
	text := fmt.Sprintf("%d/%s", c.Passed, format.Count(c.All(), "check"))
	if c.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	return text
}

// Stats are the statistics of cells: of a run, a model's column, or the repetitions of one cell. The zero value is
// for no cells.
type Stats struct {
	Cells int // all of them

	// Cells by their statuses, see [history.CellStatus]. Incomplete ones were cut, filtered, refused or are empty.
	Passed, Failed, Incomplete, Skipped, Unchecked, Errors int
	// Cells without a status yet. Stopped ones were cancelled or interrupted; Missing ones were not requested.
	Running, Stopped, Missing int

	Checks  Checks
	Grading Grading
	Reused  int             // reused answers
	Wins    int             // answers that the person marked as winners
	Votes   history.Tally   // those that count on an axis, see [AxisTotals]
	Times   []time.Duration // of fresh answers
	Usage   chat.Usage      // of fresh answers, if known
	Costs   []history.Cost  // the same, by currency
}

// Grading sums up the calls of graders, apart from the answers. Each grade counts once, though a run continues.
type Grading struct {
	Calls   int
	Models  []string
	Elapsed time.Duration
	Usage   chat.Usage
	Costs   []history.Cost
}

func (g *Grading) add(checks []history.CheckResult) {
	for _, check := range checks {
		if grade := check.Grade; grade != nil && grade.Key != "" {
			g.Calls++
			g.Elapsed += time.Duration(grade.ElapsedMS) * time.Millisecond
			g.Usage, g.Costs = g.Usage.Plus(grade.Usage), history.AddCost(g.Costs, grade.Cost)
			if !slices.Contains(g.Models, grade.Model) {
				g.Models = append(g.Models, grade.Model)
			}
		}
	}
}

// String returns "24 calls of oss-120b, 38 s, 1,204 → 356 tokens, $0.0031"; empty without a call.
func (g Grading) String() string {
	if g.Calls == 0 {
		return ""
	}
	return joinNonEmpty(", ", format.Count(g.Calls, "call")+" of "+strings.Join(g.Models, " and "),
		format.Seconds(g.Elapsed), Stats{Usage: g.Usage, Costs: g.Costs}.UsageText())
}

// StatsOf returns the statistics of cells. A cell that was not requested has no state.
func StatsOf(cells ...history.Cell) Stats {
	var s Stats
	s.Add(cells)
	return s
}

// Add adds cells to the statistics.
func (s *Stats) Add(cells []history.Cell) {
	for i := range cells {
		s.add(&cells[i])
	}
}

func (s *Stats) add(c *history.Cell) {
	s.Cells++
	if c.IsWinner {
		s.Wins++
	}
	if !c.IsCached {
		s.Usage, s.Costs = s.Usage.Plus(c.Usage), history.AddCost(s.Costs, c.Cost)
	}
	if n := s.counter(c.Status()); n != nil {
		*n++
	}
	s.Grading.add(c.Checks)
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

// Answered returns the number of cells with an answer.
func (s Stats) Answered() int { return s.Passed + s.Failed + s.Incomplete + s.Skipped + s.Unchecked }

// Inconclusive returns the number of cells that neither passed nor failed.
func (s Stats) Inconclusive() int { return s.Cells - s.Passed - s.Failed }

// Ended returns the number of cells with an answer or an error.
func (s Stats) Ended() int { return s.Answered() + s.Errors }

// WithoutAnswer returns the number of cells with neither an answer nor an error.
func (s Stats) WithoutAnswer() int { return s.Running + s.Stopped + s.Missing }

// Time returns the median and the range of the fresh answers' times.
func (s Stats) Time() format.Summary { return format.Summarize(s.Times) }

// timeRange formats the shortest and the longest time: "(1.8–4.0)".
func timeRange(s format.Summary) string {
	return "(" + s.Range() + ")"
}

// isFresh reports whether the run measured the time of a sample.
func isFresh(c *history.Cell) bool { return c != nil && c.State == history.Done && !c.IsCached }

// Count returns the number of cells with a status.
func (s Stats) Count(v history.CellStatus) int {
	if n := s.counter(v); n != nil {
		return *n
	}
	return s.WithoutAnswer()
}

// counter returns the counter of a status; nil for missing cells.
func (s *Stats) counter(v history.CellStatus) *int {
	switch v {
	case history.CellCut, history.CellFiltered, history.CellRefused, history.CellEmpty:
		return &s.Incomplete
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

// String returns "2 passed, 1 failed, 1 unchecked, 3 inconclusive (2 skipped, 1 error), 4 missing". It omits zeros
// except for passed.
func (s Stats) String() string {
	return joinNonEmpty(", ", fmt.Sprintf("%d passed", s.Passed), joinCounts(", ", signCount{s.Failed, " failed"}),
		s.Unjudged(Long))
}

// Unjudged returns what neither passed nor failed: "1 unchecked, 3 inconclusive (2 skipped, 1 error), 4 missing".
// Inconclusive is what was not answered as requested or not judged, with the reasons where the text is long.
func (s Stats) Unjudged(length SummaryLength) string {
	why := joinCounts(", ", signCount{s.Incomplete, " incomplete"}, signCount{s.Skipped, " skipped"},
		signCount{s.Errors, format.Plural(s.Errors, " error", " errors")})
	inconclusive := joinCounts("", signCount{s.Incomplete + s.Skipped + s.Errors, " inconclusive"})
	if why != "" && length == Long {
		inconclusive += " (" + why + ")"
	}
	return joinNonEmpty(", ", joinCounts("", signCount{s.Unchecked, " unchecked"}), inconclusive,
		joinCounts("", signCount{s.WithoutAnswer(), " missing"}))
}

// UsageText returns the known tokens and costs of all answers: "1,204 → 356 tokens, $0.0031".
func (s Stats) UsageText() string {
	return joinNonEmpty(", ", s.Usage.String(), CostsText(s.Costs))
}

// CostsText formats sums of costs by currency; empty for none.
func CostsText(costs []history.Cost) string {
	var texts []string
	for _, c := range costs {
		texts = append(texts, format.Money(c.Amount, c.Currency))
	}
	return strings.Join(texts, " + ")
}

// flakyText returns "passes in 2 of 5 samples" for samples of a question that neither all passed nor all failed; else
// "".
func flakyText(s Stats) string {
	if s.Passed == 0 || s.Failed == 0 {
		return ""
	}
	return fmt.Sprintf("passes in %d of %d samples", s.Passed, s.Passed+s.Failed)
}
