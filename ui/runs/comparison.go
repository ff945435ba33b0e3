package runs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/service/suiterun"
	"confab/ui/action"
)

// runComparison is the table of two runs, cell by cell.
type runComparison struct {
	runTable
	a, b    history.Run
	prompts []suiterun.Row // of the rows
	cells   [][]*cellDiff  // by row and column
	stats   []diffStats    // by column
	total   diffStats
}

// newRunComparison makes the table of two runs.
func newRunComparison(a, b history.Run, all []suiterun.Change) *runComparison {
	t := changeTable(all)
	c := &runComparison{a: a, b: b, prompts: t.Rows, stats: make([]diffStats, len(t.Columns))}
	c.words = tableWords{attention: "that differ", none: "No cell differs between the two runs.",
		noRows: "Neither of the runs has a cell.", filtered: "No cell differs between the two runs."}
	for _, column := range t.Columns {
		c.columns = append(c.columns, oneLine(cmp.Or(column.Name, column.Model)))
		c.models = append(c.models, cmp.Or(column.Model, column.Name))
	}
	names := newRowNamer(t.Rows)
	c.heading = names.heading()
	for _, row := range t.Rows {
		c.rows = append(c.rows, names.name(row))
		var diffs []*cellDiff
		for j, cells := range row.Cells {
			diff := &cellDiff{}
			for _, cell := range cells {
				if cell.Number == 0 {
					continue // neither run has this repetition
				}
				change := &all[cell.Number-1]
				diff.changes = append(diff.changes, change)
				diff.stats.add(change)
				c.stats[j].add(change)
				c.total.add(change)
			}
			diffs = append(diffs, diff)
		}
		c.cells = append(c.cells, diffs)
	}
	c.cellAt = func(row, column int) cellView { return c.cells[row][column] }
	c.goodCell, c.fullCell = 12, 15
	c.totals = []totalsRow{
		{[]string{"same =  differ ≠  new +  gone −", "same = differ ≠ new + gone −", "same= differ≠ new+ gone−",
			"cells = ≠ + −", "= ≠ + −"}, c.totalCells},
		{[]string{"checks fell ↓  rose ↑  other ±", "checks fell ↓ rose ↑ other ±", "checks fell↓ rose↑ other±",
			"checks ↓ ↑ ±", "↓ ↑ ±"}, c.totalChecks},
		{[]string{"median time", "time"}, c.totalTimes},
	}
	c.finish()
	return c
}

// changeTable arranges changes as a table whose cells have the numbers of their changes, from 1. Places in the suite do
// not matter, since the suite may have been edited between the runs: prompts, values and models say what belongs
// together.
func changeTable(changes []suiterun.Change) suiterun.Table {
	tests := map[string][]int{} // of the second run, by prompt and values
	var cells []history.Cell
	for i, c := range changes {
		cell := *cmp.Or(c.B, c.A)
		cell.ID, cell.Number, cell.Row, cell.Column = int64(i+1), i+1, 0, 0
		values := fmt.Sprintf("%q %q", cell.Prompt, cell.Vars)
		switch same := tests[values]; {
		case c.B != nil && !slices.Contains(same, cell.Test):
			tests[values] = append(same, cell.Test)
		case c.B == nil && len(same) == 1:
			cell.Test = same[0] // the test may have another number in the second run
		}
		cells = append(cells, cell)
	}
	return suiterun.NewTable(history.Run{}, cells, nil)
}

func (c *runComparison) totalCells(col, w int) (string, cellTone) {
	d, tone := c.stats[col], toneFaint
	changed := joinCounts(" ", signCount{d.changedCells, " ≠"}, signCount{d.addedCells, " +"},
		signCount{d.removedCells, " −"})
	if changed != "" {
		tone = toneWarning
	}
	return firstFitting(w, strings.TrimSpace(fmt.Sprintf("%d = %s", d.sameCells, changed))), tone
}

func (c *runComparison) totalChecks(col, w int) (string, cellTone) {
	d, tone := c.stats[col], toneFaint
	switch {
	case d.worseChecks > 0:
		tone = toneBad
	case d.betterChecks > 0:
		tone = toneGood
	}
	return firstFitting(w, joinCounts(" ", signCount{d.worseChecks, " ↓"}, signCount{d.betterChecks, " ↑"},
		signCount{d.otherChecks, " ±"})), tone
}

func (c *runComparison) totalTimes(col, w int) (string, cellTone) {
	a, b, ok := c.stats[col].medians()
	if !ok {
		return "", toneFaint
	}
	from, to := shortTime(a), shortTime(b)
	return firstFitting(w, from+" → "+to, strings.TrimSuffix(from, "s")+"→"+to), tonePlain
}

func (c *runComparison) facts(viewState) (cell, row string) {
	at := c.row()
	if at < 0 {
		return c.emptyText(), ""
	}
	row = rowFacts(at, c.prompts[at])
	return fmt.Sprintf("%d %s  %s", c.column+1, c.columns[c.column], c.cells[at][c.column].facts(c.a.ID, c.b.ID)), row
}

func (c *runComparison) copyTitle() (title, what string) {
	return fmt.Sprintf("%s, run %d → run %d: %s", oneLine(c.b.Suite), c.a.ID, c.b.ID, c.total.summary(long)),
		"the table of two runs"
}

func (c *runComparison) header(v *View) (name, short, state string) {
	a, b, s := c.a, c.b, v.styles
	name = s.Strong.On(oneLine(a.Suite)) + "  " + s.Text.On(fmt.Sprintf("run %d → run %d", a.ID, b.ID))
	if a.Suite != b.Suite {
		name = v.runName(a) + " → " + v.runName(b)
	}
	now := v.now.Local()
	name += s.Muted.On("  " + format.Moment(a.Started.Local(), now) + " → " + format.Moment(b.Started.Local(), now))
	for _, f := range []history.Run{a, b} {
		if f.Note != "" {
			name += s.Muted.On(fmt.Sprintf("  note of run %d: %s", f.ID, oneLine(f.Note)))
		}
	}
	state = c.total.summary(long)
	if ansi.StringWidth(state) > v.w-2 {
		state = c.total.summary(brief)
	}
	return name, fmt.Sprintf("%d= %d≠", c.total.sameCells, c.total.changedCells), s.Text.On(state)
}

// open asks for the difference between the two answers of the focused cell, or explains why there is none. It is nil
// where no cell is focused.
func (c *runComparison) open() action.Action {
	if c.row() < 0 {
		return nil
	}
	diff := c.cells[c.row()][c.column]
	change, number := diff.firstChange()
	if change == nil {
		return nil
	}
	for _, side := range []struct {
		cell   *history.Cell
		answer history.Answer
		run    int64
	}{{change.A, change.AnswerA, c.a.ID}, {change.B, change.AnswerB, c.b.ID}} {
		problem := ""
		switch {
		case side.cell == nil:
			problem = fmt.Sprintf("Run %d does not have this cell: there is nothing to compare.", side.run)
		case side.cell.State != history.Done:
			problem = fmt.Sprintf("Run %d has no answer here: %s.", side.run,
				strings.TrimSuffix(outcome(side.cell, side.answer), "."))
		}
		if problem != "" {
			return action.Notify{Severity: action.Info, Text: problem}
		}
	}
	name := func(run int64) string {
		text := fmt.Sprintf("run %d  %s", run, c.columns[c.column])
		if len(diff.changes) > 1 {
			text += fmt.Sprintf(" #%d", number)
		}
		return text
	}
	return action.ShowDifference{A: change.AnswerA, B: change.AnswerB, NameA: name(c.a.ID), NameB: name(c.b.ID)}
}
