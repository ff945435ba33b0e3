package suite

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"confab/history"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/problem"
)

// Service is what a Runner needs of the service. Its errors are sentences for people.
type Service interface {
	// Begin admits a run of so many calls. When the service closes it calls cancel and waits until end is called.
	Begin(calls int, cancel context.CancelCauseFunc) (end func(), err error)
	Store(ctx context.Context) (history.Store, error)
	// Recover interrupts answers that dead processes left running.
	Recover(ctx context.Context) error
	// Source finds a picture to edit by what a suite says of it. Relative paths begin in folder.
	Source(ctx context.Context, written, folder string) (Source, error)
	// Check says why a turn with one answer cannot be sent, before anything is.
	Check(t history.Turn) error
	// CostOf returns what an answer costs by its model and tokens; it is zero where no price is known.
	CostOf(a history.Answer) history.Cost
	// Prepare returns the turn as it is to be recorded. Its answers count against the quota; recorded is called with
	// the id of the turn, or with 0 when it could not be recorded.
	Prepare(ctx context.Context, t history.Turn) (prepared history.Turn, recorded func(turn int64), err error)
	// Admit counts one more answer of a recorded turn against the quota, as Prepare does.
	Admit() (recorded func(turn int64), err error)
	// Send asks for a recorded answer of a turn.
	Send(ctx context.Context, t history.Turn, a history.Answer) (<-chan history.Event, error)
	// Turn and Answer read what was recorded, with what runs or could not be saved as it is now.
	Turn(ctx context.Context, id int64) (history.Turn, error)
	Answer(ctx context.Context, id int64) (history.Answer, error)
}

// Source is a picture that cells edit.
type Source struct {
	Source  *history.Source
	SHA256  string // of the picture as it was received; empty for one at a URL
	Publish string // what leaves the machine, in a sentence; empty for nothing
}

// RunnerOptions are what a [Runner] is made of. Service and Catalogue are required.
type RunnerOptions struct {
	Service     Service
	Catalogue   api.Catalogue
	Concurrency int // calls side by side where neither the request nor the suite says how many
	// MaxConcurrency bounds the calls side by side that a suite or a request asks for; 0 = no bound but that of suites.
	MaxConcurrency int
	MaxRepeat      int // how often a suite may ask for each answer; 0 = as often as it says
	Mask           *redact.Masker
	Log            *slog.Logger
	Now            func() time.Time
}

// Runner runs suites and reads their runs. It is safe for concurrent use.
type Runner struct{ o RunnerOptions }

// NewRunner returns a Runner.
func NewRunner(o RunnerOptions) *Runner { return &Runner{o} }

// read asks the store for something; its errors are for people.
func read[T any](ctx context.Context, r *Runner, ask func(history.Store) (T, error)) (value T, err error) {
	store, err := r.o.Service.Store(ctx)
	if err != nil {
		return value, err
	}
	value, err = ask(store)
	return value, problem.Store(err)
}

// MatchModels returns the slugs of the models that patterns such as alpha* name; see [api.Catalogue.Match].
func (r *Runner) MatchModels(patterns []string) ([]string, error) {
	models, err := r.o.Catalogue.Match(patterns...)
	slugs := make([]string, len(models))
	for i, m := range models {
		slugs[i] = m.Slug
	}
	return slugs, err
}

// List returns runs, the newest first: those of a suite's file, or all when the path is empty.
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

// Cells returns the cells of a run in the order of the suite. Their texts are read by their answers.
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
