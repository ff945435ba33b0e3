package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
)

// Results is the table of one run.
type Results struct {
	TableText
	Run   Table
	Total Stats
	Flaky []string // questions whose samples have different verdicts

	stats []Stats // by column
}

// NewResults returns the table of a run. Rows have the names of earlier, which may be nil, if the rows are the same.
func NewResults(run Table, earlier *Results) *Results {
	t := &Results{Run: run}
	t.CellAt = func(row, column int) CellText { return t.summary(row, column) }
	if t.GoodCell, t.FullCell = 11, 22; slices.ContainsFunc(run.Rows, hasRepeats) {
		t.GoodCell, t.FullCell = 16, 24
	}
	t.Totals = []TotalsRow{
		{[]string{"passed ✓  failed ✗  errors !  skipped ?  unchecked ○", "✓ ✗ errors ! skipped ? unchecked ○",
			"✓ ✗ ! skipped ? unchecked ○", "✓ ✗ ! ? ○"}, t.totalStatuses},
		{[]string{"median time", "time"}, t.totalTimes},
	}
	t.nameColumns(run.Columns)
	t.stats = make([]Stats, len(run.Columns))
	for _, r := range run.Rows {
		for j, cells := range r.Cells[:min(len(r.Cells), len(run.Columns))] {
			t.stats[j].Add(cells)
			t.Total.Add(cells)
		}
	}
	// Runs read from the store have no cells for calls that were not made.
	if more := run.Run.Planned - t.Total.Cells; more > 0 {
		t.Total.Cells += more
		t.Total.Missing += more
	}
	if earlier != nil && t.hasRowsOf(earlier) {
		t.Heading, t.Rows, t.Values, t.RowWidth = earlier.Heading, earlier.Rows, earlier.Values, earlier.RowWidth
		t.labels = earlier.labels
	} else {
		t.nameRows(run.Rows)
	}
	if t.Total.UsageText() != "" {
		t.Totals = append(t.Totals, TotalsRow{[]string{"tokens and cost", "usage"}, t.totalUsage})
	}
	t.findFlaky()
	return t
}

// Extent returns how many points there are on the axes that differ: "3 prompts × 4 values × 2 models".
func (t *Results) Extent() string {
	words := map[Axis][2]string{AxisPrompt: {"prompt", "prompts"}, AxisValues: {"value", "values"},
		AxisParams: {"parameter set", "parameter sets"}}
	var parts []string
	for _, a := range t.labels.Differing() {
		parts = append(parts, format.Several(len(t.labels.Positions(a)), words[a][0], words[a][1]))
	}
	if len(parts) == 0 {
		parts = []string{format.Count(len(t.Rows), "prompt")}
	}
	return strings.Join(append(parts, format.Count(len(t.Columns), "model")), " × ")
}

// findFlaky sets the flaky questions.
func (t *Results) findFlaky() {
	for i := range t.Run.Rows {
		for j := range t.Columns {
			if text := flakyText(t.summary(i, j).Stats); text != "" {
				t.Flaky = append(t.Flaky, t.Rows[i]+", "+t.Columns[j]+": "+text)
			}
		}
	}
}

// hasRowsOf reports whether two tables have the same rows.
func (t *Results) hasRowsOf(other *Results) bool {
	return slices.EqualFunc(t.Run.Rows, other.Run.Rows, func(a, b Row) bool {
		return a.Name == b.Name && a.Prompt == b.Prompt && a.TestIndex == b.TestIndex
	})
}

func hasRepeats(r Row) bool {
	return slices.ContainsFunc(r.Cells, func(cells []history.Cell) bool { return len(cells) > 1 })
}

// Cells returns the samples of a cell of the table.
func (t *Results) Cells(row, column int) []history.Cell {
	if all := t.Run.Rows[row].Cells; column < len(all) {
		return all[column]
	}
	return nil
}

// summary summarizes a cell of the table.
func (t *Results) summary(row, column int) *resultCell {
	cells := t.Cells(row, column)
	return &resultCell{cells: cells, Stats: StatsOf(cells...)}
}

func (t *Results) totalStatuses(column, w int) (string, Tone) {
	s := &t.stats[column]
	text, tone := StatusSigns(*s)
	passed := fmt.Sprintf("%d of %d %s", s.Passed, s.Ended(), SignPassed)
	rate := text + " " + Rate(s.Passed, s.Passed+s.Failed)
	return firstFitting(w, strings.TrimSpace(rate), text, passed, fmt.Sprintf("%d %s", s.Passed, SignPassed)), tone
}

func (t *Results) totalTimes(column, w int) (string, Tone) {
	times := t.stats[column].Time()
	switch text := shortTime(times.Median); times.N {
	case 0:
		return "", TonePlain
	case 1:
		return text, TonePlain
	default:
		return firstFitting(w, text+" "+timeRange(times), text), TonePlain
	}
}

func (t *Results) totalUsage(column, w int) (string, Tone) {
	s := t.stats[column]
	costs, tokens := CostsText(s.Costs), strings.TrimSuffix(s.Usage.String(), " tokens")
	both := s.UsageText()
	if costs == "" {
		both = tokens // the label tells what is counted
	}
	return firstFitting(w, both, cmp.Or(costs, tokens)), TonePlain
}

// CellFacts describes a cell in a few sentences, after its column.
func (t *Results) CellFacts(row, column int, s CellState) string {
	if len(t.Columns) == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s  %s", column+1, t.Columns[column], t.summary(row, column).facts(s))
}

// RowFacts describes a row: its prompt with the beginning of its text, and all its values.
func (t *Results) RowFacts(row int) string {
	return fmt.Sprintf("row %d  %s", row+1, t.labels.facts(t.Run.Rows[row].Point))
}

// Unanswered returns how many cells have no answer and are not running.
func (t *Results) Unanswered() int { return t.Total.Errors + t.Total.Stopped + t.Total.Missing }
