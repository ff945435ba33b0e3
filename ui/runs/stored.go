package runs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/part"
)

// RunToCompare returns the run that is compared with the one chosen next, 0 for none.
func (v *View) RunToCompare() int64 { return v.toCompare }

// EndComparing makes the view show the run chosen next by itself.
func (v *View) EndComparing() { v.toCompare = 0 }

type (
	sharedMsg struct {
		run      int64
		isShared bool
	}
	tableMsg struct{ table suite.Table }
	turnsMsg struct {
		turns  []history.Turn
		opened int64 // the one whose row gets the focus
	}
	rereadMsg struct {
		table suite.Table
		err   error
	}
	rowMsg struct {
		table int64
		show  action.ShowRow
	}
	changesMsg struct {
		a, b    history.Run
		changes []suite.Change
	}
)

// ResumeRun resumes a run with the file of its suite.
func (v *View) ResumeRun(a action.ResumeRun) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		record, err := v.env.Service.Runner().Run(v.env.Ctx, a.Run)
		if err != nil {
			return part.Fail(err)
		}
		return part.Do(action.RunSuite{Path: record.Path, Resume: true, Asks: a.Asks, Run: a.Run})
	}
}

// ShowRun opens the table of a run.
func (v *View) ShowRun(a action.ShowRun) (action.Action, tea.Cmd) {
	if v.LiveRun() == a.Run {
		return v.showTable(v.live.table), nil
	}
	return nil, part.Ask(v, func() (tea.Msg, error) {
		t, err := v.env.Service.Runner().Table(v.env.Ctx, a.Run)
		return tableMsg{t}, err
	})
}

// ShowTurns opens the table of a turn and the turns that were sent with it.
func (v *View) ShowTurns(a action.ShowTable) (action.Action, tea.Cmd) {
	return nil, part.Ask(v, func() (tea.Msg, error) {
		sent, err := v.env.Service.Siblings(v.env.Ctx, a.Turn)
		return turnsMsg{sent, a.Turn}, err
	})
}

// holdTurns shows the answers of turns as they are and become.
func (v *View) holdTurns(all []history.Turn) {
	v.sent = nil
	for _, t := range all {
		v.sent = append(v.sent, t.ID)
	}
	v.turns.Show(v, all)
	v.showSent()
}

// showSent shows the current state of the turns.
func (v *View) showSent() {
	var all []history.Turn
	for _, id := range v.sent {
		if t, isHeld := v.turns.Turn(id); isHeld {
			all = append(all, t)
		}
	}
	v.revision = v.turns.Revision()
	v.SetTable(suite.TurnTable(all))
}

// Work shows what has changed of the turns: their answers, and turns that were sent with them since.
func (v *View) Work() (action.Action, tea.Cmd) {
	if len(v.sent) == 0 || v.comparison != nil || v.revision == v.turns.Revision() {
		return nil, nil
	}
	window := v.turns.Window()
	if n := len(window); n > 0 && slices.Contains(window[n-1].Siblings, v.sent[0]) &&
		!slices.Contains(v.sent, window[n-1].ID) {
		var all []history.Turn
		for _, id := range window[n-1].Siblings {
			if t, isHeld := v.turns.Turn(id); isHeld {
				all = append(all, t)
			}
		}
		v.holdTurns(all)
	} else if len(v.sent) <= largeGroup || v.running() != v.results.results.Total.Running {
		v.showSent()
	}
	return nil, nil
}

// largeGroup is the number of turns beyond which texts are not shown while they grow.
const largeGroup = 100

// running returns the number of answers of the turns that have not ended.
func (v *View) running() (n int) {
	for _, id := range v.sent {
		t, _ := v.turns.Turn(id)
		for i := range t.Answers {
			if !t.Answers[i].State.HasEnded() {
				n++
			}
		}
	}
	return n
}

func (v *View) showTable(t suite.Table) action.Action {
	v.SetTable(t)
	return action.FocusTable{}
}

// reread is the state of reading the shown run again.
type reread struct {
	isRunning  bool
	isOutdated bool // the run changed meanwhile
}

// Refresh reads the shown run again, to which another program may be adding. The live run is newer than the history.
func (v *View) Refresh() tea.Cmd {
	run := v.ShownRun().ID
	v.reread.isOutdated = v.reread.isRunning
	if run == 0 || run == v.LiveRun() || v.ShowsComparison() || v.reread.isRunning {
		return nil
	}
	v.reread.isRunning = true
	return func() tea.Msg {
		t, err := v.env.Service.Runner().Table(v.env.Ctx, run)
		return part.Result{To: v, Msg: rereadMsg{t, err}}
	}
}

// afterReread shows the run again. A deleted run stays; one that another user no longer shares is closed.
func (v *View) afterReread(msg rereadMsg) (action.Action, tea.Cmd) {
	v.reread.isRunning = false
	if owner := v.ShownRun().Owner; owner != "" && errors.Is(msg.err, history.ErrNotFound) {
		v.SetTable(suite.Table{})
		return action.Sequence{action.ShowConversation{}, action.Notify{Severity: action.Warn,
			Text: owner + " no longer shares this run."}}, nil
	}
	id := msg.table.Run.ID
	if msg.err == nil && id == v.ShownRun().ID && id != v.LiveRun() && !v.ShowsComparison() {
		v.SetTable(msg.table)
	}
	if v.reread.isOutdated {
		return nil, v.Refresh()
	}
	return nil, nil
}

// Renumber replaces the ids of runs, and reads the shown one again.
func (v *View) Renumber(ids map[int64]int64) tea.Cmd {
	v.toCompare = cmp.Or(ids[v.toCompare], v.toCompare)
	id := ids[v.ShownRun().ID]
	if id == 0 {
		return nil
	}
	v.results.results.Run.Run.ID = id
	return v.Refresh()
}

// OpenRow shows the answers of a row side by side, or one of them.
func (v *View) OpenRow(a action.OpenRow) (action.Action, tea.Cmd) {
	if a.Row < 0 || a.Row >= len(v.results.Rows) {
		return action.Notify{Severity: action.Info, Text: "No further row."}, nil
	}
	return nil, v.readRow(action.ShowRow{Row: a.Row, Column: a.Column, Opens: true, IsZoom: a.IsZoom})
}

func (v *View) readRow(show action.ShowRow) tea.Cmd {
	table, row := v.shownID(), v.results.results.RowCells(show.Row)
	return part.Ask(v, func() (tea.Msg, error) {
		turns, err := v.env.Service.Runner().RowTurns(v.env.Ctx, row)
		show.Turns = turns
		return rowMsg{table, show}, err
	})
}

func (v *View) afterRow(msg rowMsg) action.Action {
	show, t, row := msg.show, v.results, cellRow{msg.table, msg.show.Row}
	switch {
	case v.shownID() != msg.table || show.Row >= len(t.Rows) || !show.Opens && row != v.opened:
		return nil
	case show.Opens && len(show.Turns) == 0:
		return action.Notify{Severity: action.Info, Text: "Nothing in this row was sent yet."}
	case show.Opens:
		v.opened = row
		v.Focus(show.Row, show.Column)
	}
	show.Run, show.Turn, show.Columns, show.Cells = t.run(), v.shown().Turn, t.Columns, t.results.RowCells(show.Row)
	show.Name = fmt.Sprintf("%s  %d/%d", cmp.Or(v.Subject().Name, t.Rows[show.Row]), show.Row+1, len(t.Rows))
	return show
}

// CompareRuns shows two runs cell by cell, or asks for the second one.
func (v *View) CompareRuns(a action.CompareRuns) (action.Action, tea.Cmd) {
	if a.B == 0 {
		v.toCompare = a.A
		return action.ShowList{List: action.ListRuns}, nil
	}
	return nil, part.Ask(v, func() (tea.Msg, error) {
		runs, changes, err := v.env.Service.Runner().Compare(v.env.Ctx, a.A, a.B)
		return changesMsg{runs[0], runs[1], changes}, err
	})
}

// ShareRun shares a run with all users of the database, or stops sharing it.
func (v *View) ShareRun(a action.ShareRun) (action.Action, tea.Cmd) {
	return nil, part.Ask(v, func() (tea.Msg, error) {
		return sharedMsg{a.Run, !a.Stop}, v.env.Service.ShareRun(v.env.Ctx, a.Run, !a.Stop)
	})
}

func (v *View) afterShare(msg sharedMsg) action.Action {
	text := fmt.Sprintf("Run %d is shared: all users of this database can read it.", msg.run)
	if !msg.isShared {
		text = fmt.Sprintf("Run %d is no longer shared.", msg.run)
	}
	if shown := v.shown(); shown.Run.ID == msg.run {
		shown.Run.IsShared = msg.isShared
		v.SetTable(shown)
	}
	return action.Sequence{action.Notify{Severity: action.Good, Text: text}, action.Reread{}}
}

// AdoptRun writes the suite of another user's run to a file of the user, and asks how to run it.
func (v *View) AdoptRun(a action.AdoptRun) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		path, err := v.env.Service.WriteRunSuite(v.env.Ctx, a.Run)
		if err != nil {
			return part.Fail(err)
		}
		return part.Do(action.OpenSuite{Path: path})
	}
}
