package suite

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"confab/history"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/problem"
)

// loop makes the calls of a run in the order of the suite, as many in parallel as there are slots, and judges the
// answers.
func (r *Run) loop() {
	uncancelled := context.WithoutCancel(r.ctx) // answers are saved even when the run is cancelled
	for i, state := range r.cells {
		if state.IsEarlier && !isGraded(r.Plan.Calls[i].Checks) {
			r.handleEnding(uncancelled, ending{index: i})
		}
	}
	for i := range r.cells {
		ask := r.ask
		if r.cells[i].IsEarlier {
			ask = r.gradeEarlier
		}
		isMissing := !r.cells[i].IsEarlier && !r.Plan.asks(r.Plan.Calls[i])
		if r.cells[i].hasEnded || isMissing || !r.waitForSlot(uncancelled, i) {
			continue
		}
		if err := ask(i); err != nil {
			<-r.slots
			if r.ctx.Err() == nil { // otherwise the run was stopped, and the cell is missing
				r.fail(err)
			}
		}
	}
	// Slots may still be delayed after their calls; do not wait for those.
	for slices.ContainsFunc(r.cells, func(c cellState) bool { return c.isAsked && !c.hasEnded }) {
		r.handleEnding(uncancelled, <-r.endings)
	}
	for i, state := range r.cells {
		if state.IsEarlier && !state.hasEnded { // stopped before it was graded
			r.handleEnding(uncancelled, ending{index: i, grades: knownGrades(state.Cell)})
		}
	}
	for i, state := range r.cells {
		if state.hasEnded && !state.isReported {
			r.judge(uncancelled, i)
		}
	}
	r.recordEnd(uncancelled)
}

// waitForSlot waits for a slot for a cell and handles calls that end meanwhile. It returns false if no more calls are
// to be made. It waits for a recorded cell even after the run was stopped, because its answer must end.
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

// ask records a cell, as a new turn or a further sample of the failed one, and starts its call, which frees the slot.
func (r *Run) ask(i int) error {
	cell := &r.cells[i].Cell
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
	cell.State, cell.Started = history.Running, r.o.Now()
	r.report(i)
	call := r.Plan.Calls[i]
	r.inSlot(i, func() ending {
		for e := range events {
			answer = e.Answer
		}
		cancel()
		return ending{i, answer, r.Plan.gradesOf(r.ctx, call, answer, nil)}
	})
	return nil
}

// gradeEarlier grades an answer of the continued run, as far as it was not graded before.
func (r *Run) gradeEarlier(i int) error {
	a, err := r.o.Service.Answer(r.ctx, r.cells[i].Cell.Answer)
	if err != nil && api.CodeOf(err) != api.CodeUsage { // otherwise the answer was deleted
		return err
	}
	call, known := r.Plan.Calls[i], knownGrades(r.cells[i].Cell)
	r.inSlot(i, func() ending { return ending{i, a, r.Plan.gradesOf(r.ctx, call, a, known)} })
	return nil
}

// inSlot runs a call in a slot, which it frees after the delay of the suite.
func (r *Run) inSlot(i int, call func() ending) {
	r.cells[i].isAsked = true
	safego.Go(r.o.Log, "cell", func() {
		e := call()
		select {
		case r.endings <- e:
		case <-r.done:
		}
		select {
		case <-time.After(r.Plan.Delay):
		case <-r.ctx.Done():
		}
		<-r.slots
	}, nil)
}

func (r *Run) recordCell(i int) (turn history.Turn, answer history.Answer, err error) {
	if i == 0 && r.first != nil {
		return *r.first, r.first.Answers[0], nil
	}
	cell := &r.cells[i].Cell
	if earlier, ok := r.Plan.earlier[cell.Key]; ok {
		cell.ID, cell.Turn, cell.Answer = earlier.ID, earlier.Turn, earlier.Answer
		return r.renewCell(cell)
	}
	turn, recorded, err := r.prepare(r.ctx, i)
	if err != nil {
		return turn, answer, err
	}
	added, turn, err := r.store.AddCell(r.ctx, *cell, turn)
	recorded(turn.ID)
	if err != nil {
		return turn, answer, err
	}
	*cell = added
	return turn, turn.Answers[0], nil
}

// renewCell records a further sample, with the same nonce, of the turn whose answer failed in the continued run.
func (r *Run) renewCell(cell *history.Cell) (turn history.Turn, next history.Answer, err error) {
	if turn, err = r.store.Turn(r.ctx, cell.Turn); err != nil {
		return turn, next, err
	}
	failed := history.Answer{Turn: turn.ID, Model: cell.Model, Kind: cell.Kind}
	for _, a := range turn.Answers {
		failed.Sample = max(failed.Sample, a.Sample)
		if a.ID == cell.Answer {
			a.Sample, failed = failed.Sample, a
		}
	}
	recorded, err := r.o.Service.Admit()
	if err != nil {
		return turn, next, err
	}
	renewed, next, err := r.store.RenewCell(r.ctx, *cell, failed.Again(failed.Sample+1, r.o.Now()))
	if err != nil {
		recorded(0)
		return turn, next, err
	}
	recorded(turn.ID)
	*cell = renewed
	return turn, next, nil
}

// prepare returns the turn to record for a new cell.
func (r *Run) prepare(ctx context.Context, i int) (t history.Turn, recorded func(turn int64), err error) {
	source, err := r.Plan.source(ctx, r.Plan.Calls[i])
	if err != nil {
		return t, nil, err
	}
	t = turnOf(r.Plan.Calls[i], source)
	t.Session = r.record.Session
	return r.o.Service.Prepare(ctx, t)
}

// handleEnding records the end of a call and judges the cells that depend on it.
func (r *Run) handleEnding(ctx context.Context, e ending) {
	if r.cells[e.index].hasEnded = true; !r.cells[e.index].IsEarlier {
		r.setAnswer(&r.cells[e.index], e.answer)
	}
	r.cells[e.index].grades = e.grades
	hasNotEnded := func(i int) bool { return !r.cells[i].hasEnded }
	for _, i := range append([]int{e.index}, r.dependents[e.index]...) {
		if r.cells[i].hasEnded && !r.cells[i].isReported && !slices.ContainsFunc(r.peers(i), hasNotEnded) {
			r.judge(ctx, i)
		}
	}
}

// setAnswer sets how the call of a cell ended.
func (r *Run) setAnswer(state *cellState, a history.Answer) {
	state.Failure, state.IsSimulated, state.ServiceNote = a.Failure, a.IsSimulated(), a.ServiceNote
	state.Cell.SetAnswer(a)
	if a.Failure != nil {
		code := api.Code(a.Failure.Code)
		if a.State == history.Failed && (code == api.CodeUnauthorized || code == api.CodeConfig) {
			r.fail(&api.Error{Code: code, Message: a.Failure.Message}) // every other call would fail too
		}
	}
}

// judge judges a cell's checks, records their results and reports the end of the cell.
func (r *Run) judge(ctx context.Context, i int) {
	state := &r.cells[i]
	state.isReported = true
	facts, err := r.factsOf(ctx, i)
	if err != nil {
		r.fail(problem.Store(err))
		return
	}
	facts.Grade = r.Plan.gradeFunc(r.Plan.Calls[i], facts.Text, func(g grading) history.Grade {
		for _, known := range slices.Backward(state.grades) {
			if known.Key == g.key() {
				return known
			}
		}
		return history.Grade{Problem: gradingStopped}
	})
	peer := func(name string) (AnswerInput, bool) {
		j, ok := PeerOf(r.Plan.Calls, i, name)
		if !ok || !r.cells[j].hasEnded {
			return AnswerInput{}, false
		}
		f, err := r.factsOf(ctx, j)
		return f, err == nil
	}
	c, before, wasJudged := &state.Cell, state.Cell.Checks, state.Cell.IsJudged
	c.Checks, c.IsJudged = Judge(ctx, r.Plan.Calls[i].Checks, facts, peer), true
	for j := range c.Checks {
		result := &c.Checks[j]
		result.Name, result.Reason = r.o.Mask.String(result.Name), r.o.Mask.String(result.Reason)
		result.Metric = r.o.Mask.String(result.Metric)
	}
	differs := !reflect.DeepEqual(before, c.Checks)
	if state.IsRejudged = len(before) > 0 && differs; state.IsRejudged {
		c.EarlierChecks = append(slices.Clip(c.EarlierChecks), before)
	}
	if !wasJudged || differs {
		if err := r.store.PutCell(ctx, state.Cell); err != nil && !errors.Is(err, history.ErrNotFound) {
			r.fail(problem.Store(err))
		}
	}
	r.report(i)
}

// factsOf returns the input of a cell's checks.
func (r *Run) factsOf(ctx context.Context, i int) (AnswerInput, error) {
	cell := r.Plan.Calls[i]
	a, err := r.o.Service.Answer(ctx, r.cells[i].Cell.Answer)
	if api.CodeOf(err) == api.CodeUsage { // the answer was deleted
		return AnswerInput{Kind: r.cells[i].Cell.Kind, Missing: "the answer was deleted"}, nil
	}
	if err != nil {
		return AnswerInput{}, err
	}
	f := InputOf(a, cell.Aspect)
	f.Prompt, f.Scripts = cell.Prompt, r.o.Scripts
	if source, ok := r.Plan.sources[cell.Source]; ok {
		f.Source = source.SHA256
	}
	return f, nil
}

// report sends an event about a cell. The channel has space for all of them.
func (r *Run) report(i int) { r.events <- r.cells[i].Event }

// recordEnd records the end of the run if every cell has an answer or an error.
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
