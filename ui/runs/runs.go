// Package runs shows a run of a suite as a table: a row for each prompt with its values, a column for each model, and
// below the facts of the focused cell. The comparison of two runs is a table of the same shape.
//
// Package suite computes the texts of both tables; a [runTable] adds focus and window, and [arrange] the positions.
package runs

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/turns"
)

// View is the pane with the table of a run, or of two. It reads runs, and starts and follows one.
type View struct {
	part.Commands
	env     part.Env
	turns   *turns.Turns
	styles  *themes.Styles
	w, h    int
	focused bool

	results    *runResults    // of no run before one is shown
	comparison *runComparison // shown instead of results; nil for none
	totals     *axisTotals    // the same
	pinned     pin
	layout     tableLayout

	live      liveRun
	toCompare int64   // run to be compared with the one chosen next; 0 for none
	opened    cellRow // opened side by side last
	reread    reread
	sent      []int64 // the turns whose answers are shown; nil for a run
	revision  int     // of the turns that are shown
}

// New returns an empty view.
func New(env part.Env, screenTurns *turns.Turns) *View {
	v := &View{env: env, turns: screenTurns, styles: env.Styles(), results: newRunResults(suite.Table{}, nil)}
	v.Commands = commands.For(v, env.Keys)
	return v
}

// tableContent is the results of a run, or the comparison of two.
type tableContent interface {
	table() *runTable
	// header returns the state as a styled line, and facts that follow where there is space.
	header(v *View) (state string, facts []string)
	// facts names the focused column, and describes the focused cell and its row.
	facts(s suite.CellState) (column, cell, row string)
	// legend explains the signs of the cells that no other screen has.
	legend() []suite.TextPart
	// copyTitle returns the title of a copied table, and its name in the notice.
	copyTitle() (title, what string)
}

func (v *View) content() tableContent {
	switch {
	case v.comparison != nil:
		return v.comparison
	case v.totals != nil:
		return v.totals
	}
	return v.results
}

func (v *View) isOpen() bool { return v.comparison != nil || v.shownID() != 0 }

// isRun reports whether a run is shown, or was before the comparison of two.
func (v *View) isRun() bool { return v.ShownRun().ID != 0 }

// SetTable shows a run, or turns. The same ones keep focus, window and filter.
func (v *View) SetTable(t suite.Table) {
	v.comparison = nil
	if t.Turn == 0 {
		v.sent = nil
	}
	before := v.shownID()
	v.results = newRunResults(t, v.results)
	switch {
	case v.shownID() != before:
		v.totals, v.pinned = nil, pin{}
	case v.totals != nil:
		v.totals = newAxisTotals(v, v.results, v.totals.votes, v.totals.position)
	}
	v.relayout()
}

// SetChanges shows the changes of [suite.Runner.Compare] from run a to run b instead of the table, to which [View.Back]
// returns.
func (v *View) SetChanges(a, b history.Run, all []suite.Change) {
	v.comparison = newRunComparison(a, b, all)
	v.relayout()
}

// shownID identifies the shown run, or the turns by a negative number.
func (v *View) shownID() int64 { return v.ShownRun().ID - v.shown().Turn }

// ShownRun returns the shown run, the zero value for none.
func (v *View) ShownRun() history.Run { return v.shown().Run }

func (v *View) shown() suite.Table { return v.results.results.Run }

// Subject describes the shown run, or two; the name is empty for turns of a session.
func (v *View) Subject() (s history.Session) {
	if c := v.comparison; c != nil {
		s.Name = c.title()
	} else if run := v.ShownRun(); run.ID != 0 {
		s.Name, s.IsShared, s.Owner = fmt.Sprintf("%s · run %d", run.Suite, run.ID), run.IsShared, run.Owner
	}
	return s
}

// Header describes what is shown for the line at the top: the subject, or else the open session without the numbers of
// its turns and answers, of which the table has those of other branches too.
func (v *View) Header(s history.Session) history.Session {
	if subject := v.Subject(); subject.Name != "" {
		return subject
	}
	s.Turns, s.Answers = 0, 0
	return s
}

// ShowsComparison reports whether two runs are shown.
func (v *View) ShowsComparison() bool { return v.comparison != nil }

// State implements [part.Pane].
func (v *View) State() action.LayerState {
	t := v.content().table()
	return action.LayerState{Lookups: keys.LookupsIn(v.Scope()), HintAt: v.hintAt,
		Target: fmt.Sprint(v.comparison != nil, t.row(), t.column)}
}

// Focus focuses a cell of the table, or one of its column if the row is not listed.
func (v *View) Focus(row, column int) {
	i, isListed := slices.BinarySearch(v.results.listed, row)
	if !isListed {
		i = v.results.focusIndex()
	}
	v.results.focus(i, column)
	v.relayout()
}

// focusTurn focuses the row of a turn.
func (v *View) focusTurn(turn int64) {
	isOfTurn := func(c history.Cell) bool { return c.Turn == turn }
	for row := range v.results.Rows {
		for column, cells := range v.results.results.RowCells(row) {
			if slices.ContainsFunc(cells, isOfTurn) {
				v.Focus(row, column)
				return
			}
		}
	}
}

// Back closes the comparison of two runs, or the totals, and reports whether the view still shows a table.
func (v *View) Back() bool {
	switch {
	case v.comparison != nil && v.isRun():
		v.comparison = nil
	case v.comparison == nil && v.totals != nil:
		v.totals = nil
	default:
		return false
	}
	v.relayout()
	return true
}

// Leave leaves the table. The conversation then shows the branch of the focused row, unless prompts wait to follow
// another one.
func (v *View) Leave() action.Action {
	answer, _ := v.results.focused()
	isShown := slices.ContainsFunc(v.turns.Window(), func(t history.Turn) bool { return t.ID == answer.Turn })
	if !slices.Contains(v.sent, answer.Turn) || isShown || len(v.turns.Waiting()) > 0 {
		return action.LeaveComparison{}
	}
	return action.Sequence{action.LeaveComparison{}, action.ShowBranch{Turn: answer.Turn}}
}

// SetSize implements [part.Pane].
func (v *View) SetSize(w, h int) { v.w, v.h = w, h; v.relayout() }

// SetStyles implements [part.Pane].
func (v *View) SetStyles(s *themes.Styles) { v.styles = s }

// SetFocused implements [part.Pane].
func (v *View) SetFocused(focused bool) tea.Cmd { v.focused = focused; return nil }

// Cursor implements [part.Pane].
func (v *View) Cursor() *tea.Cursor { return nil }

func (v *View) relayout() {
	t := v.content().table()
	v.layout = arrange(v.layoutInput(t))
	v.layout.fields, v.layout.fieldGap = t.fieldWidths(v.layout.nameWidth)
	t.moveWindow(v.layout)
}

func (v *View) layoutInput(t *runTable) layoutInput {
	groups := 0
	for row := range t.Rows {
		if t.startsGroup(row) {
			groups++
		}
	}
	return layoutInput{w: v.w, h: v.h, rows: len(t.Rows), groups: groups, columns: len(t.Columns),
		totals: len(t.Totals), heads: t.headLines(), widestName: t.widestName(), wholeName: t.LeastRow,
		goodCell: t.GoodCell, fullCell: t.FullCell, maxCell: t.MaxCell, isPlain: t.IsPlain,
		hasBars: v.totals != nil && v.comparison == nil,
		need:    func(column, w, totals int) int { return t.columnWidth(column, w, totals, v.state()) }}
}

// narrowWidth is the width of the view below which checks are counted, not named.
const narrowWidth = 100

func (v *View) state() suite.CellState {
	return suite.CellState{Now: v.env.Now(), IsLive: v.isLive(), IsNarrow: v.w < narrowWidth, HasWords: true}
}

// isLive reports whether the run of the table is in progress, here or, if a cell is running, in another program.
func (v *View) isLive() bool { return v.isLiveHere() || v.results.results.Total.Running > 0 }

// isLiveHere reports whether this screen makes the run of the table.
func (v *View) isLiveHere() bool { return v.LiveRun() != 0 && v.LiveRun() == v.results.run().ID }

// NeededLines returns the height of the view that shows all rows of the table, 0 where no answer stands below.
func (v *View) NeededLines() int {
	if !v.isOpen() || v.totals != nil { // totals have no answer to show below
		return 0
	}
	t := v.content().table()
	l := tableLayout{hasBox: true, heads: t.headLines(), rows: max(len(t.Rows), 1), totals: len(t.Totals), status: 2}
	return max(headLines+l.border()+l.heads+l.rows+min(l.totals, 1)+l.totals+l.status, wholeHeadFrom)
}

// SideLines returns the height that the pane below the view wants: of two runs, eight lines of a difference.
func (v *View) SideLines() int {
	if v.comparison == nil {
		return 0
	}
	return 11
}

// FocusedAnswers returns the action that shows the answers of the focused cell of two runs, or the newest ones of the
// focused row of one run. A missing answer is the zero value.
func (v *View) FocusedAnswers() action.ShowDifference {
	if v.comparison != nil {
		_, difference := v.comparison.focused()
		return difference
	}
	if v.totals != nil {
		return action.ShowDifference{}
	}
	answer, name := v.results.focused()
	if v.layout.status > 1 && answer.ID != 0 { // the lines of the cell describe its row
		name = v.results.Columns[v.results.column]
	}
	return action.ShowDifference{B: answer, NameB: name, Row: v.results.rowAnswers()}
}
