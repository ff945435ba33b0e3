package runs

import (
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/part"
)

// Part starts and follows the run of a suite in this screen, and opens stored runs in its View.
type Part struct {
	env      part.Env
	view     *View
	compared func() (run int64, row int) // of the comparison on the screen; run 0 for none
	live     *suite.Run                  // nil while none is in progress here
	table    suite.Table                 // of the live run
	compare  int64                       // the run to be compared with the one that is chosen next; 0 for none

	isRereading bool // the shown run is being read again
	isOutdated  bool // it changed meanwhile
}

// NewPart returns the part that shows runs in a view. compared returns the run and the row whose answers the comparison
// on the screen shows, run 0 for none.
func NewPart(env part.Env, view *View, compared func() (run int64, row int)) *Part {
	return &Part{env: env, view: view, compared: compared}
}

// IsLive tells whether a run is in progress in this screen.
func (p *Part) IsLive() bool { return p.live != nil }

// Progress counts the cells of the run that is in progress in this screen: those that have ended, and all; zeros for
// none.
func (p *Part) Progress() (ended, all int) {
	if p.live == nil {
		return 0, 0
	}
	return p.table.Run.Done, p.table.Run.Planned
}

// HasFailed tells whether a cell of that run has failed.
func (p *Part) HasFailed() bool { return p.live != nil && p.table.Run.Failed > 0 }

// LiveRun returns the run that is in progress in this screen, 0 for none.
func (p *Part) LiveRun() int64 {
	if p.live == nil {
		return 0
	}
	return p.table.Run.ID
}

// RunToCompare returns the run that the next chosen one is compared with, 0 for none.
func (p *Part) RunToCompare() int64 { return p.compare }

// EndComparing makes the next chosen run be shown by itself.
func (p *Part) EndComparing() { p.compare = 0 }

// ShownRun returns the run in the view.
func (p *Part) ShownRun() history.Run { return p.view.shown().Run }

// maxBatch is how many events of a run are applied before the screen is drawn, so that a thousand answers do not draw a
// thousand screens.
const maxBatch = 256

type (
	// startedMsg brings a run that has started.
	startedMsg struct {
		run    *suite.Run
		events <-chan suite.Event
	}
	// cellsMsg brings events of the live run; isLast when no more follow.
	cellsMsg struct {
		run    *suite.Run
		events <-chan suite.Event
		cells  []suite.Event
		isLast bool
	}
	// sharedMsg tells that a run is shared, or not any more.
	sharedMsg struct {
		run      int64
		isShared bool
	}
	// tableMsg brings the table of a stored run.
	tableMsg struct{ table suite.Table }
	// rereadMsg brings the table of the shown run as it is now; err tells that it could not be read.
	rereadMsg struct {
		table suite.Table
		err   error
	}
	// rowMsg brings the answers of a row.
	rowMsg struct {
		run  int64
		show action.ShowRow
	}
	// changesMsg brings two runs, cell by cell.
	changesMsg struct {
		a, b    history.Run
		changes []suite.Change
	}
)

// Update implements [part.Receiver].
func (p *Part) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case startedMsg:
		return p.afterStart(msg)
	case cellsMsg:
		return p.afterCells(msg)
	case tableMsg:
		return p.showTable(msg.table), nil
	case rereadMsg:
		return p.afterReread(msg)
	case sharedMsg:
		return p.afterShare(msg), nil
	case rowMsg:
		return p.afterRow(msg), nil
	case changesMsg:
		p.view.SetChanges(msg.a, msg.b, msg.changes)
		return action.ShowTable{}, nil
	}
	return nil, nil
}

// ResumeRun continues a run, with the file it was made from.
func (p *Part) ResumeRun(a action.ResumeRun) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		record, err := p.env.Service.Runner().Run(p.env.Ctx, a.Run)
		if err != nil {
			return part.Fail(err)
		}
		return part.Do(action.RunSuite{Path: record.Path, Resume: true, Run: a.Run})
	}
}

// ShowRun opens the table of a run.
func (p *Part) ShowRun(a action.ShowRun) (action.Action, tea.Cmd) {
	if p.LiveRun() == a.Run {
		return p.showTable(p.table), nil
	}
	return nil, part.Ask(p, func() (tea.Msg, error) {
		t, err := p.env.Service.Runner().Table(p.env.Ctx, a.Run)
		return tableMsg{t}, err
	})
}

func (p *Part) showTable(t suite.Table) action.Action {
	p.view.SetTable(t)
	return action.ShowTable{}
}

// Refresh reads the run in the view again, which another program may be adding to. The run that is in progress here is
// newer than the history.
func (p *Part) Refresh() tea.Cmd {
	run := p.ShownRun().ID
	p.isOutdated = p.isRereading
	if run == 0 || run == p.LiveRun() || p.view.ShowsComparison() || p.isRereading {
		return nil
	}
	p.isRereading = true
	return func() tea.Msg {
		t, err := p.env.Service.Runner().Table(p.env.Ctx, run)
		return part.Result{To: p, Msg: rereadMsg{t, err}}
	}
}

// afterReread shows the run anew. One that was deleted meanwhile stays as it is; one that another user does not share
// any more does not.
func (p *Part) afterReread(msg rereadMsg) (action.Action, tea.Cmd) {
	p.isRereading = false
	if owner := p.ShownRun().Owner; owner != "" && errors.Is(msg.err, history.ErrNotFound) {
		p.view.SetTable(suite.Table{})
		return action.Sequence{action.ShowConversation{}, action.Notify{Severity: action.Warn,
			Text: owner + " does not share this run any more."}}, nil
	}
	id := msg.table.Run.ID
	if msg.err == nil && id == p.ShownRun().ID && id != p.LiveRun() && !p.view.ShowsComparison() {
		p.view.SetTable(msg.table)
	}
	if p.isOutdated {
		return nil, p.Refresh()
	}
	return nil, nil
}

// OpenRow shows the answers of a row side by side.
func (p *Part) OpenRow(a action.OpenRow) (action.Action, tea.Cmd) {
	if a.Row < 0 || a.Row >= len(p.view.shown().Rows) {
		return action.Notify{Severity: action.Info, Text: "There is no further prompt in this run."}, nil
	}
	return nil, p.readRow(action.ShowRow{Row: a.Row, Column: a.Column, Opens: true})
}

// readRow reads the answers of a row.
func (p *Part) readRow(show action.ShowRow) tea.Cmd {
	run, row := p.ShownRun().ID, p.view.shown().Rows[show.Row]
	return part.Ask(p, func() (tea.Msg, error) {
		turns, err := p.env.Service.Runner().RowTurns(p.env.Ctx, row)
		show.Turns = turns
		return rowMsg{run, show}, err
	})
}

func (p *Part) afterRow(msg rowMsg) action.Action {
	show, shown := msg.show, p.view.shown()
	run, row := p.compared()
	switch {
	case shown.Run.ID != msg.run || show.Row >= len(shown.Rows):
		return nil
	case !show.Opens && (run != msg.run || row != show.Row):
		return nil
	case show.Opens && len(show.Turns) == 0:
		return action.Notify{Severity: action.Info, Text: "Nothing of this prompt was asked for yet."}
	case show.Opens:
		p.view.Focus(show.Row, show.Column)
	}
	show.Table = shown
	return show
}

// CompareRuns shows two runs cell by cell, or asks for the second one.
func (p *Part) CompareRuns(a action.CompareRuns) (action.Action, tea.Cmd) {
	if a.B == 0 {
		p.compare = a.A
		return action.ShowList{List: action.ListRuns}, nil
	}
	return nil, part.Ask(p, func() (tea.Msg, error) {
		var msg changesMsg
		var err error
		if msg.a, err = p.env.Service.Runner().Run(p.env.Ctx, a.A); err != nil {
			return nil, err
		}
		if msg.b, err = p.env.Service.Runner().Run(p.env.Ctx, a.B); err != nil {
			return nil, err
		}
		err = p.env.Service.Runner().Compare(p.env.Ctx, a.A, a.B, func(c suite.Change) error {
			msg.changes = append(msg.changes, c)
			return nil
		})
		return msg, err
	})
}

// ShareRun lets all users of the database read a run, or ends that.
func (p *Part) ShareRun(a action.ShareRun) (action.Action, tea.Cmd) {
	return nil, part.Ask(p, func() (tea.Msg, error) {
		return sharedMsg{a.Run, !a.Stop}, p.env.Service.ShareRun(p.env.Ctx, a.Run, !a.Stop)
	})
}

func (p *Part) afterShare(msg sharedMsg) action.Action {
	text := fmt.Sprintf("All users of this database can read run %d now.", msg.run)
	if !msg.isShared {
		text = fmt.Sprintf("Run %d is not shared any more.", msg.run)
	}
	if shown := p.view.shown(); shown.Run.ID == msg.run {
		shown.Run.IsShared = msg.isShared
		p.view.SetTable(shown)
	}
	return action.Sequence{action.Notify{Severity: action.Good, Text: text}, action.Reread{}}
}

// AdoptRun writes what another user's run asked as a suite of one's own, and asks how to run it.
func (p *Part) AdoptRun(a action.AdoptRun) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		path, err := p.env.Service.WriteRunSuite(p.env.Ctx, a.Run)
		if err != nil {
			return part.Fail(err)
		}
		return part.Do(action.OpenSuite{Path: path})
	}
}
