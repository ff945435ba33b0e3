// Package runs shows a run of a suite as a table that fills the screen's body: a row for each prompt with its values, a
// column for each model, and below the table the facts of the focused cell. Two runs are compared in the same shape,
// cell by cell.
//
// Package suite says what the cells of both tables hold; a [runTable] adds focus and window. Names and totals are
// computed when a table is set, cells when they are drawn.
// Positions come from one pure function, [arrange].
package runs

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/part"
)

// View is the table of a run, or of two. It reads runs, and starts and follows one.
type View struct {
	part.Commands
	env     part.Env
	styles  *themes.Styles
	w, h    int
	focused bool

	results    *runResults    // of no run before one is shown
	comparison *runComparison // shown instead of results; nil for none
	layout     tableLayout

	live      liveRun // in progress in this screen
	toCompare int64   // the run to be compared with the one that is chosen next; 0 for none
	opened    cellRow // whose answers were opened side by side last
	reread    reread
}

var _ interface {
	part.Pane
	part.Selector
	part.Positioned
	part.HintShower
} = (*View)(nil)

// New returns an empty view.
func New(env part.Env) *View {
	v := &View{env: env, styles: env.Styles(), results: newRunResults(suite.Table{}, nil)}
	v.Commands = commands.For(v, env.Keys)
	return v
}

// tableContent is what a table shows: the results of a run, or the comparison of two.
type tableContent interface {
	table() *runTable
	// header returns the name of what is shown, its state in few words, and its whole state as a styled line.
	header(v *View) (name, short, state string)
	// facts describes the focused cell and its row.
	facts(s suite.CellState) (cell, row string)
	// copyTitle returns the title of a copied table, and the words for the notice about it.
	copyTitle() (title, what string)
}

// content returns what is shown.
func (v *View) content() tableContent {
	if v.comparison != nil {
		return v.comparison
	}
	return v.results
}

// isOpen tells whether a run is shown, or two.
func (v *View) isOpen() bool { return v.comparison != nil || v.ShownRun().ID != 0 }

// SetTable shows a run. Focus, window and filter are kept while it is the same run.
func (v *View) SetTable(t suite.Table) {
	v.comparison = nil
	v.results = newRunResults(t, v.results)
	v.relayout()
}

// SetChanges shows what changed from run a to run b instead of the table, to which [View.Back] returns. The changes are
// those of [suite.Runner.Compare], in their order.
func (v *View) SetChanges(a, b history.Run, all []suite.Change) {
	v.comparison = newRunComparison(a, b, all)
	v.relayout()
}

// ShownRun returns the run that is shown, the zero value for none.
func (v *View) ShownRun() history.Run { return v.shown().Run }

// shown returns the table of the run that is shown; empty for none.
func (v *View) shown() suite.Table { return v.results.results.Run }

// Name names what is shown: a run, or two; "" for nothing.
func (v *View) Name() string {
	switch {
	case v.comparison != nil:
		return fmt.Sprintf("%s  run %d → run %d", v.comparison.b.Suite, v.comparison.a.ID, v.comparison.b.ID)
	case v.isOpen():
		return fmt.Sprintf("%s  run %d", v.results.run().Suite, v.results.run().ID)
	}
	return ""
}

// ShowsComparison tells whether two runs are shown.
func (v *View) ShowsComparison() bool { return v.comparison != nil }

// Target identifies the focused cell.
func (v *View) Target() string {
	t := v.content().table()
	return fmt.Sprint(v.comparison != nil, t.row(), t.column)
}

// Focus moves the focus to a cell of the run's table, as far as it is listed.
func (v *View) Focus(row, column int) {
	i, isListed := slices.BinarySearch(v.results.listed, row)
	if !isListed {
		i = v.results.focusIndex()
	}
	v.results.focus(i, column)
	v.relayout()
}

// Back closes the comparison of two runs; it tells whether the view still shows something.
func (v *View) Back() bool {
	if v.comparison == nil || v.ShownRun().ID == 0 {
		return false
	}
	v.comparison = nil
	v.relayout()
	return true
}

// SetSize implements [part.Pane].
func (v *View) SetSize(w, h int) { v.w, v.h = w, h; v.relayout() }

// SetStyles implements [part.Pane].
func (v *View) SetStyles(s *themes.Styles) { v.styles = s }

// SetFocused implements [part.Pane].
func (v *View) SetFocused(focused bool) tea.Cmd { v.focused = focused; return nil }

// Cursor implements [part.Pane].
func (v *View) Cursor() *tea.Cursor { return nil }

// relayout arranges the view anew and keeps the focus in the window.
func (v *View) relayout() {
	t := v.content().table()
	v.layout = arrange(v.layoutInput(t))
	t.moveWindow(v.layout)
}

func (v *View) layoutInput(t *runTable) layoutInput {
	widestHead := 0
	for _, name := range t.Columns {
		widestHead = max(widestHead, t.columnNumberWidth()+ansi.StringWidth(name))
	}
	widestName, leastName := t.nameWidths()
	return layoutInput{w: v.w, h: v.h, rows: len(t.Rows), columns: len(t.Columns), totals: len(t.Totals),
		widestName: widestName, leastName: leastName, widestHead: widestHead, goodCell: t.GoodCell,
		fullCell: t.FullCell}
}

// state returns what the text of a cell depends on now.
func (v *View) state() suite.CellState { return suite.CellState{Now: v.env.Now(), IsLive: v.isLive()} }

// isLive tells whether the run of the table is in progress, here or, as a running cell tells, in another program.
func (v *View) isLive() bool {
	return v.isLiveHere() || v.results.results.Total.Running > 0
}

// isLiveHere tells whether the run of the table is in progress in this screen.
func (v *View) isLiveHere() bool { return v.LiveRun() != 0 && v.LiveRun() == v.results.run().ID }
