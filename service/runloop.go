package service

import (
	"context"
	"errors"
	"reflect"
	"time"

	"confab/history"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/check"
	"confab/service/suite"
)

// loop makes the calls of a run in the order of the suite, as many side by side
// as there are places, and takes what they bring.
func (r *Run) loop(store history.Store) {
	// What is answered is kept whatever ends the run.
	keep := context.WithoutCancel(r.ctx)
	for i, c := range r.Plan.Cells {
		if had, ok := r.Plan.had[c.Key]; ok && had.State == history.Done {
			r.hadAlready(keep, store, i, had)
		}
	}
	for i := range r.seats {
		if r.seats[i].had || !r.place(keep, store, i) {
			continue
		}
		if err := r.ask(store, i); err != nil {
			<-r.places
			if r.ctx.Err() == nil { // else it was told to stop, and the cell is missing
				r.fail(err)
			}
		}
	}
	// Calls that rest after their end hold places, but nothing else to wait for.
	for r.running() {
		r.arrived(keep, store, <-r.ended)
	}
	for i := range r.seats {
		if r.seats[i].ended && !r.seats[i].told {
			r.judge(keep, store, i)
		}
	}
	r.close(keep, store)
}

// place waits for a place for a cell and takes what arrives meanwhile. It is false when no more calls are to be made.
// A cell that is recorded already is asked for in any case: even when the run was stopped since, its answer must end.
func (r *Run) place(ctx context.Context, store history.Store, i int) bool {
	if i == 0 && r.first != nil {
		r.places <- struct{}{}
		return true
	}
	for !r.failed() {
		select {
		case r.places <- struct{}{}:
			if !r.failed() {
				return true
			}
			<-r.places
		case e := <-r.ended:
			r.arrived(ctx, store, e)
		case <-r.ctx.Done():
		}
	}
	return false
}

// running tells whether a call has not been taken yet.
func (r *Run) running() bool {
	for i := range r.seats {
		if s := &r.seats[i]; s.cell.State == history.Running && !s.ended {
			return true
		}
	}
	return false
}

// ask records a cell, as a new turn or as a further sample of the one that
// failed, and makes its call. The place is the call's from then on.
func (r *Run) ask(store history.Store, i int) error {
	seat := &r.seats[i]
	turn, answers, err := r.record(store, i)
	if errors.Is(err, history.ErrTaken) {
		return fail(api.CodeUsage, err, "another confab is at work on run %d; wait for it, then go on with --resume",
			r.Facts().ID)
	}
	if err != nil {
		return problemOf(err)
	}
	calls, err := r.s.callsFor(turn, answers)
	if err != nil {
		return err
	}
	ctx, cancel := r.ctx, context.CancelFunc(func() {})
	if t := r.Plan.Timeout; t > 0 {
		ctx, cancel = context.WithTimeout(ctx, t)
	}
	events, err := r.s.start(ctx, turn, calls)
	if err != nil {
		cancel()
		return err
	}
	seat.cell.State = history.Running
	seat.cell.Elapsed, seat.cell.Cached, seat.cell.FailureCode = 0, false, ""
	r.tell(i)
	ended := endedCell{i: i, answer: answers[0]}
	safego.Go(r.s.o.Log, "cell", func() {
		for e := range events {
			ended.answer = e.Answer
		}
		cancel()
		select {
		case r.ended <- ended:
		case <-r.done:
		}
		r.rest()
		<-r.places
	}, nil)
	return nil
}

// rest lets a place rest after its call.
func (r *Run) rest() {
	if r.Plan.Delay <= 0 {
		return
	}
	t := time.NewTimer(r.Plan.Delay)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.ctx.Done():
	}
}

// record writes a cell down before it is sent.
func (r *Run) record(store history.Store, i int) (history.Turn, []history.Answer, error) {
	seat, c, s := &r.seats[i], r.Plan.Cells[i], r.s
	ctx := r.ctx
	if i == 0 && r.first != nil {
		seat.cell = r.first.cell
		return r.first.turn, r.first.turn.Answers, nil
	}
	if had, ok := r.Plan.had[c.Key]; ok {
		turn, err := store.Turn(ctx, had.Turn)
		if err != nil {
			return history.Turn{}, nil, err
		}
		next := history.Answer{Turn: turn.ID, Model: c.Model.Slug, Kind: history.Kind(c.Model.Kind), State: history.Queued,
			Version: 1,
			Queued:  s.o.Now()}
		for _, a := range turn.Answers {
			next.Sample = max(next.Sample, a.Sample+1)
			if a.ID == had.Answer {
				next.SentPrompt, next.SentNonce = a.SentPrompt, a.SentNonce
			}
		}
		seat.cell.ID, seat.cell.Turn, seat.cell.Answer = had.ID, had.Turn, had.Answer
		began, err := s.admit(1, false)
		if err != nil {
			return history.Turn{}, nil, err
		}
		if seat.cell, next, err = store.RenewCell(ctx, seat.cell, next); err != nil {
			began(0)
			return history.Turn{}, nil, err
		}
		began(turn.ID)
		return turn, []history.Answer{next}, nil
	}
	turn, began, err := r.turnOfCell(ctx, i)
	if err != nil {
		return history.Turn{}, nil, err
	}
	cell, turn, err := store.AddCell(ctx, seat.cell, turn)
	began(turn.ID)
	if err != nil {
		return history.Turn{}, nil, err
	}
	seat.cell = cell
	return turn, turn.Answers, nil
}

// turnOfCell returns the turn that a new cell is to be recorded as, admitted by the quota; began must be called with
// its id, or with 0 when it could not be recorded.
func (r *Run) turnOfCell(ctx context.Context, i int) (t history.Turn, began func(turn int64), err error) {
	c, s := r.Plan.Cells[i], r.s
	source, err := r.Plan.sourceOf(ctx, s, c)
	if err != nil {
		return history.Turn{}, nil, err
	}
	p, models, err := s.check(promptOf(c, source))
	if err != nil {
		return history.Turn{}, nil, err
	}
	answers, err := s.answersOf(ctx, p, models)
	if err != nil {
		return history.Turn{}, nil, err
	}
	if began, err = s.admit(len(answers), false); err != nil {
		return history.Turn{}, nil, err
	}
	return turnOf(p, r.facts.Session, source, answers), began, nil
}

// hadAlready takes over what a resumed run has.
func (r *Run) hadAlready(ctx context.Context, store history.Store, i int, had history.Cell) {
	seat := &r.seats[i]
	cell := taken(seat.cell, had)
	seat.moved = !reflect.DeepEqual(cell, had)
	seat.cell, seat.had = cell, true
	r.arrived(ctx, store,
		endedCell{i, history.Answer{ID: had.Answer, State: had.State, Elapsed: had.Elapsed, Cached: had.Cached}})
}

// taken returns a cell of the suite with what a run has of it.
func taken(cell, had history.Cell) history.Cell {
	cell.ID, cell.Turn, cell.Answer, cell.State = had.ID, had.Turn, had.Answer, had.State
	cell.Elapsed, cell.Cached, cell.FailureCode = had.Elapsed, had.Cached, had.FailureCode
	cell.Judged, cell.Checks = had.Judged, had.Checks
	return cell
}

// arrived takes the end of a call and judges what can be judged now.
func (r *Run) arrived(ctx context.Context, store history.Store, e endedCell) {
	seat := &r.seats[e.i]
	seat.ended = true
	seat.cell.State = e.answer.State
	seat.cell.Elapsed, seat.cell.Cached, seat.cell.FailureCode = e.answer.Elapsed, e.answer.Cached, ""
	if e.answer.Failure != nil {
		seat.cell.FailureCode = e.answer.Failure.Code
	}
	seat.answer = ending{e.answer.State, e.answer.Elapsed, e.answer.Cached, e.answer.Failure, e.answer.Simulated(),
		e.answer.ServiceNote}
	if f := e.answer.Failure; f != nil && e.answer.State == history.Failed {
		switch api.Code(f.Code) {
		case api.CodeUnauthorized, api.CodeConfig: // every other call would fail, too
			r.fail(&api.Error{Code: api.Code(f.Code), Message: f.Message})
		}
	}
	for _, i := range append([]int{e.i}, r.after[e.i]...) {
		if r.seats[i].ended && !r.seats[i].told && r.peersEnded(i) {
			r.judge(ctx, store, i)
		}
	}
}

func (r *Run) peersEnded(i int) bool {
	for _, j := range r.peers(i) {
		if !r.seats[j].ended {
			return false
		}
	}
	return true
}

// judge judges a cell's checks, keeps what they say and tells of its end.
func (r *Run) judge(ctx context.Context, store history.Store, i int) {
	seat := &r.seats[i]
	seat.told = true
	facts, err := r.factsOf(ctx, i)
	if err != nil {
		r.fail(problemOf(err))
		return
	}
	before := seat.cell.Checks
	wasJudged := seat.cell.Judged
	peer := func(name string) (check.Facts, bool) {
		j, ok := suite.PeerOf(r.Plan.Cells, i, name)
		if !ok || !r.seats[j].ended {
			return check.Facts{}, false
		}
		f, err := r.factsOf(ctx, j)
		return f, err == nil
	}
	seat.cell.Checks, seat.cell.Judged = []history.CheckResult{}, true
	for _, res := range check.Judge(ctx, r.Plan.Cells[i].Checks, facts, peer) {
		seat.cell.Checks = append(seat.cell.Checks, history.CheckResult{
			Name: r.s.o.Mask.String(res.Check), Verdict: res.Verdict.String(), Reason: r.s.o.Mask.String(res.Reason),
		})
	}
	if !seat.had || seat.moved || !wasJudged || !reflect.DeepEqual(before, seat.cell.Checks) {
		if err := store.PutCell(ctx, seat.cell); err != nil && !errors.Is(err, history.ErrNotFound) {
			r.fail(problemOf(err))
		}
	}
	r.tell(i)
}

// factsOf reads what a cell's checks judge.
func (r *Run) factsOf(ctx context.Context, i int) (check.Facts, error) {
	seat := &r.seats[i]
	a, err := r.s.Answer(ctx, seat.cell.Answer)
	if api.CodeOf(err) == api.CodeUsage { // deleted meanwhile
		return check.Facts{Kind: seat.cell.Kind, Missing: "the answer was deleted"}, nil
	}
	if err != nil {
		return check.Facts{}, err
	}
	f := check.FactsOf(history.Turn{Aspect: r.Plan.Cells[i].Aspect}, a)
	if src, ok := r.Plan.sources[r.Plan.Cells[i].Source]; ok {
		f.Source = src.sha256
	}
	return f, nil
}

// tell sends what is known of a cell; there is room for it.
func (r *Run) tell(i int) {
	seat := &r.seats[i]
	r.events <- CellEvent{
		Index: i, Cell: seat.cell, Had: seat.had,
		Elapsed: seat.answer.elapsed, Cached: seat.answer.cached, Failure: seat.answer.failure,
		Simulated: seat.answer.simulated, ServiceNote: seat.answer.note,
	}
}

// close writes down how the run ended.
func (r *Run) close(ctx context.Context, store history.Store) {
	whole := r.Err() == nil
	for i := range r.seats {
		st := r.seats[i].answer.state
		whole = whole && (st == history.Done || st == history.Failed)
	}
	r.mu.Lock()
	if whole {
		r.facts.Ended = r.s.o.Now()
	}
	facts := r.facts
	r.mu.Unlock()
	if !whole {
		return
	}
	if err := store.PutRun(ctx, facts); err != nil && !errors.Is(err, history.ErrNotFound) {
		r.fail(problemOf(err))
	}
}
