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
	prompts []suiterun.Row // of the rows; without cells
	cells   [][]*cellDiff  // by row and column
	stats   []diffStats    // by column
	total   diffStats
}

// newRunComparison makes the table of two runs.
func newRunComparison(a, b history.Run, all []suiterun.Change) *runComparison {
	c := &runComparison{a: a, b: b}
	c.words = tableWords{attention: "that differ", none: "No cell differs between the two runs.",
		noRows: "Neither of the runs has a cell.", filtered: "No cell differs between the two runs."}
	g := changeGrid{byTest: map[string]int{}, byValues: map[string][]int{}, byColumn: map[columnKey]int{}}
	for i := range all {
		g.add(&all[i])
	}
	names := newRowNamer(g.rows)
	c.heading = names.heading()
	c.prompts, c.columns, c.stats = g.rows, g.columns, make([]diffStats, len(g.columns))
	c.cells = make([][]*cellDiff, len(g.rows))
	for i, row := range g.rows {
		c.rows = append(c.rows, names.name(row))
		g.cells[i] = append(g.cells[i], make([][]*suiterun.Change, len(g.columns)-len(g.cells[i]))...)
		for j, changes := range g.cells[i] {
			for _, change := range changes {
				c.stats[j].add(change)
				c.total.add(change)
			}
			c.cells[i] = append(c.cells[i], newCellDiff(changes))
		}
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

// columnKey identifies a column of two runs.
type columnKey struct {
	provider, model string
	nth             int // of the providers with the same name, from 0
}

// changeGrid sorts changes into rows and columns.
type changeGrid struct {
	rows     []suiterun.Row
	columns  []string
	cells    [][][]*suiterun.Change // by row, column, repetition
	byTest   map[string]int         // rows by test, prompt and values
	byValues map[string][]int       // rows by prompt and values
	byColumn map[columnKey]int
}

func (g *changeGrid) add(c *suiterun.Change) {
	cell := cmp.Or(c.B, c.A)
	row := g.row(cell, c.B == nil)
	key := columnKey{provider: cell.Provider, model: cell.Model}
	for {
		j, ok := g.byColumn[key]
		if !ok {
			j = len(g.columns)
			g.byColumn[key] = j
			g.columns = append(g.columns, columnName(cell))
		}
		for len(g.cells[row]) <= j {
			g.cells[row] = append(g.cells[row], nil)
		}
		isTaken := func(x *suiterun.Change) bool { return cmp.Or(x.B, x.A).Repeat == cell.Repeat }
		if !slices.ContainsFunc(g.cells[row][j], isTaken) {
			g.cells[row][j] = append(g.cells[row][j], c)
			return
		}
		key.nth++
	}
}

// row returns the row of a cell. A cell that only the first run has belongs to the row with its prompt and values,
// though the tests may have other numbers in the second run.
func (g *changeGrid) row(cell *history.Cell, isGone bool) int {
	values := fmt.Sprintf("%q %q", cell.Prompt, cell.Vars)
	key := fmt.Sprint(cell.Test, " ", values)
	if i, ok := g.byTest[key]; ok {
		return i
	}
	if same := g.byValues[values]; isGone && len(same) == 1 {
		return same[0]
	}
	i := len(g.rows)
	g.rows = append(g.rows, suiterun.Row{Prompt: cell.Prompt, Test: cell.Test, Vars: cell.Vars})
	g.cells = append(g.cells, nil)
	g.byTest[key] = i
	g.byValues[values] = append(g.byValues[values], i)
	return i
}

// columnName returns what the suite calls a model, without the prefix for its kind.
func columnName(c *history.Cell) string {
	name := c.Provider
	for _, prefix := range []string{"llm:", "image:", "edit:"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return oneLine(cmp.Or(name, c.Model))
}

func (c *runComparison) totalCells(col, w int) (string, cellTone) {
	d, tone := c.stats[col], toneFaint
	changed := joinCounts(" ", signCount{d.differ, "≠"}, signCount{d.added, "+"}, signCount{d.gone, "−"})
	if changed != "" {
		tone = toneWarning
	}
	return firstFitting(w, strings.TrimSpace(fmt.Sprintf("%d= %s", d.same, changed))), tone
}

func (c *runComparison) totalChecks(col, w int) (string, cellTone) {
	d, tone := c.stats[col], toneFaint
	switch {
	case d.checksFell > 0:
		tone = toneBad
	case d.checksRose > 0:
		tone = toneGood
	}
	return firstFitting(w, joinCounts(" ", signCount{d.checksFell, "↓"}, signCount{d.checksRose, "↑"},
		signCount{d.checksElse, "±"})), tone
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
	r := c.prompts[at]
	row = fmt.Sprintf("row %d  prompt %s", at+1, oneLine(r.Prompt)) + allValues(r.Vars)
	return fmt.Sprintf("%d %s  %s", c.col+1, c.columns[c.col], c.cells[at][c.col].facts(c.a.ID, c.b.ID)), row
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
	return name, fmt.Sprintf("%d= %d≠", c.total.same, c.total.differ), s.Text.On(state)
}

// open asks for the difference between the two answers of the focused cell, or explains why there is none. It is nil
// where no cell is focused.
func (c *runComparison) open() action.Action {
	if c.row() < 0 {
		return nil
	}
	diff := c.cells[c.row()][c.col]
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
		text := fmt.Sprintf("run %d  %s", run, c.columns[c.col])
		if len(diff.changes) > 1 {
			text += fmt.Sprintf(" #%d", number)
		}
		return text
	}
	return action.ShowDifference{A: change.AnswerA, B: change.AnswerB, NameA: name(c.a.ID), NameB: name(c.b.ID)}
}
