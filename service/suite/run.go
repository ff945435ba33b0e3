package suite

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"confab/history"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/problem"
)

// Run is a running or ended run of a suite. It is safe for concurrent use.
type Run struct {
	Plan *Plan

	o          RunnerOptions
	store      history.Store
	ctx        context.Context
	cancel     context.CancelCauseFunc
	events     chan Event
	cells      []cellState   // by index in the plan; only the loop uses them
	dependents map[int][]int // the cells whose checks read a cell
	slots      chan struct{} // one per call in progress, or delayed after its end
	endings    chan ending   // of calls
	done       chan struct{} // closed when the loop ends
	first      *history.Turn // of a new run: the turn recorded with the run and its first cell

	mu     sync.Mutex
	record history.Run
	err    error
}

// cellState is the loop's state of a cell. Event is the last reported event, or the next one.
type cellState struct {
	Event
	isAsked    bool // its call or grading is in progress, or has ended
	hasEnded   bool // it has an answer or an error
	isReported bool // its end was reported
	grades     []history.Grade
}

// ending is the end of a cell's call.
type ending struct {
	index  int
	answer history.Answer
	grades []history.Grade
}

// Event reports that the call of a cell started, with the state running, or once how it ended, after its checks were
// judged.
type Event struct {
	Index      int // in the plan's cells
	Cell       history.Cell
	IsEarlier  bool // the continued run had the answer
	IsRejudged bool // the checks changed; the earlier ones are the last of EarlierChecks
	Failure    *history.Failure
	// IsSimulated is set for invented answers of the offline engine, and ServiceNote describes how an answer differs
	// from the request. Neither is known for earlier answers.
	IsSimulated bool
	ServiceNote string
}

// Start makes the run of a plan, once. It records each cell as a turn with one model in the session of the suite's runs
// before sending it. The channel buffers all events and closes at the end; then [Run.Err] returns why the run is
// incomplete.
//
// When ctx ends, the calls in progress are cancelled. Cells not requested by then are missing; a continued run
// requests them, and no answered ones.
func (r *Runner) Start(ctx context.Context, p *Plan) (*Run, <-chan Event, error) {
	store, err := r.o.Service.Store(ctx)
	if err != nil {
		return nil, nil, err
	}
	run := &Run{Plan: p, o: r.o, store: store, cells: make([]cellState, len(p.Calls)), dependents: map[int][]int{},
		events: make(chan Event, 2*len(p.Calls)), slots: make(chan struct{}, p.Concurrency),
		endings: make(chan ending, p.Concurrency), done: make(chan struct{})}
	run.ctx, run.cancel = context.WithCancelCause(ctx)
	end, err := r.o.Service.Begin(p.NewCalls+p.Gradings, run.cancel)
	if err != nil {
		run.cancel(nil)
		return nil, nil, err
	}
	if err := run.recordStart(ctx); err != nil {
		run.cancel(nil)
		end()
		return nil, nil, problem.Store(err)
	}
	safego.Go(r.o.Log, "run", func() {
		defer end()
		defer close(run.events)
		defer close(run.done)
		defer run.cancel(nil)
		defer safego.Recover(r.o.Log, "run", func(err error) {
			run.fail(problem.New(api.CodeService, err,
				"an unexpected fault inside confab ended the run; continue it with --resume"))
		})
		run.loop()
	}, nil)
	return run, run.events, nil
}

// recordStart records the run. It records a new one with its first cell and, if the suite has none, its session in
// one transaction: a full disk leaves no empty run or session.
func (r *Run) recordStart(ctx context.Context) error {
	r.record = r.Plan.record()
	if r.Plan.Continues != 0 {
		if err := r.store.PutRun(ctx, r.record); err != nil {
			return err
		}
		r.planCells()
		return r.moveEarlier(ctx)
	}
	last, err := r.store.LastRun(ctx, r.record.Path)
	if err != nil && !errors.Is(err, history.ErrNotFound) {
		return err
	}
	if err == nil && r.record.Path != "" {
		r.record.Session = last.Session
	}
	turn, recorded, err := r.prepare(ctx, 0)
	if err != nil {
		return err
	}
	run, cell, turn, err := r.store.StartRun(ctx, r.record, r.Plan.Cell(0), turn)
	recorded(turn.ID)
	if err != nil {
		return err
	}
	r.record, r.Plan.run, r.first = run, run, &turn
	r.planCells()
	r.cells[0].Cell = cell
	return nil
}

// record returns the run to store with the key masked.
func (p *Plan) record() history.Run {
	mask := p.runner.o.Mask
	run := p.run
	if run.ID == 0 {
		run.Suite, run.Path = mask.String(p.request.suiteName()), mask.String(p.request.Path)
	}
	run.SHA256, run.Planned, run.Ended = p.request.SHA256, len(p.Calls), time.Time{}
	run.Options = history.RunOptions{Models: p.request.Models, Repeat: p.request.Repeat,
		Concurrency: p.request.Concurrency, Timeout: p.request.Timeout, EffectiveConcurrency: p.Concurrency}
	if p.request.Note != "" {
		run.Note = mask.String(p.request.Note)
	}
	return run
}

// suiteName returns the name of the suite, which is that of its session too.
func (q Request) suiteName() string {
	if q.Path == "" {
		return cmp.Or(oneLine(q.Suite.Description), "suite")
	}
	return cmp.Or(strings.TrimSuffix(filepath.Base(q.Path), filepath.Ext(q.Path)), "suite")
}

// planCells sets the states of all cells, with the answers of a continued run.
func (r *Run) planCells() {
	for i, c := range r.Plan.Calls {
		r.cells[i].Event = Event{Index: i, Cell: r.Plan.Cell(i)}
		earlier := r.Plan.earlier[c.Key]
		if !r.Plan.asks(c) && earlier.Answer != 0 {
			r.cells[i].Cell, r.cells[i].IsEarlier = withResult(r.cells[i].Cell, earlier), true
		}
		for _, peer := range r.peers(i) {
			r.dependents[peer] = append(r.dependents[peer], i)
		}
	}
}

// moveEarlier stores the current positions of the cells of a continued run, and none for cells that the suite no
// longer has.
func (r *Run) moveEarlier(ctx context.Context) error {
	planned := map[string]history.Cell{}
	for _, state := range r.cells {
		planned[state.Cell.Key] = state.Cell
	}
	for key, earlier := range r.Plan.earlier {
		now := earlier
		now.Row, now.Column = 0, 0
		if cell, ok := planned[key]; ok {
			now = withResult(cell, earlier)
		}
		if reflect.DeepEqual(now, earlier) {
			continue
		}
		if err := r.store.PutCell(ctx, now); err != nil && !errors.Is(err, history.ErrNotFound) {
			return err
		}
	}
	return nil
}

// withResult returns a cell with the result of an earlier one.
func withResult(cell, earlier history.Cell) history.Cell {
	cell.ID, cell.Turn, cell.Answer, cell.State = earlier.ID, earlier.Turn, earlier.Answer, earlier.State
	cell.Elapsed, cell.IsCached, cell.FailureCode = earlier.Elapsed, earlier.IsCached, earlier.FailureCode
	cell.Usage, cell.Cost = earlier.Usage, earlier.Cost
	cell.Ending, cell.IsJudged, cell.Checks = earlier.Ending, earlier.IsJudged, earlier.Checks
	cell.IsWinner, cell.Words = earlier.IsWinner, earlier.Words
	cell.EarlierChecks = earlier.EarlierChecks
	return cell
}

// peers returns the cells that a cell's checks read.
func (r *Run) peers(i int) []int {
	var found []int
	for _, c := range r.Plan.Calls[i].Checks {
		name, ok := c.Value.(string)
		if !ok || c.name() != "same-as" {
			continue
		}
		if j, ok := PeerOf(r.Plan.Calls, i, name); ok {
			found = append(found, j)
		}
	}
	return found
}

// Record returns the run as stored.
func (r *Run) Record() history.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.record
}

// Err returns why the run ended before all its cells were requested; nil if they were, or the run was stopped. It is
// valid after the channel of events has closed.
func (r *Run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Stop ends the run: it cancels calls in progress and starts no others.
func (r *Run) Stop() { r.cancel(problem.ErrStopped) }

// fail sets the first error, after which no more calls are made.
func (r *Run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

// isOver reports whether no more calls are to be made.
func (r *Run) isOver() bool { return r.ctx.Err() != nil || r.Err() != nil }
