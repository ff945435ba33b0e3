package runs

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/suite"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// liveRun is the run that this screen makes, the zero value for none.
type liveRun struct {
	*suite.Run
	table suite.Table
	began time.Time // when it was started or resumed

	ended, failed int // cells; failed ones with a failed call or check
}

// LiveRun returns the run that this screen makes, 0 for none.
func (v *View) LiveRun() int64 { return v.live.table.Run.ID }

// Progress returns the numbers of ended cells and of all cells of the live run.
func (v *View) Progress() (ended, all int) { return v.live.ended, v.live.table.Run.Planned }

// HasProgress reports whether the table itself shows the progress of answers: of turns, or of the live run while no
// answer of a turn is running.
func (v *View) HasProgress(answers int) bool {
	shown := v.ShownRun().ID
	return !v.ShowsComparison() && (shown == 0 || answers == 0 && shown == v.LiveRun())
}

// HasFailed reports whether a cell of the live run has failed.
func (v *View) HasFailed() bool { return v.live.failed > 0 }

// maxBatch is the most events of a run between two drawings, so that many answers do not draw as many screens.
const maxBatch = 256

type (
	startedMsg struct {
		run    *suite.Run
		events <-chan suite.Event
	}
	// cellsMsg brings events of the live run.
	cellsMsg struct {
		run    *suite.Run
		events <-chan suite.Event
		cells  []suite.Event
		isLast bool
	}
)

// OpenSuite reads a suite and asks how to run it.
func (v *View) OpenSuite(a action.OpenSuite) (action.Action, tea.Cmd) {
	return nil, func() tea.Msg {
		f, err := v.env.Service.OpenSuite(v.env.Ctx, a.Path)
		if err != nil {
			return part.Fail(err)
		}
		request := suite.Request{Suite: f.Suite, Path: f.Path, SHA256: f.SHA256}
		plan, err := v.env.Service.Runner().Plan(v.env.Ctx, request)
		var unknown *suite.UnknownProvidersError
		if errors.As(err, &unknown) {
			return part.Do(action.ShowText{Title: "Models for " + path.Base(f.Path),
				Text: format.Capitalize(unknown.Summary()) + ":\n\n" + strings.Join(unknown.Lines(), "\n")})
		}
		if err != nil {
			return part.Fail(err)
		}
		s := action.AskSuite{Path: f.Path, Name: path.Base(f.Path), Description: f.Suite.Description,
			Calls: plan.NewCalls, Gradings: plan.Gradings, Publish: plan.Publish, Repeat: plan.Repeat,
			Concurrency: plan.Concurrency}
		columns := map[int]bool{}
		for _, c := range plan.Calls {
			s.Checks, s.Prompts, columns[c.Column] = max(s.Checks, len(c.Checks)), max(s.Prompts, c.Row), true
		}
		s.Models = len(columns)
		for _, n := range f.Suite.Unapplied {
			s.Notes = append(s.Notes, fmt.Sprintf("line %d: %s", n.Line, n.Text))
		}
		if last, err := v.env.Service.Runner().List(v.env.Ctx, f.Path, 1); err == nil && len(last) > 0 {
			s.LastRun, s.LastOptions, s.Missing = last[0].ID, last[0].Options, max(last[0].Planned-last[0].Done, 0)
		}
		return part.Do(s)
	}
}

// StartRun starts or resumes a run.
func (v *View) StartRun(a action.RunSuite) (action.Action, tea.Cmd) {
	isLive := func() bool { return v.LiveRun() != 0 }
	if isLive() {
		return action.Notify{Severity: action.Warn, While: isLive,
			Text: "Another run is active" + v.env.Keys.Phrase(keys.Everywhere, keys.ShowRuns, "; %s shows it") +
				"."}, nil
	}
	return nil, func() tea.Msg {
		f, err := v.env.Service.OpenSuite(v.env.Ctx, a.Path)
		if err != nil {
			return part.Fail(err)
		}
		models, err := v.env.Service.Runner().MatchModels(a.Models)
		if err != nil {
			return part.Fail(err)
		}
		request := suite.Request{Suite: f.Suite, Path: f.Path, SHA256: f.SHA256,
			Models: models, Repeat: a.Repeat, Concurrency: a.Concurrency, IsResumed: a.Resume,
			Asks: a.Asks, Run: a.Run}
		plan, err := v.env.Service.Runner().Plan(v.env.Ctx, request)
		if err != nil {
			return part.Fail(err)
		}
		if question := v.beyondConfirmed(a, plan); question != nil {
			return part.Do(question)
		}
		run, events, err := v.env.Service.Runner().Start(v.env.Ctx, plan)
		if err != nil {
			return part.Fail(err)
		}
		return part.Result{To: v, Msg: startedMsg{run, events}}
	}
}

// beyondConfirmed asks about calls and publications beyond the confirmed ones, nil for none: the file or the missing
// answers may have changed since.
func (v *View) beyondConfirmed(a action.RunSuite, plan *suite.Plan) action.Action {
	calls := plan.NewCalls + plan.Gradings
	publish := slices.DeleteFunc(slices.Clone(plan.Publish), func(text string) bool {
		return slices.Contains(a.Confirmed.Publish, text)
	})
	if calls <= a.Confirmed.Calls {
		calls = 0
	}
	a.Confirmed = action.RunCost{Calls: plan.NewCalls + plan.Gradings, Publish: plan.Publish}
	count := service.CallCount{Calls: calls}
	if question, isQuestion := action.ConfirmFirst(count, publish, a).(action.Confirm); isQuestion {
		return question
	}
	return nil
}

func (v *View) afterStart(msg startedMsg) (action.Action, tea.Cmd) {
	v.live = liveRun{Run: msg.run, table: msg.run.Plan.Table(), began: v.env.Now()}
	v.live.table.Run = msg.run.Record()
	return v.showTable(v.live.table), v.nextCells(msg.run, msg.events)
}

func (v *View) nextCells(run *suite.Run, events <-chan suite.Event) tea.Cmd {
	done := v.env.Ctx.Done()
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
				return part.Result{To: v, Msg: msg}
			}
			select {
			case e, isOpen = <-events:
			default:
				return part.Result{To: v, Msg: msg}
			}
		}
		msg.isLast = true
		return part.Result{To: v, Msg: msg}
	}
}

func (v *View) afterCells(msg cellsMsg) (action.Action, tea.Cmd) {
	if v.live.Run != msg.run {
		return nil, nil
	}
	var actions action.Sequence
	changesOpened, hasEnded := false, msg.isLast
	for _, e := range msg.cells {
		v.live.table = v.live.table.With(e.Cell)
		if e.Cell.State.HasEnded() {
			v.live.ended++
			hasEnded = true
		}
		if status := e.Cell.Status(); status == history.CellFailed || status == history.CellError {
			v.live.failed++
		}
		answer := history.Answer{State: e.Cell.State, Failure: e.Failure}
		actions = append(actions, action.NoteConnection{Answer: answer})
		changesOpened = changesOpened || v.isInOpened(e.Cell)
	}
	v.live.table.Run = msg.run.Record()
	if v.ShownRun().ID == v.LiveRun() && !v.ShowsComparison() {
		v.SetTable(v.live.table)
	}
	var cmds []tea.Cmd
	if changesOpened {
		cmds = append(cmds, v.readRow(action.ShowRow{Row: v.opened.row}))
	}
	if msg.isLast {
		actions = append(actions, v.afterEnd()...)
	}
	if hasEnded {
		actions = append(actions, action.AnswersEnded{})
	}
	if msg.isLast {
		return actions, tea.Batch(cmds...)
	}
	return actions, tea.Batch(append(cmds, v.nextCells(msg.run, msg.events))...)
}

// cellRow is a row of a table, as it is drawn.
type cellRow struct {
	table int64
	row   int
}

// isInOpened reports whether a cell of the live run is in the row that was opened side by side.
func (v *View) isInOpened(c history.Cell) bool {
	if v.opened.table != c.Run || v.ShownRun().ID != c.Run || v.opened.row >= len(v.results.Rows) {
		return false
	}
	return slices.ContainsFunc(slices.Concat(v.results.results.RowCells(v.opened.row)...),
		func(x history.Cell) bool { return x.Number == c.Number })
}

func (v *View) afterEnd() action.Sequence {
	took, record, failed, err := v.env.Now().Sub(v.live.began), v.live.table.Run, v.live.failed, v.live.Err()
	v.live = liveRun{}
	var notice action.Action = action.Notify{Severity: action.Good,
		Text: fmt.Sprintf("Run %d of %s has ended.", record.ID, termtext.Line(record.Suite))}
	if err != nil {
		notice = action.Fail{Err: err}
	}
	text := "The run of " + record.Suite + " has ended"
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	return action.Sequence{action.TurnEnded{}, notice,
		action.Alert{Text: text, Took: took, Failed: failed > 0}}
}

func (v *View) StopRun(action.StopRun) (action.Action, tea.Cmd) {
	text := "No run is active."
	if v.LiveRun() != 0 {
		v.live.Stop()
		text = "The run stops" + v.env.Keys.Phrase(keys.Everywhere, keys.ShowRuns, "; %s lists the runs") +
			v.env.Keys.Phrase(keys.Runs, keys.ResumeRun, ", and %s continues one") + "."
	}
	return action.Notify{Severity: action.Info, Text: text}, nil
}
