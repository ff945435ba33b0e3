package runs

import (
	"confab/service/suite"
	"confab/ui/action"
)

// axisTotals is the table of the figures of every prompt, value, parameter and model.
type axisTotals struct {
	runTable
	totals *suite.AxisTotals
	of     *runResults
}

// newAxisTotals returns the totals of a table at a position.
func newAxisTotals(of *runResults, at position) *axisTotals {
	t := &axisTotals{totals: of.results.AxisTotals(), of: of}
	t.TableText, t.position = t.totals.TableText, at
	t.words = tableWords{attention: "with a failure", none: "No cell has failed.",
		noRows: "All answers are to one prompt, by one model.", filtered: "Nothing has failed."}
	t.relist()
	return t
}

func (t *axisTotals) header(v *View) (name, short, state string) { return t.of.header(v) }

func (t *axisTotals) facts(suite.CellState) (cell, row string) {
	if t.row() < 0 {
		return t.emptyText(), ""
	}
	return t.totals.Facts(t.row()), ""
}

func (t *axisTotals) copyTitle() (title, what string) {
	title, _ = t.of.copyTitle()
	return title, "the totals"
}

// toggleTotals shows the totals by axis in place of the table, or the table again.
func (v *View) toggleTotals() action.Action {
	if v.totals != nil {
		v.totals = nil
	} else {
		v.totals = newAxisTotals(v.results, position{})
	}
	v.relayout()
	return nil
}
