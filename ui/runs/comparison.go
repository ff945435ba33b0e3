package runs

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/service/suite"
	"confab/ui/action"
)

// runComparison is the table of two runs, cell by cell.
type runComparison struct {
	runTable
	a, b    history.Run
	changes *suite.Comparison
}

func newRunComparison(a, b history.Run, all []suite.Change) *runComparison {
	c := &runComparison{a: a, b: b, changes: suite.NewComparison(all)}
	c.TableText = c.changes.TableText
	c.words = tableWords{attention: "that differ", none: "No cell differs between the two runs.",
		noRows: "Neither of the runs has a cell.", filtered: "No cell differs between the two runs."}
	c.relist()
	return c
}

func (c *runComparison) facts(suite.CellState) (cell, row string) {
	focused := c.row()
	if focused < 0 {
		return c.emptyText(), ""
	}
	row = c.changes.RowFacts(focused)
	cell = c.changes.Cell(focused, c.column).Facts(c.a.ID, c.b.ID)
	return fmt.Sprintf("%d %s  %s", c.column+1, c.Columns[c.column], cell), row
}

func (c *runComparison) copyTitle() (title, what string) {
	return c.title() + ": " + c.changes.Total.Summary(suite.Long), "the table of two runs"
}

func (c *runComparison) title() string {
	return fmt.Sprintf("%s, run %d → run %d", suite.OneLine(c.b.Suite), c.a.ID, c.b.ID)
}

func (c *runComparison) header(v *View) (name, short, state string) {
	a, b, s := c.a, c.b, v.styles
	name = s.Strong.On(suite.OneLine(a.Suite)) + "  " + s.Text.On(fmt.Sprintf("run %d → run %d", a.ID, b.ID))
	if a.Suite != b.Suite {
		name = v.runName(a) + " → " + v.runName(b)
	}
	now := v.env.Now().Local()
	name += s.Muted.On("  " + format.Moment(a.Started.Local(), now) + " → " + format.Moment(b.Started.Local(), now))
	for _, f := range []history.Run{a, b} {
		if f.Note != "" {
			name += s.Muted.On(fmt.Sprintf("  note of run %d: %s", f.ID, suite.OneLine(f.Note)))
		}
	}
	for _, length := range []suite.SummaryLength{suite.Long, suite.Medium, suite.Brief} {
		if state = c.changes.Total.Summary(length); ansi.StringWidth(state) <= v.w-2 {
			break
		}
	}
	return name, c.changes.Total.Signs(), s.Text.On(state)
}

// open shows the difference between the two answers of the focused cell, or explains why there is none.
func (c *runComparison) open() action.Action {
	change, difference := c.focused()
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
			problem = fmt.Sprintf("Run %d does not have this cell: nothing to compare.", side.run)
		case side.cell.State != history.Done:
			problem = fmt.Sprintf("Run %d has no answer here: %s.", side.run,
				strings.TrimSuffix(suite.Outcome(side.cell, side.answer), "."))
		}
		if problem != "" {
			return action.Notify{Severity: action.Info, Text: problem}
		}
	}
	return difference
}

// focused returns the change in the focused cell, nil for none, and the action that shows both answers.
func (c *runComparison) focused() (*suite.Change, action.ShowDifference) {
	if c.row() < 0 || len(c.Columns) == 0 {
		return nil, action.ShowDifference{}
	}
	cell := c.changes.Cell(c.row(), c.column)
	change, number := cell.First()
	if change == nil {
		return nil, action.ShowDifference{}
	}
	name := func(run int64) string {
		text := fmt.Sprintf("run %d  %s", run, c.Columns[c.column])
		if cell.HasSamples() {
			text += fmt.Sprintf(" #%d", number)
		}
		return text
	}
	return change, action.ShowDifference{A: change.AnswerA, B: change.AnswerB, NameA: name(c.a.ID),
		NameB: name(c.b.ID)}
}
