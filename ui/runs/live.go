package runs

import (
	"fmt"
	"path"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// OpenSuite reads a suite and asks how to run it.
func (p *Part) OpenSuite(a action.OpenSuite) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		f, err := p.env.Service.OpenSuite(p.env.Ctx, a.Path)
		if err != nil {
			return part.Fail(err)
		}
		request := suite.Request{Suite: f.Suite, Path: f.Path, SHA256: f.SHA256}
		plan, err := p.env.Service.Runner().Plan(p.env.Ctx, request)
		if err != nil {
			return part.Fail(err)
		}
		s := action.AskSuite{Path: f.Path, Name: path.Base(f.Path), Description: f.Suite.Description,
			Calls: plan.Calls, Publish: plan.Publish, Repeat: plan.Repeat, Concurrency: plan.Concurrency}
		columns := map[int]bool{}
		for _, c := range plan.Cells {
			s.Checks, s.Prompts, columns[c.Column] = max(s.Checks, len(c.Checks)), max(s.Prompts, c.Row), true
		}
		s.Models = len(columns)
		for _, n := range f.Suite.Unapplied {
			s.Notes = append(s.Notes, fmt.Sprintf("line %d: %s", n.Line, n.Text))
		}
		if last, err := p.env.Service.Runner().List(p.env.Ctx, f.Path, 1); err == nil && len(last) > 0 {
			s.LastRun, s.LastOptions, s.Missing = last[0].ID, last[0].Options, max(last[0].Planned-last[0].Done, 0)
		}
		return part.Do(s)
	}
}

// StartRun starts or resumes a run.
func (p *Part) StartRun(a action.RunSuite) (action.Action, tea.Cmd) {
	if p.live != nil {
		return action.Notify{Severity: action.Warn, While: p.IsLive,
			Text: "A run goes on already" + p.env.Keys.Phrase(keys.Everywhere, keys.ShowRuns, "; %s shows it") +
				"."}, nil
	}
	return nil, func() tea.Msg {
		f, err := p.env.Service.OpenSuite(p.env.Ctx, a.Path)
		if err != nil {
			return part.Fail(err)
		}
		models, err := p.env.Service.Runner().MatchModels(a.Models)
		if err != nil {
			return part.Fail(err)
		}
		request := suite.Request{Suite: f.Suite, Path: f.Path, SHA256: f.SHA256,
			Models: models, Repeat: a.Repeat, Concurrency: a.Concurrency, IsResumed: a.Resume, Run: a.Run}
		plan, err := p.env.Service.Runner().Plan(p.env.Ctx, request)
		if err != nil {
			return part.Fail(err)
		}
		if question := p.beyondConfirmed(a, plan); question != nil {
			return part.Do(question)
		}
		run, events, err := p.env.Service.Runner().Start(p.env.Ctx, request)
		if err != nil {
			return part.Fail(err)
		}
		return part.Result{To: p, Msg: startedMsg{run, events}}
	}
}

// beyondConfirmed returns the question about calls and publications beyond those that were confirmed; nil for none. The
// file, or what the run misses, may have changed since.
func (p *Part) beyondConfirmed(a action.RunSuite, plan *suite.Plan) action.Action {
	calls, publish := plan.Calls, slices.DeleteFunc(slices.Clone(plan.Publish), func(text string) bool {
		return slices.Contains(a.Confirmed.Publish, text)
	})
	if calls <= a.Confirmed.Calls {
		calls = 0
	}
	a.Confirmed = action.RunCost{Calls: plan.Calls, Publish: plan.Publish}
	if question, isQuestion := action.ConfirmFirst(calls, publish, a).(action.Confirm); isQuestion {
		return question
	}
	return nil
}

func (p *Part) afterStart(msg startedMsg) (action.Action, tea.Cmd) {
	p.live, p.table = msg.run, msg.run.Plan.Table()
	p.table.Run = msg.run.Record()
	p.view.SetLive(p.table.Run.ID, p.env.Now())
	return p.showTable(p.table), p.nextCells(msg.run, msg.events)
}

// nextCells waits for events of the live run.
func (p *Part) nextCells(run *suite.Run, events <-chan suite.Event) tea.Cmd {
	done := p.env.Ctx.Done()
	return func() tea.Msg {
		msg := cellsMsg{run: run, events: events}
		var e suite.Event
		var isOpen bool
		select {
		case e, isOpen = <-events:
		case <-done:
			return nil
		}
		for isOpen {
			if msg.cells = append(msg.cells, e); len(msg.cells) == maxBatch {
				return part.Result{To: p, Msg: msg}
			}
			select {
			case e, isOpen = <-events:
			default:
				return part.Result{To: p, Msg: msg}
			}
		}
		msg.isLast = true
		return part.Result{To: p, Msg: msg}
	}
}

func (p *Part) afterCells(msg cellsMsg) (action.Action, tea.Cmd) {
	if p.live != msg.run {
		return nil, nil
	}
	var actions action.Sequence
	comparesCell := false
	for _, e := range msg.cells {
		p.table = p.table.With(e.Cell)
		answer := history.Answer{State: e.Cell.State, Failure: e.Failure}
		actions = append(actions, action.NoteConnection{Answer: answer})
		comparesCell = comparesCell || p.comparesCell(e.Cell)
	}
	p.table.Run = msg.run.Record()
	if p.ShownRun().ID == p.table.Run.ID && !p.view.ShowsComparison() {
		p.view.SetTable(p.table)
	}
	var cmds []tea.Cmd
	if comparesCell {
		_, row := p.compared()
		cmds = append(cmds, p.readRow(action.ShowRow{Row: row}))
	}
	if msg.isLast {
		return append(actions, p.afterEnd(msg.run)...), tea.Batch(cmds...)
	}
	return actions, tea.Batch(append(cmds, p.nextCells(msg.run, msg.events))...)
}

// comparesCell tells whether a cell of the live run is in the row that is compared.
func (p *Part) comparesCell(c history.Cell) bool {
	run, row := p.compared()
	if run != c.Run || row >= len(p.table.Rows) {
		return false
	}
	return slices.ContainsFunc(p.table.Rows[row].Cells, func(cells []history.Cell) bool {
		return slices.ContainsFunc(cells, func(x history.Cell) bool { return x.Number == c.Number })
	})
}

func (p *Part) afterEnd(run *suite.Run) action.Sequence {
	took, record := p.env.Now().Sub(p.view.began), run.Record()
	p.live = nil
	p.view.SetLive(0, time.Time{})
	var notice action.Action = action.Notify{Severity: action.Good,
		Text: fmt.Sprintf("Run %d of %s has ended.", record.ID, termtext.Line(record.Suite))}
	if err := run.Err(); err != nil {
		notice = action.Fail{Err: err}
	}
	text, failed := "The run of "+record.Suite+" has ended", p.table.Run.Failed
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	return action.Sequence{action.TurnEnded{}, notice,
		action.Alert{Text: text, Took: took, Failed: failed > 0}}
}

func (p *Part) StopRun(action.StopRun) (action.Action, tea.Cmd) {
	text := "No run goes on."
	if p.live != nil {
		p.live.Stop()
		text = "The run stops" + p.env.Keys.Phrase(keys.Everywhere, keys.ShowRuns, "; %s lists the runs") +
			p.env.Keys.Phrase(keys.Runs, keys.ResumeRun, ", and %s continues one") + "."
	}
	return action.Notify{Severity: action.Info, Text: text}, nil
}
