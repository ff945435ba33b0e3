package runs

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/service/suite"
	"confab/themes"
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
	if !c.isAtAttention() {
		c.goToAttention() // what changed is what people look for
	}
	return c
}

func (c *runComparison) facts(suite.CellState) (column, cell, row string) {
	focused := c.row()
	if focused < 0 {
		return "", c.emptyText(), ""
	}
	return c.columnName(), c.changes.Cell(focused, c.column).Facts(c.a.ID, c.b.ID), c.changes.RowFacts(focused)
}

func (c *runComparison) legend() []suite.TextPart { return c.changes.Legend() }

func (c *runComparison) copyTitle() (title, what string) {
	return c.title() + ": " + c.changes.Total.Summary(), "the table of two runs"
}

func (c *runComparison) title() string {
	if a, b := suite.OneLine(c.a.Suite), suite.OneLine(c.b.Suite); a != b {
		return fmt.Sprintf("%s · run %d → %s · run %d", a, c.a.ID, b, c.b.ID)
	}
	return fmt.Sprintf("%s · run %d → run %d", suite.OneLine(c.b.Suite), c.a.ID, c.b.ID)
}

// header counts the verdicts that changed and those that did not, and the answers that differ. Where that is too long,
// what did not change gives way, then the answers; how likely the verdicts are chance stays.
func (c *runComparison) header(v *View) (state string, facts []string) {
	total, s := c.changes.Total, v.styles
	words, short := total.Chance()
	long := strings.TrimPrefix(words+", "+short, ", ")
	for _, x := range []struct {
		head, chance string
		length       suite.SummaryLength
		hasOthers    bool
	}{{"verdicts: ", long, suite.Long, true}, {"verdicts: ", long, suite.Medium, true},
		{"verdicts: ", short, suite.Medium, true}, {"", short, suite.Medium, true}, {"", short, suite.Brief, true},
		{"", short, suite.Medium, false}, {"", short, suite.Brief, false}} {
		verdicts := c.verdicts(s, x.chance, x.hasOthers)
		state = s.Text.On(total.Changes(x.length))
		if verdicts != "" {
			state = s.Muted.On(x.head) + verdicts + s.Muted.On("   ") + state
		}
		if ansi.StringWidth(state) <= v.w-2 {
			break
		}
		if verdicts != "" && !x.hasOthers {
			state = verdicts
		}
	}
	now := v.env.Now().Local()
	facts = append(facts, format.Moment(c.a.Started.Local(), now)+" → "+format.Moment(c.b.Started.Local(), now))
	for _, f := range []history.Run{c.a, c.b} {
		if f.Note != "" {
			facts = append(facts, fmt.Sprintf("note of run %d: %s", f.ID, suite.OneLine(f.Note)))
		}
	}
	return state, facts
}

// verdicts draws the numbers of verdicts, with the words on chance behind those that changed; "" for none.
func (c *runComparison) verdicts(s *themes.Styles, chance string, hasOthers bool) string {
	total := c.changes.Total
	var parts []string
	add := func(text string, style themes.Style) {
		if text != "" {
			parts = append(parts, style.On(text))
		}
	}
	add(total.NowFail(), s.Danger)
	add(total.NowPass(), s.Success)
	if n := len(parts); n > 0 && chance != "" {
		parts[n-1] += s.Muted.On(" (" + chance + ")")
	}
	add(total.FailMore(), s.Danger)
	add(total.FailLess(), s.Success)
	if hasOthers || len(parts) == 0 {
		add(total.Others(), s.Text)
	}
	return strings.Join(parts, s.Muted.On(", "))
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
