package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/format"
)

// Comparison is the table of two runs, cell by cell.
type Comparison struct {
	TableText
	Total  ChangeCounts
	Checks []CheckPairs // of each check that has another verdict
	Flaky  []string     // questions of the second run whose samples have different verdicts

	hasPictures bool

	rows  []Row
	cells [][]*ComparedCell // by row and column
	stats []ChangeCounts    // by column
}

// NewComparison returns the table of the changes between two runs.
func NewComparison(all []Change) *Comparison {
	t := changeTable(all)
	c := &Comparison{rows: t.Rows, stats: make([]ChangeCounts, len(t.Columns)), Checks: checkPairs(all)}
	c.nameColumns(t.Columns)
	for _, row := range t.Rows {
		var compared []*ComparedCell
		for j, cells := range row.Cells {
			cell := &ComparedCell{}
			for _, numbered := range cells {
				if numbered.Number == 0 {
					continue // neither run has this repetition
				}
				change := &all[numbered.Number-1]
				cell.add(change)
				c.hasPictures = c.hasPictures || change.hasPicture()
				c.stats[j].add(change)
				c.Total.add(change)
			}
			if cell.a.Cells > 0 {
				for _, pairs := range []*Pairs{&cell.Pairs, &c.stats[j].Pairs, &c.Total.Pairs} {
					pairs.add(cell.a.Passed, cell.a.Passed+cell.a.Failed, cell.b.Passed, cell.b.Passed+cell.b.Failed)
					if cell.a.Unchecked == cell.a.Cells || cell.b.Unchecked == cell.b.Cells {
						pairs.unchecked++
					}
					if more := cell.worseChecks - cell.betterChecks; cell.Same > 0 && more > 0 {
						pairs.failsMore++
					} else if cell.Same > 0 && more < 0 {
						pairs.failsLess++
					}
				}
			}
			compared = append(compared, cell)
		}
		c.cells = append(c.cells, compared)
	}
	c.sortRows()
	c.nameRows(c.rows)
	for i, row := range c.cells {
		for j, cell := range row {
			if text := flakyText(cell.b); text != "" {
				c.Flaky = append(c.Flaky, c.Rows[i]+", "+c.Columns[j]+": "+text)
			}
		}
	}
	c.CellAt = func(row, column int) CellText { return c.cells[row][column] }
	c.GoodCell, c.FullCell, c.MaxCell = 14, 48, 0 // of all it says
	c.Totals = []TotalsRow{{[]string{"verdicts"}, c.totalVerdicts}, {[]string{"other texts", "texts"}, c.totalAnswers},
		{[]string{"median time", "time"}, c.totalTimes}}
	return c
}

// sortRows puts the rows with a worse verdict first, then those with a better one, with other checks, and with other
// answers. They keep the numbers that they have in the table of the second run.
func (c *Comparison) sortRows() {
	rank := func(row []*ComparedCell) int {
		kinds := []func(cell *ComparedCell) bool{
			func(cell *ComparedCell) bool { return cell.Worse > 0 },
			func(cell *ComparedCell) bool { return cell.Better > 0 },
			func(cell *ComparedCell) bool { return cell.worseChecks+cell.betterChecks+cell.changedStatuses > 0 },
			(*ComparedCell).NeedsAttention,
		}
		for i, isKind := range kinds {
			if slices.ContainsFunc(row, isKind) {
				return i
			}
		}
		return len(kinds)
	}
	order := make([]int, len(c.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rank(c.cells[i]), rank(c.cells[j])) })
	rows, cells := slices.Clone(c.rows), slices.Clone(c.cells)
	for to, from := range order {
		c.rows[to], c.cells[to] = rows[from], cells[from]
		c.Numbers = append(c.Numbers, from+1)
	}
}

// Report describes the comparison in lines: all verdicts, those of each check that changed, and flaky questions.
func (c *Comparison) Report() []string {
	lines := []string{c.Total.Summary()}
	for _, check := range c.Checks {
		lines = append(lines, "check "+check.label+": "+check.Pairs.String())
	}
	for _, text := range c.Flaky {
		lines = append(lines, "flaky: "+text)
	}
	return lines
}

// Extent is [Results.Extent] of both runs.
func (c *Comparison) Extent() string { return c.extent(len(c.Columns)) }

// Cell returns a cell of the table.
func (c *Comparison) Cell(row, column int) *ComparedCell { return c.cells[row][column] }

// RowFacts describes a row: its prompt with the beginning of its text, and all its values.
func (c *Comparison) RowFacts(row int) string {
	return fmt.Sprintf("row %d  %s", c.Number(row), c.labels.facts(c.rows[row].Point))
}

// changeTable arranges changes as a table whose cells have the numbers of their changes, from 1. It ignores positions
// in the suite, which may have been edited between the runs, and uses prompts, values and models.
func changeTable(changes []Change) Table {
	tests := map[string][]int{} // of the second run, by prompt and values
	var cells []history.Cell
	for i, c := range changes {
		cell := *cmp.Or(c.B, c.A)
		cell.ID, cell.Number, cell.Row, cell.Column = int64(i+1), i+1, 0, 0
		values := fmt.Sprintf("%q %q", cell.Prompt, cell.Vars)
		switch same := tests[values]; {
		case c.B != nil && !slices.Contains(same, cell.TestIndex):
			tests[values] = append(same, cell.TestIndex)
		case c.B == nil && len(same) == 1:
			cell.TestIndex = same[0] // the second run may number the test differently
		}
		cells = append(cells, cell)
	}
	return NewTable(history.Run{}, cells)
}

func (c *Comparison) totalAnswers(column, w int) (string, Tone) {
	d, tone := c.stats[column], ToneFaint
	if d.changedAnswers+d.addedCells+d.removedCells > 0 {
		tone = TonePlain
	}
	changed := ""
	if all := d.sameCells + d.editedCells + d.changedCells; all > 0 {
		changed = fmt.Sprintf("%d of %d", d.changedAnswers, all)
	}
	others := joinCounts(", ", signCount{d.addedCells, " new"}, signCount{d.removedCells, " gone"})
	text := joinNonEmpty(", ", changed, others)
	return firstFitting(w, text, cmp.Or(changed, text)), tone
}

func (c *Comparison) totalVerdicts(column, w int) (string, Tone) {
	d, tone := c.stats[column].Pairs, TonePlain
	worse, better := d.Worse+d.failsMore, d.Better+d.failsLess
	switch {
	case d.Better+d.Worse+d.Same == 0:
		return "", ToneFaint
	case worse+better == 0:
		return firstFitting(w, "all as before", "as before"), ToneFaint
	case worse > better:
		tone = ToneBad
	case d.Better > d.Worse && d.PValue() < 0.05:
		tone = ToneGood
	}
	return firstFitting(w, joinNonEmpty(", ", d.Changed(), d.ChangedChecks()),
		fmt.Sprintf("%d changed", worse+better)), tone
}

func (c *Comparison) totalTimes(column, w int) (string, Tone) {
	a, b, ok := c.stats[column].medians()
	if !ok {
		return "", ToneFaint
	}
	from, to := format.Seconds(a), format.Seconds(b)
	return firstFitting(w, from+" → "+to, strings.TrimSuffix(from, " s")+" → "+to), TonePlain
}
