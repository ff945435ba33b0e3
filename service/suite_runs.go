package service

import (
	"context"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/service/pictures"
	"confab/service/problem"
	"confab/service/suiterun"
)

// Runner runs suites and reads their runs.
func (s *Service) Runner() *suiterun.Runner { return s.runner }

func newRunner(s *Service) *suiterun.Runner {
	return suiterun.NewRunner(suiterun.Options{Service: runService{s}, Catalogue: s.o.Catalogue,
		Concurrency: s.o.Concurrency, MaxRepeat: s.o.MaxSamples, Mask: s.o.Mask, Log: s.o.Log, Now: s.o.Now})
}

// runService implements [suiterun.Service]: it sends the prompts of a run's cells.
type runService struct{ s *Service }

// activeRun is a run in progress, which the closing service cancels and waits for.
type activeRun struct{ cancel context.CancelCauseFunc }

func (r runService) Begin(calls int, cancel context.CancelCauseFunc) (end func(), err error) {
	if err := r.s.allow(calls); err != nil {
		return nil, err
	}
	release, err := r.s.hold()
	if err != nil {
		return nil, err
	}
	run := &activeRun{cancel}
	r.s.mu.Lock()
	r.s.runs[run] = struct{}{}
	closed := r.s.closed
	r.s.mu.Unlock()
	if closed {
		cancel(ErrClosing)
	}
	return func() {
		r.s.mu.Lock()
		delete(r.s.runs, run)
		r.s.mu.Unlock()
		release()
	}, nil
}

func (r runService) Store(ctx context.Context) (history.Store, error) { return r.s.history(ctx) }

func (r runService) Recover(ctx context.Context) error {
	_, err := r.s.Start(ctx)
	return err
}

func (r runService) Source(ctx context.Context, written, folder string) (suiterun.Source, error) {
	source, err := pictures.ParseSource(written)
	if err != nil {
		return suiterun.Source{}, err
	}
	if path := source.Path; path != "" {
		if folder != "" && !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") {
			path = filepath.Join(folder, path)
		}
		if source.Path, err = r.s.paths.Resolve(path); err != nil {
			return suiterun.Source{}, problem.Disk("find the picture to edit", err)
		}
	}
	judged, err := r.s.files.CheckSource(ctx, &source)
	if err != nil {
		return suiterun.Source{}, err
	}
	found := suiterun.Source{Source: judged}
	if judged.Path != "" {
		b, err := r.s.files.Read(ctx, judged.Path)
		if err != nil {
			return suiterun.Source{}, err
		}
		found.SHA256 = pictures.SHA256(pictures.CleanCopy(b))
	}
	found.Publish, err = r.s.files.PublishPlan(ctx, *judged)
	return found, err
}

// promptOf returns the prompt of a turn that a run is to send.
func promptOf(t history.Turn) Prompt {
	return Prompt{Session: t.Session, Text: t.Prompt, System: t.System, Models: modelsOf(t), Aspect: t.Aspect,
		Nonce: t.Nonce, Source: t.Source, Samples: t.Samples, Vars: t.Vars, Template: t.Template,
		SystemTemplate: t.SystemTemplate}
}

func (r runService) Check(t history.Turn) error {
	_, _, err := r.s.check(promptOf(t))
	return err
}

func (r runService) Prepare(ctx context.Context, t history.Turn) (history.Turn, func(turn int64), error) {
	p, models, err := r.s.check(promptOf(t))
	if err != nil {
		return t, nil, err
	}
	answers, err := r.s.answersOf(ctx, p, models)
	if err != nil {
		return t, nil, err
	}
	recorded, err := r.s.admit(len(answers), false)
	if err != nil {
		return t, nil, err
	}
	return turnOf(p, p.Session, p.Source, answers), recorded, nil
}

func (r runService) Admit() (recorded func(turn int64), err error) { return r.s.admit(1, false) }

func (r runService) Send(ctx context.Context, t history.Turn, a history.Answer) (<-chan history.Event, error) {
	calls, err := r.s.callsFor(t, []history.Answer{a})
	if err != nil {
		return nil, err
	}
	return r.s.start(ctx, t, calls)
}

func (r runService) Turn(ctx context.Context, id int64) (history.Turn, error) {
	return r.s.Turn(ctx, id)
}

func (r runService) Answer(ctx context.Context, id int64) (history.Answer, error) {
	return r.s.Answer(ctx, id)
}

func (r runService) Problem(err error) error { return problem.Store(err) }
