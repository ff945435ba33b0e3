package suite

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/problem"
)

// loop makes the calls of a run in the order of the suite, as many side by side as there are slots, and judges the
// answers.
func (r *Run) loop() {
	// Answers are kept whatever ends the run.
	keep := context.WithoutCancel(r.ctx)
	for i, c := range r.Plan.Cells {
		if earlier, ok := r.Plan.earlier[c.Key]; ok && earlier.State == history.Done {
			r.takeEarlier(keep, i, earlier)
		}
	}
	for i := range r.cells {
		if r.cells[i].IsEarlier || !r.waitForSlot(keep, i) {
			continue
		}
		if err := r.ask(i); err != nil {
			<-r.slots
			if r.ctx.Err() == nil { // else the run was stopped, and the cell is missing
				r.fail(err)
			}
		}
	}
	// Slots may still rest after their calls; nothing waits for those.
	for r.isInProgress() {
		r.handleEnding(keep, <-r.endings)
	}
	for i := range r.cells {
		if r.cells[i].hasEnded && !r.cells[i].isReported {
			r.judge(keep, i)
		}
	}
	r.recordEnd(keep)
}

// waitForSlot waits for a slot for a cell and handles calls that end meanwhile. It returns false when no more calls are
// to be made. A cell that is recorded already is asked for even when the run was stopped since: its answer must end.
func (r *Run) waitForSlot(ctx context.Context, i int) bool {
	if i == 0 && r.first != nil {
		r.slots <- struct{}{}
		return true
	}
	for !r.isOver() {
		select {
		case r.slots <- struct{}{}:
			if !r.isOver() {
				return true
			}
			<-r.slots
		case e := <-r.endings:
			r.handleEnding(ctx, e)
		case <-r.ctx.Done():
		}
	}
	return false
}

// isInProgress tells whether the end of a call was not handled yet.
func (r *Run) isInProgress() bool {
	return slices.ContainsFunc(r.cells, func(c cellState) bool {
		return c.Cell.State == history.Running && !c.hasEnded
	})
}

// ask records a cell, as a new turn or as a further sample of the one that failed, and makes its call. The call frees
// the slot.
func (r *Run) ask(i int) error {
	state := &r.cells[i]
	turn, answer, err := r.recordCell(i)
	if errors.Is(err, history.ErrTaken) {
		return problem.Usage("another confab is at work on run %d; wait for it, then continue with --resume",
			r.Record().ID)
	}
	if err != nil {
		return problem.Store(err)
	}
	ctx, cancel := r.ctx, context.CancelFunc(func() {})
	if t := r.Plan.Timeout; t > 0 {
		ctx, cancel = context.WithTimeout(ctx, t)
	}
	events, err := r.o.Service.Send(ctx, turn, answer)
	if err != nil {
		cancel()
		return err
	}
	state.Cell.State, state.Cell.Started = history.Running, r.o.Now()
	state.Cell.Elapsed, state.Cell.IsCached, state.Cell.FailureCode = 0, false, ""
	state.Cell.Usage, state.Cell.Cost = chat.Usage{}, history.Cost{}
	r.report(i)
	end := ending{index: i, answer: answer}
	safego.Go(r.o.Log, "cell", func() {
		for e := range events {
			end.answer = e.Answer
		}
		cancel()
		select {
		case r.endings <- end:
		case <-r.done:
		}
		select { // the slot rests as long as the suite wants
		case <-time.After(r.Plan.Delay):
		case <-r.ctx.Done():
		}
		<-r.slots
	}, nil)
	return nil
}

// recordCell records a cell before it is sent.
func (r *Run) recordCell(i int) (history.Turn, history.Answer, error) {
	state := &r.cells[i]
	if i == 0 && r.first != nil {
		state.Cell = r.first.cell
		return r.first.turn, r.first.turn.Answers[0], nil
	}
	if earlier, ok := r.Plan.earlier[r.Plan.Cells[i].Key]; ok {
		return r.renewCell(i, earlier)
	}
	turn, recorded, err := r.prepare(r.ctx, i)
	if err != nil {
		return history.Turn{}, history.Answer{}, err
	}
	cell, turn, err := r.store.AddCell(r.ctx, state.Cell, turn)
	recorded(turn.ID)
	if err != nil {
		return history.Turn{}, history.Answer{}, err
	}
	state.Cell = cell
	return turn, turn.Answers[0], nil
}

// renewCell records a further sample of the turn whose answer failed in the continued run, with the same nonce.
func (r *Run) renewCell(i int, earlier history.Cell) (turn history.Turn, next history.Answer, err error) {
	state := &r.cells[i]
	if turn, err = r.store.Turn(r.ctx, earlier.Turn); err != nil {
		return turn, next, err
	}
	next = history.Answer{Turn: turn.ID, Model: state.Cell.Model, Kind: state.Cell.Kind, State: history.Queued,
		Version: 1, Queued: r.o.Now()}
	for _, a := range turn.Answers {
		next.Sample = max(next.Sample, a.Sample+1)
		if a.ID == earlier.Answer {
			next = a.Again(next.Sample, r.o.Now())
		}
	}
	state.Cell.ID, state.Cell.Turn, state.Cell.Answer = earlier.ID, earlier.Turn, earlier.Answer
	recorded, err := r.o.Service.Admit()
	if err != nil {
		return turn, next, err
	}
	if state.Cell, next, err = r.store.RenewCell(r.ctx, state.Cell, next); err != nil {
		recorded(0)
		return turn, next, err
	}
	recorded(turn.ID)
	return turn, next, nil
}

// prepare returns the turn that a new cell is to be recorded as.
func (r *Run) prepare(ctx context.Context, i int) (t history.Turn, recorded func(turn int64), err error) {
	source, err := r.Plan.source(ctx, r.Plan.Cells[i])
	if err != nil {
		return t, nil, err
	}
	t = turnOf(r.Plan.Cells[i], source)
	t.Session = r.record.Session
	return r.o.Service.Prepare(ctx, t)
}

// takeEarlier takes over the answer that the continued run has of a cell.
func (r *Run) takeEarlier(ctx context.Context, i int, earlier history.Cell) {
	state := &r.cells[i]
	state.Cell = withResult(state.Cell, earlier)
	state.hasMoved, state.IsEarlier = !reflect.DeepEqual(state.Cell, earlier), true
	r.handleEnding(ctx, ending{i, history.Answer{ID: earlier.Answer, State: earlier.State, Elapsed: earlier.Elapsed,
		IsCached: earlier.IsCached, Usage: earlier.Usage, Cost: earlier.Cost}})
}

// handleEnding takes the end of a call and judges the cells that can be judged now.
func (r *Run) handleEnding(ctx context.Context, e ending) {
	state, a := &r.cells[e.index], e.answer
	state.hasEnded, state.Cell.Started = true, time.Time{}
	c := &state.Cell
	c.State, c.Elapsed, c.IsCached, c.FailureCode = a.State, a.Elapsed, a.IsCached, ""
	if state.Cell.Usage, state.Cell.Cost = a.Usage, a.Cost; !state.IsEarlier {
		state.Cell.Ending = a.Ending()
	}
	if a.Failure != nil {
		state.Cell.FailureCode = a.Failure.Code
	}
	state.Failure, state.IsSimulated, state.ServiceNote = a.Failure, a.IsSimulated(), a.ServiceNote
	if a.Failure != nil && a.State == history.Failed {
		switch code := api.Code(a.Failure.Code); code {
		case api.CodeUnauthorized, api.CodeConfig: // every other call would fail, too
			r.fail(&api.Error{Code: code, Message: a.Failure.Message})
		}
	}
	for _, i := range append([]int{e.index}, r.dependents[e.index]...) {
		if r.cells[i].hasEnded && !r.cells[i].isReported && r.havePeersEnded(i) {
			r.judge(ctx, i)
		}
	}
}

func (r *Run) havePeersEnded(i int) bool {
	return !slices.ContainsFunc(r.peers(i), func(j int) bool { return !r.cells[j].hasEnded })
}

// judge judges a cell's checks, keeps their results and reports the end of the cell.
func (r *Run) judge(ctx context.Context, i int) {
	state := &r.cells[i]
	state.isReported = true
	facts, err := r.factsOf(ctx, i)
	if err != nil {
		r.fail(problem.Store(err))
		return
	}
	peer := func(name string) (AnswerInput, bool) {
		j, ok := PeerOf(r.Plan.Cells, i, name)
		if !ok || !r.cells[j].hasEnded {
			return AnswerInput{}, false
		}
		f, err := r.factsOf(ctx, j)
		return f, err == nil
	}
	c, before, wasJudged := &state.Cell, state.Cell.Checks, state.Cell.IsJudged
	c.Checks, c.IsJudged = Judge(ctx, r.Plan.Cells[i].Checks, facts, peer), true
	for j := range c.Checks {
		result := &c.Checks[j]
		result.Name, result.Reason = r.o.Mask.String(result.Name), r.o.Mask.String(result.Reason)
	}
	differs := !slices.Equal(before, c.Checks)
	if state.IsRejudged = len(before) > 0 && differs; state.IsRejudged {
		c.EarlierChecks = append(slices.Clip(c.EarlierChecks), before)
	}
	if !state.IsEarlier || state.hasMoved || !wasJudged || differs {
		if err := r.store.PutCell(ctx, state.Cell); err != nil && !errors.Is(err, history.ErrNotFound) {
			r.fail(problem.Store(err))
		}
	}
	r.report(i)
}

// factsOf reads what a cell's checks judge.
func (r *Run) factsOf(ctx context.Context, i int) (AnswerInput, error) {
	cell := r.Plan.Cells[i]
	a, err := r.o.Service.Answer(ctx, r.cells[i].Cell.Answer)
	if api.CodeOf(err) == api.CodeUsage { // deleted meanwhile
		return AnswerInput{Kind: r.cells[i].Cell.Kind, Missing: "the answer was deleted"}, nil
	}
	if err != nil {
		return AnswerInput{}, err
	}
	f := answerInputOf(history.Turn{Aspect: cell.Aspect}, a)
	if source, ok := r.Plan.sources[cell.Source]; ok {
		f.Source = source.SHA256
	}
	return f, nil
}

// report sends an event about a cell. The channel has space for all of them.
func (r *Run) report(i int) { r.events <- r.cells[i].Event }

// recordEnd records the end of the run when every cell has an answer or an error.
func (r *Run) recordEnd(ctx context.Context) {
	if r.Err() != nil {
		return
	}
	if slices.ContainsFunc(r.cells, func(c cellState) bool {
		return !c.hasEnded || c.Cell.State != history.Done && c.Cell.State != history.Failed
	}) {
		return
	}
	r.mu.Lock()
	r.record.Ended = r.o.Now()
	record := r.record
	r.mu.Unlock()
	if err := r.store.PutRun(ctx, record); err != nil && !errors.Is(err, history.ErrNotFound) {
		r.fail(problem.Store(err))
	}
}
