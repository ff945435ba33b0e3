package suite

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"confab/history"
	"confab/internal/javascript"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/problem"
)

// Service is the part of the service that a Runner uses. Its errors are sentences for people.
type Service interface {
	// Begin admits a run with a number of calls. When the service closes, it calls cancel and waits until end is
	// called.
	Begin(calls int, cancel context.CancelCauseFunc) (end func(), err error)
	Store(ctx context.Context) (history.Store, error)
	// Recover interrupts running answers of ended processes.
	Recover(ctx context.Context) error
	// Source returns the picture that a suite names for an edit. Relative paths begin in folder.
	Source(ctx context.Context, written, folder string) (Source, error)
	// Check returns why a turn with one answer cannot be sent. It sends nothing.
	Check(t history.Turn) error
	// CostOf returns the cost of an answer by its model and tokens; zero if no price is known.
	CostOf(a history.Answer) history.Cost
	// Prepare returns the turn to record. Its answers count against the quota; the caller passes the id of the turn
	// to recorded, or 0 if recording failed.
	Prepare(ctx context.Context, t history.Turn) (prepared history.Turn, recorded func(turn int64), err error)
	// Admit counts one more answer of a recorded turn against the quota, as Prepare does.
	Admit() (recorded func(turn int64), err error)
	// Send requests a recorded answer of a turn.
	Send(ctx context.Context, t history.Turn, a history.Answer) (<-chan history.Event, error)
	// Grade asks a turn with one answer and returns the answer, which is not recorded. It counts against the quota.
	Grade(ctx context.Context, t history.Turn) (history.Answer, error)
	// Turn and Answer read recorded entries with their current state.
	Turn(ctx context.Context, id int64) (history.Turn, error)
	Answer(ctx context.Context, id int64) (history.Answer, error)
}

// Source is a picture to edit.
type Source struct {
	Source  *history.Source
	SHA256  string // of the received picture; empty for a URL
	Publish string // what leaves the machine, in a sentence; may be empty
}

// RunnerOptions are the choices of [NewRunner]. Service and Catalogue are required.
type RunnerOptions struct {
	Service     Service
	Catalogue   func() api.Catalogue // of the moment
	Concurrency int                  // parallel calls if neither the request nor the suite sets them
	// MaxConcurrency bounds the parallel calls of a suite or a request; 0 means only the bound of suites.
	MaxConcurrency int
	Grader         string // model that judges answers where the suite names none; empty for none
	MaxRepeat      int    // maximum answers per prompt and model; 0 means no bound
	Scripts        javascript.Interpreter
	Mask           *redact.Masker
	Log            *slog.Logger
	Now            func() time.Time
}

// Runner runs suites and reads their runs. It is safe for concurrent use.
type Runner struct{ o RunnerOptions }

func NewRunner(o RunnerOptions) *Runner { return &Runner{o} }

// read calls ask with the store and turns its errors into ones for people.
func read[T any](ctx context.Context, r *Runner, ask func(history.Store) (T, error)) (value T, err error) {
	store, err := r.o.Service.Store(ctx)
	if err != nil {
		return value, err
	}
	value, err = ask(store)
	return value, problem.Store(err)
}

// MatchModels returns the slugs of the models that match patterns such as alpha*; see [api.Catalogue.Match].
func (r *Runner) MatchModels(patterns []string) ([]string, error) {
	models, err := r.o.Catalogue().Match(patterns...)
	slugs := make([]string, len(models))
	for i, m := range models {
		slugs[i] = m.Slug
	}
	return slugs, err
}

// List returns the runs of a suite's file, or all for an empty path, the newest first.
func (r *Runner) List(ctx context.Context, path string, limit int) ([]history.Run, error) {
	return read(ctx, r, func(store history.Store) ([]history.Run, error) { return store.Runs(ctx, path, limit) })
}

// Run returns a stored run.
func (r *Runner) Run(ctx context.Context, id int64) (history.Run, error) {
	run, err := read(ctx, r, func(store history.Store) (history.Run, error) { return store.Run(ctx, id) })
	if api.CodeOf(err) == api.CodeUsage {
		err = problem.New(api.CodeUsage, err, "there is no run %d; confab run --list shows them", id)
	}
	return run, err
}

// Cells returns the cells of a run in the order of the suite, without the texts of answers.
func (r *Runner) Cells(ctx context.Context, run int64) ([]history.Cell, error) {
	const limit = 500
	var cells []history.Cell
	for after := int64(0); ; after = cells[len(cells)-1].ID {
		page, err := read(ctx, r,
			func(store history.Store) ([]history.Cell, error) { return store.Cells(ctx, run, after, limit) })
		if err != nil {
			return nil, err
		}
		cells = append(cells, page...)
		if len(page) < limit {
			break
		}
	}
	slices.SortStableFunc(cells, func(a, b history.Cell) int { return cmp.Compare(a.Number, b.Number) })
	return cells, nil
}
