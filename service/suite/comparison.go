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
	c.GoodCell, c.FullCell, c.MaxCell = 14, 18, 26
	c.Totals = []TotalsRow{{[]string{"cells"}, c.totalCells}, {[]string{"verdicts"}, c.totalVerdicts},
		{[]string{"median time", "time"}, c.totalTimes}}
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

// changeCount is a number of changes, with a word and a sign for them.
type changeCount struct {
	n          int
	word, sign string
}

// countsTexts returns counts in words and in signs, with a text after them.
func countsTexts(after string, counts ...changeCount) []string {
	var words, signs []signCount
	for _, c := range counts {
		words, signs = append(words, signCount{c.n, " " + c.word}), append(signs, signCount{c.n, " " + c.sign})
	}
	return []string{joinCounts(", ", words...) + after, joinCounts(" ", signs...) + after, joinCounts(" ", signs...)}
}

func (c *Comparison) totalCells(column, w int) (string, Tone) {
	d, tone := c.stats[column], ToneFaint
	if d.changedCells+d.addedCells+d.removedCells > 0 {
		tone = ToneWarning
	}
	return firstFitting(w, countsTexts("", changeCount{d.sameCells, "same", "="},
		changeCount{d.changedCells, "differ", "≠"}, changeCount{d.addedCells, "new", "+"},
		changeCount{d.removedCells, "gone", "−"})...), tone
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
	chance := ", " + strings.Replace(pText(d.PValue()), "= ", "", 1)
	return firstFitting(w, countsTexts(chance, changeCount{d.Better, "better", "↑"},
		changeCount{d.Worse, "worse", "↓"})...), tone
}

func (c *Comparison) totalTimes(column, w int) (string, Tone) {
	a, b, ok := c.stats[column].medians()
	if !ok {
		return "", ToneFaint
	}
	from, to := format.Seconds(a), format.Seconds(b)
	return firstFitting(w, from+" → "+to, strings.TrimSuffix(from, " s")+" → "+to), TonePlain
}
