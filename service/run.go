package service

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"confab/history"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/suite"
)

// Run is a run of a suite that is going on, or was. It is safe for concurrent
// use.
type Run struct {
	Plan *RunPlan

	s      *Service
	ctx    context.Context
	cancel context.CancelCauseFunc
	events chan CellEvent
	seats  []seat         // by the cell's place in the suite
	after  map[int][]int  // the cells whose checks wait for a cell
	places chan struct{}  // calls that run or rest
	ended  chan endedCell // calls that have ended
	done   chan struct{}  // closed when the loop is over
	first  *recordedCell  // of a new run: the cell that was recorded together with it

	mu    sync.Mutex
	facts history.Run
	err   error
}

// recordedCell is a cell whose turn is recorded and not asked for yet.
type recordedCell struct {
	cell history.Cell
	turn history.Turn
}

// seat is what a run knows of one of its cells. It is the loop's alone.
type seat struct {
	cell   history.Cell
	ended  bool // it has an answer, if only a failed one
	told   bool // its end was told
	had    bool
	moved  bool // a resumed run knows it by other names
	answer ending
}

// ending is what is remembered of an answer; its text is not.
type ending struct {
	state   history.State
	elapsed time.Duration
	cached  bool
	failure *history.Failure

	simulated bool
	note      string // of the service
}

// endedCell is a call that has ended.
type endedCell struct {
	i      int
	answer history.Answer
}

// CellEvent tells that a cell was asked for, when its state is running, or how
// it ended; that is told once, when its checks are judged. The answer itself is
// read by its id: a run holds no texts.
type CellEvent struct {
	Index   int // in the plan's cells
	Cell    history.Cell
	Had     bool // the resumed run had it already
	Elapsed time.Duration
	Cached  bool
	Failure *history.Failure

	Simulated   bool   // the answer was made up; not told of one that was had
	ServiceNote string // how it differs from what was asked; the same
}

// RunSuite runs a suite, or goes on with a run: each cell is a turn with one
// model in the session of the suite's runs, recorded before it is sent. It
// returns the run and what becomes of its cells; the channel closes when
// nothing more is to come, and [Run.Err] then says why if the run is not whole.
// Reading slowly, or not at all, holds nothing up.
//
// The end of ctx ends the calls that run, as in [Service.Send]; what was not
// asked for by then is missing and asked for when the run is gone on with.
// What was answered is never asked for again.
func (s *Service) RunSuite(ctx context.Context, o RunOptions) (*Run, <-chan CellEvent, error) {
	release, err := s.hold()
	if err != nil {
		return nil, nil, err
	}
	defer release()
	p, err := s.PlanSuite(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	if err := s.allow(p.Calls); err != nil {
		return nil, nil, err
	}
	store, err := s.history(ctx)
	if err != nil {
		return nil, nil, err
	}
	r := &Run{Plan: p, s: s, seats: make([]seat, len(p.Cells)), after: map[int][]int{},
		events: make(chan CellEvent, 2*len(p.Cells)), places: make(chan struct{}, p.Concurrency), ended: make(chan endedCell,
			p.Concurrency), done: make(chan struct{})}
	if err := r.begin(ctx, store); err != nil {
		return nil, nil, problemOf(err)
	}
	r.sit()
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	if !s.enter(r) {
		r.cancel(ErrClosing)
		r.abandonFirst(ctx)
		return nil, nil, closing()
	}
	safego.Go(s.o.Log, "run", func() {
		defer r.over()
		defer safego.Recover(s.o.Log, "run", func(err error) {
			r.fail(fail(api.CodeService, err, "an unexpected fault inside confab ended the run; go on with --resume"))
		})
		r.loop(store)
	}, nil)
	return r, r.events, nil
}

// enter makes the run one of the service's, unless that is closing.
func (s *Service) enter(r *Run) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.runs[r] = struct{}{}
	s.sends.Add(1)
	return true
}

// abandonFirst interrupts the cell that was recorded together with a run that the closing service does not start.
func (r *Run) abandonFirst(ctx context.Context) {
	if r.first == nil {
		return
	}
	turn := r.first.turn
	calls, err := r.s.callsFor(turn, turn.Answers)
	if err != nil {
		r.s.log().Warn("Left an answer that was not asked for", "turn", turn.ID, "error", err)
		return
	}
	r.s.unsent(context.WithoutCancel(ctx), calls)
	r.s.endQuota(turn.ID, calls)
}

// begin records the run: a new one together with its first cell and, where its suite has no session yet, with the
// session, in one transaction. So nothing is left behind when the disk is full.
func (r *Run) begin(ctx context.Context, store history.Store) error {
	s := r.s
	r.facts = r.Plan.facts()
	if r.Plan.Resumes != 0 {
		if err := store.PutRun(ctx, r.facts); err != nil {
			return err
		}
		return r.moveOld(ctx, store)
	}
	switch last, err := store.LastRun(ctx, r.facts.Path); {
	case err == nil && r.facts.Path != "":
		r.facts.Session = last.Session
	case err != nil && !errors.Is(err, history.ErrNotFound):
		return err
	}
	turn, began, err := r.turnOfCell(ctx, 0)
	if err != nil {
		return err
	}
	facts, cell, turn, err := store.StartRun(ctx, r.facts, s.cellOf(r.Plan, 0), turn)
	began(turn.ID)
	if err != nil {
		return err
	}
	r.facts, r.Plan.run, r.first = facts, facts, &recordedCell{cell, turn}
	return nil
}

// moveOld gives the cells of a resumed run the places that the suite has for
// them now, and none to those that it does not ask for any more. Those that are
// done move when their checks are judged.
func (r *Run) moveOld(ctx context.Context, store history.Store) error {
	planned := map[string]history.Cell{}
	for i, c := range r.Plan.Cells {
		planned[c.Key] = r.s.cellOf(r.Plan, i)
	}
	for key, had := range r.Plan.had {
		now, ok := planned[key]
		switch {
		case !ok:
			now = had
			now.Row, now.Column = 0, 0
		case had.State == history.Done:
			continue
		default:
			now = taken(now, had)
		}
		if reflect.DeepEqual(now, had) {
			continue
		}
		if err := store.PutCell(ctx, now); err != nil && !errors.Is(err, history.ErrNotFound) {
			return err
		}
	}
	return nil
}

// sit fills in what is known of the cells, and which checks look at others.
func (r *Run) sit() {
	for i := range r.Plan.Cells {
		r.seats[i].cell = r.s.cellOf(r.Plan, i)
		for _, j := range r.peers(i) {
			r.after[j] = append(r.after[j], i)
		}
	}
}

// peers returns the cells that a cell's checks look at.
func (r *Run) peers(i int) []int {
	var found []int
	for _, c := range r.Plan.Cells[i].Checks {
		spec := c.Spec()
		name, ok := spec.Value.(string)
		if kind := spec.Type; !ok || kind != "same-as" && kind != "not-same-as" {
			continue
		}
		if j, ok := suite.PeerOf(r.Plan.Cells, i, name); ok {
			found = append(found, j)
		}
	}
	return found
}

// Facts returns what is kept of the run.
func (r *Run) Facts() history.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.facts
}

// Err returns why the run ended before all its cells were asked for; nil when
// they were, or it was told to stop. It is known when the channel has closed.
func (r *Run) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Stop ends the run: calls that run are cancelled, no others are made.
func (r *Run) Stop() { r.cancel(errStopped) }

// fail remembers the first reason and ends the run.
func (r *Run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && err != nil {
		r.err = err
	}
}

// failed tells whether no more calls are to be made.
func (r *Run) failed() bool { return r.ctx.Err() != nil || r.Err() != nil }

// over ends the run for the service.
func (r *Run) over() {
	r.cancel(nil)
	close(r.done)
	r.s.mu.Lock()
	delete(r.s.runs, r)
	r.s.mu.Unlock()
	close(r.events)
	r.s.sends.Done()
}
