package runs

import (
	"reflect"

	tea "charm.land/bubbletea/v2"

	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/part"
)

// axisTotals is the table of the figures of every prompt, value, parameter and model.
type axisTotals struct {
	runTable
	totals  *suite.AxisTotals
	votes   suite.AnswerVotes
	results *runResults
	view    *View // whose layout says what its rows leave out
}

// newAxisTotals returns the totals of a table at a position.
func newAxisTotals(v *View, results *runResults, votes suite.AnswerVotes, focus position) *axisTotals {
	t := &axisTotals{view: v, totals: results.results.AxisTotals(votes), votes: votes, results: results}
	t.TableText, t.position = t.totals.TableText, focus
	t.words = tableWords{attention: "with a failure", none: "No cell has failed.",
		noRows: "Nothing to total: one prompt, one model.", filtered: "Nothing has failed."}
	t.relist()
	return t
}

func (t *axisTotals) header(v *View) (state string, facts []string) { return t.results.header(v) }

func (t *axisTotals) facts(state suite.CellState) (column, cell, row string) {
	if t.row() < 0 {
		return "", t.emptyText(), ""
	}
	l := t.view.layout
	cell, row = t.totals.Facts(t.row(), func(column int) string {
		if at := column - t.firstColumn; at >= 0 && at < l.columns() {
			return t.CellAt(t.row(), column).Text(l.cellWidths[at], state)
		}
		return ""
	})
	if l.nameWidth >= t.RowWidth {
		row = ""
	}
	return "", cell, row
}

func (t *axisTotals) copyTitle() (title, what string) {
	title, _ = t.results.copyTitle()
	return title, "the totals"
}

// toggleTotals shows the totals by axis in place of the table, or the table again. Votes follow when they are read.
func (v *View) toggleTotals() action.Action {
	defer v.relayout()
	if v.totals != nil {
		v.totals = nil
		return nil
	}
	v.totals = newAxisTotals(v, v.results, nil, position{})
	scope := v.shown().VoteScope()
	return action.WithCmd(nil, part.Ask(v, func() (tea.Msg, error) {
		votes, err := v.env.Service.Runner().Votes(v.env.Ctx, scope)
		return votesMsg{scope, votes.Counted}, err
	}))
}

// votesMsg brings the votes for the totals of a table.
type votesMsg struct {
	scope suite.VoteScope
	votes suite.AnswerVotes
}

func (v *View) afterVotes(msg votesMsg) {
	if v.totals != nil && reflect.DeepEqual(msg.scope, v.shown().VoteScope()) {
		v.totals = newAxisTotals(v, v.results, msg.votes, v.totals.position)
		v.relayout()
	}
}
