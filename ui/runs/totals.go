package runs

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/part"
	"confab/ui/widget"
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
	more, name := t.totals.Facts(t.row(), func(column int) string {
		if at := column - t.firstColumn; at >= 0 && at < l.columns() {
			return t.CellAt(t.row(), column).Text(l.cellWidths[at], state)
		}
		return ""
	})
	return "", strings.TrimSuffix(name+": "+more, ": "), ""
}

// bar draws in w cells which part of the judged cells of a row passed.
func (t *axisTotals) bar(row, w int) string {
	rate, isKnown := t.totals.PassRate(row)
	if !isKnown {
		return strings.Repeat(" ", w)
	}
	return widget.Bar(t.view.styles, t.view.styles.Muted, int(math.Round(rate*float64(w))), w)
}

func (t *axisTotals) copyTitle() (title, what string) {
	title, _ = t.results.copyTitle()
	return title, "the totals"
}

// failedBox draws in at most h lines what failed at the focused point; nothing in a table in which nothing did.
func (t *axisTotals) failedBox(h int) []string {
	hasFailed := slices.ContainsFunc(t.totals.Failed, func(f []suite.Failure) bool { return len(f) > 0 })
	if h < 3 || t.row() < 0 || !hasFailed {
		return nil
	}
	failed, s := t.totals.Failed[t.row()], t.view.styles
	h = min(h, max(len(failed), 1)+2)
	box := widget.Box{W: t.view.w, H: h, Pad: 1, Title: "Failed checks", Styles: s}
	if len(failed) > h-2 {
		box.Right = fmt.Sprintf("first %d of %d", h-2, len(failed))
	}
	lines, widest := []string{s.Muted.On("none")}[:max(1-len(failed), 0)], 0
	for _, f := range failed {
		widest = max(widest, len(f.Count()))
	}
	for _, f := range failed {
		lines = append(lines, s.Danger.On(fmt.Sprintf("%*s  ", widest, f.Count()))+s.Text.On(f.Label))
	}
	return widget.BoxLines(box, lines)
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
