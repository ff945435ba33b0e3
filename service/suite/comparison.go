package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"confab/history"
)

// Comparison is the table of two runs, cell by cell.
type Comparison struct {
	TableText
	Total  Changes
	Checks []CheckPairs // of each check that has another verdict
	Flaky  []string     // questions of the second run whose samples have different verdicts

	rows  []Row
	cells [][]*Diff // by row and column
	stats []Changes // by column
}

// NewComparison returns the table of the changes between two runs.
func NewComparison(all []Change) *Comparison {
	t := changeTable(all)
	c := &Comparison{rows: t.Rows, stats: make([]Changes, len(t.Columns)), Checks: checkPairs(all)}
	c.nameColumns(t.Columns)
	c.nameRows(t.Rows)
	for i, row := range t.Rows {
		var diffs []*Diff
		for j, cells := range row.Cells {
			diff := &Diff{}
			for _, cell := range cells {
				if cell.Number == 0 {
					continue // neither run has this repetition
				}
				change := &all[cell.Number-1]
				diff.add(change)
				c.stats[j].add(change)
				c.Total.add(change)
			}
			diff.stats.Pairs = diff.pairs()
			c.stats[j].Pairs = c.stats[j].plus(diff.stats.Pairs)
			c.Total.Pairs = c.Total.plus(diff.stats.Pairs)
			if text := flakyText(diff.b); text != "" {
				c.Flaky = append(c.Flaky, c.Rows[i]+", "+c.Columns[j]+": "+text)
			}
			diffs = append(diffs, diff)
		}
		c.cells = append(c.cells, diffs)
	}
	c.CellAt = func(row, column int) CellText { return c.cells[row][column] }
	c.GoodCell, c.FullCell = 12, 15
	c.Totals = []TotalsRow{
		{[]string{"same =  differ ≠  new +  gone −", "same = differ ≠ new + gone −", "same= differ≠ new+ gone−",
			"cells = ≠ + −", "= ≠ + −"}, c.totalCells},
		{[]string{"better ↑  worse ↓  by chance p", "better ↑ worse ↓ chance p", "better↑ worse↓ p", "↑ ↓ p"},
			c.totalVerdicts},
		{[]string{"median time", "time"}, c.totalTimes},
	}
	return c
}

// Report describes the comparison in lines: all verdicts, those of each check that changed, and flaky questions.
func (c *Comparison) Report() []string {
	lines := []string{c.Total.Summary(Long)}
	for _, check := range c.Checks {
		lines = append(lines, "check "+OneLine(check.Name)+": "+check.Pairs.String())
	}
	for _, text := range c.Flaky {
		lines = append(lines, "flaky: "+text)
	}
	return lines
}

func (c *Comparison) Diff(row, column int) *Diff { return c.cells[row][column] }

// RowFacts describes a row: its prompt with the beginning of its text, and all its values.
func (c *Comparison) RowFacts(row int) string {
	return fmt.Sprintf("row %d  %s", row+1, c.labels.facts(c.rows[row].Point))
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

func (c *Comparison) totalCells(column, w int) (string, Tone) {
	d, tone := c.stats[column], ToneFaint
	changed := joinCounts(" ", signCount{d.changedCells, " ≠"}, signCount{d.addedCells, " +"},
		signCount{d.removedCells, " −"})
	if changed != "" {
		tone = ToneWarning
	}
	return firstFitting(w, strings.TrimSpace(fmt.Sprintf("%d = %s", d.sameCells, changed))), tone
}

func (c *Comparison) totalVerdicts(column, w int) (string, Tone) {
	d := c.stats[column].Pairs
	if d.Better+d.Worse == 0 {
		return "", ToneFaint
	}
	tone := TonePlain
	switch p := d.PValue(); {
	case d.Worse > d.Better:
		tone = ToneBad
	case p < 0.05:
		tone = ToneGood
	}
	counts := joinCounts(" ", signCount{d.Better, " ↑"}, signCount{d.Worse, " ↓"})
	return firstFitting(w, fmt.Sprintf("%s p %.2f", counts, d.PValue()), counts), tone
}

func (c *Comparison) totalTimes(column, w int) (string, Tone) {
	a, b, ok := c.stats[column].medians()
	if !ok {
		return "", ToneFaint
	}
	from, to := shortTime(a), shortTime(b)
	return firstFitting(w, from+" → "+to, strings.TrimSuffix(from, "s")+"→"+to), TonePlain
}
