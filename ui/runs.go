package ui

import (
	"fmt"
	"path"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/suiterun"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
)

// suiteRunState is the run of a suite that goes on in this screen, and the run whose table is shown.
type suiteRunState struct {
	root  *Model
	live  *suiterun.Run // nil while none goes on here
	began time.Time
	own   suiterun.Table // of the live run
	shown suiterun.Table // in the table; the live one where it is shown
	row   int            // that is compared; -1 for a turn of the conversation
	other int64          // run to be compared with the one that is chosen next
}

// id returns the run that goes on, 0 for none.
func (r *suiteRunState) id() int64 {
	if r.live == nil {
		return 0
	}
	return r.own.Run.ID
}

// takenAtOnce is how many events of a run are taken in one go, so that a
// thousand answers do not draw a thousand screens.
const takenAtOnce = 256

type (
	// suiteMsg brings what running a suite would do.
	suiteMsg struct {
		subject dialog.SuiteSubject
		err     error
	}
	// runMsg tells that a run has begun.
	runMsg struct {
		run    *suiterun.Run
		events <-chan suiterun.Event
		err    error
	}
	// cellsMsg brings what became of cells of the live run; over when no more
	// come.
	cellsMsg struct {
		run    *suiterun.Run
		events <-chan suiterun.Event
		cells  []suiterun.Event
		over   bool
	}
)

// openSuite reads a suite and what running it would do, in a command.
func (r *suiteRunState) openSuite(file string) tea.Cmd {
	ctx, svc := r.root.ctx, r.root.o.Service
	return func() tea.Msg {
		f, err := svc.OpenSuite(ctx, file)
		if err != nil {
			return suiteMsg{err: err}
		}
		plan, err := svc.Runner().Plan(ctx, suiterun.Request{Suite: f.Suite, Path: f.Path, SHA256: f.SHA256})
		if err != nil {
			return suiteMsg{err: err}
		}
		s := dialog.SuiteSubject{Path: f.Path, Name: path.Base(f.Path), Description: f.Suite.Description,
			Prompts: len(f.Suite.Prompts), Tests: len(f.Suite.Tests), Providers: len(f.Suite.Providers),
			Calls: plan.Calls, Publish: plan.Publish, Repeat: plan.Repeat, Concurrency: plan.Concurrency}
		for _, c := range plan.Cells {
			s.Checks = max(s.Checks, len(c.Checks))
		}
		for _, n := range f.Suite.Notes {
			s.Notes = append(s.Notes, fmt.Sprintf("line %d: %s", n.Line, n.Text))
		}
		if last, err := svc.Runner().List(ctx, f.Path, 1); err == nil && len(last) > 0 {
			s.LastRun, s.LastHow, s.Missing = last[0].ID, last[0].How, max(last[0].Planned-last[0].Done, 0)
		}
		return suiteMsg{subject: s}
	}
}

// runSuite starts a run, or goes on with one.
func (r *suiteRunState) runSuite(a action.RunSuite) tea.Cmd {
	if r.live != nil {
		return r.root.notifyWhile(func() bool { return r.live != nil }, action.Warn,
			"A run goes on already"+r.root.keys.Phrase(keys.Everywhere, keys.ShowRuns, "; %s shows it")+".")
	}
	models, err := r.slugs(a.Models)
	if err != "" {
		return r.root.notify(action.Warn, err)
	}
	ctx, svc := r.root.ctx, r.root.o.Service
	return func() tea.Msg {
		f, err := svc.OpenSuite(ctx, a.Path)
		if err != nil {
			return runMsg{err: err}
		}
		o := suiterun.Request{Suite: f.Suite, Path: f.Path, SHA256: f.SHA256,
			Models: models, Repeat: a.Repeat, Concurrency: a.Concurrency, Resume: a.Resume, Run: a.Run}
		plan, err := svc.Runner().Plan(ctx, o)
		if err != nil {
			return runMsg{err: err}
		}
		if ask := beyondConfirmed(a, plan); ask != nil {
			return showMsg{ask}
		}
		run, events, err := svc.Runner().Start(ctx, o)
		return runMsg{run: run, events: events, err: err}
	}
}

// beyondConfirmed returns the question about what a run makes and publishes beyond what a person agreed to; nil for
// nothing. The file, or what the run misses, may have become another one since.
func beyondConfirmed(a action.RunSuite, plan *suiterun.Plan) action.Action {
	calls, publish := plan.Calls, slices.DeleteFunc(slices.Clone(plan.Publish), func(p string) bool {
		return slices.Contains(a.Confirmed.Publish, p)
	})
	if calls <= a.Confirmed.Calls {
		calls = 0
	}
	a.Confirmed = action.RunCost{Calls: plan.Calls, Publish: plan.Publish}
	ask, isQuestion := action.ConfirmFirst(calls, publish, a).(action.Confirm)
	if !isQuestion {
		return nil
	}
	return ask
}

// slugs returns the models that patterns such as alpha* or all-text stand for;
// problem says which of them stands for none.
func (r *suiteRunState) slugs(patterns []string) (found []string, problem string) {
	for _, p := range patterns {
		hit := false
		for _, kind := range []history.Kind{history.KindText, history.KindImage, history.KindEdit} {
			for _, slug := range r.root.models.Of(kind) {
				if ok, err := path.Match(p, slug); err == nil && ok || p == "all-"+string(kind) {
					found, hit = append(found, slug), true
				}
			}
		}
		if !hit {
			return nil, "There is no model " + termtext.Line(p) + "."
		}
	}
	return found, ""
}

func (r *suiteRunState) afterRunBegan(msg runMsg) tea.Cmd {
	if msg.err != nil {
		return r.root.fail(msg.err)
	}
	s := r
	s.live, s.began, s.own = msg.run, r.root.o.Now(), msg.run.Plan.Table()
	s.own.Run = msg.run.Record()
	r.root.table.SetLive(s.own.Run.ID, s.began)
	return tea.Batch(r.showTable(s.own), r.nextCells(msg.run, msg.events))
}

// nextCells waits for what becomes of cells.
func (r *suiteRunState) nextCells(run *suiterun.Run, events <-chan suiterun.Event) tea.Cmd {
	done := r.root.ctx.Done()
	return func() tea.Msg {
		msg := cellsMsg{run: run, events: events}
		select {
		case e, ok := <-events:
			if msg.over = !ok; ok {
				msg.cells = append(msg.cells, e)
			}
		case <-done:
			return nil
		}
		for !msg.over && len(msg.cells) < takenAtOnce {
			select {
			case e, ok := <-events:
				if msg.over = !ok; ok {
					msg.cells = append(msg.cells, e)
				}
			default:
				return msg
			}
		}
		return msg
	}
}

func (r *suiteRunState) afterCells(msg cellsMsg) tea.Cmd {
	s := r
	if s.live != msg.run {
		return nil
	}
	reread := false
	for _, e := range msg.cells {
		s.own = s.own.With(e.Cell)
		r.root.noteConnection(history.Answer{State: e.Cell.State, Failure: e.Failure})
		reread = reread || r.compares(e.Cell)
	}
	s.own.Run = msg.run.Record()
	cmds := []tea.Cmd{r.nextCells(msg.run, msg.events)}
	if msg.over {
		cmds[0] = r.afterRunOver(msg.run)
	}
	if s.shown.Run.ID == s.own.Run.ID && !r.root.table.ShowsComparison() {
		s.shown = s.own
		r.root.table.SetTable(s.own)
	}
	if reread {
		cmds = append(cmds, r.readRow(s.row, false, 0))
	}
	return tea.Batch(cmds...)
}

// compares tells whether a cell of the live run is in the row that is compared.
func (r *suiteRunState) compares(c history.Cell) bool {
	s := r
	if r.root.mode != comparison || s.row < 0 || s.row >= len(s.own.Rows) || s.shown.Run.ID != c.Run {
		return false
	}
	row := s.own.Rows[s.row]
	for _, column := range row.Cells {
		for _, have := range column {
			if have.Number == c.Number {
				return true
			}
		}
	}
	return false
}

func (r *suiteRunState) afterRunOver(run *suiterun.Run) tea.Cmd {
	took := r.root.o.Now().Sub(r.began)
	r.live = nil
	r.root.table.SetLive(0, time.Time{})
	cmds := []tea.Cmd{r.root.readModels(), r.root.readSession()}
	facts := run.Record()
	switch err := run.Err(); {
	case err != nil:
		cmds = append(cmds, r.root.fail(err))
	default:
		cmds = append(cmds,
			r.root.notify(action.Good, fmt.Sprintf("Run %d of %s has ended.", facts.ID, termtext.Line(facts.Suite))))
	}
	alert := action.Alert{Text: "The run of " + facts.Suite + " has ended", Took: took}
	return tea.Batch(append(cmds, r.root.handleAction(alert))...)
}

func (r *suiteRunState) stopRun() tea.Cmd {
	if r.live == nil {
		return r.root.notify(action.Info, "No run goes on.")
	}
	r.live.Stop()
	return r.root.notify(action.Info,
		"The run stops"+r.root.keys.Phrase(keys.Everywhere, keys.ShowRuns,
			"; %s lists the runs")+r.root.keys.Phrase(keys.Runs, keys.ResumeRun, ", and %s continues one")+".")
}

// resumeRun goes on with a run, of the file it was made from.
func (r *suiteRunState) resumeRun(id int64) tea.Cmd {
	ctx, svc := r.root.ctx, r.root.o.Service
	return func() tea.Msg {
		facts, err := svc.Runner().Run(ctx, id)
		if err != nil {
			return doneMsg{err: err}
		}
		return showMsg{action.RunSuite{Path: facts.Path, Resume: true, Run: id}}
	}
}
