package service

import (
	"context"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/problem"
	"confab/service/suite"
)

// Runner returns the runner of suites.
func (s *Service) Runner() *suite.Runner { return s.runner }

func newRunner(s *Service) *suite.Runner {
	return suite.NewRunner(suite.RunnerOptions{Service: runService{s}, Catalogue: s.o.Backend.Catalogue,
		Concurrency: s.o.Limits.Concurrency, MaxConcurrency: s.o.Limits.MaxConcurrency,
		MaxRepeat: s.o.Limits.MaxSamples, Grader: s.o.Grader, Scripts: s.o.Scripts,
		Mask: s.o.Mask, Log: s.o.Log, Now: s.o.Now})
}

// runService implements [suite.Service]: it sends the prompts of a run's cells.
type runService struct{ *Service }

// activeRun is a run in progress, which Close cancels and waits for.
type activeRun struct{ cancel context.CancelCauseFunc }

func (r runService) Begin(calls int, cancel context.CancelCauseFunc) (end func(), err error) {
	if err := r.o.Limits.Quota.CheckAnswers(calls); err != nil {
		return nil, err
	}
	release, err := r.hold()
	if err != nil {
		return nil, err
	}
	run := &activeRun{cancel}
	r.mu.Lock()
	r.runs[run] = struct{}{}
	closed := r.isClosing
	r.mu.Unlock()
	if closed {
		cancel(ErrClosing)
	}
	return func() {
		r.mu.Lock()
		delete(r.runs, run)
		r.mu.Unlock()
		release()
	}, nil
}

func (r runService) Store(ctx context.Context) (history.Store, error) { return r.history(ctx) }

func (r runService) Recover(ctx context.Context) error {
	_, err := r.Start(ctx)
	return err
}

func (r runService) Source(ctx context.Context, written, folder string) (suite.Source, error) {
	source, err := pictures.ParseSource(written)
	if err != nil {
		return suite.Source{}, err
	}
	if path := source.Path; path != "" {
		if folder != "" && !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") {
			path = filepath.Join(folder, path)
		}
		if source.Path, err = r.paths.Resolve(path); err != nil {
			return suite.Source{}, problem.Disk("find the picture to edit", err)
		}
	}
	judged, err := r.files.CheckSource(ctx, &source)
	if err != nil {
		return suite.Source{}, err
	}
	found := suite.Source{Source: judged}
	if judged.Path != "" {
		b, err := r.files.Read(ctx, judged.Path)
		if err != nil {
			return suite.Source{}, err
		}
		found.SHA256 = pictures.SHA256(pictures.CleanCopy(b))
	}
	found.Publish, err = r.files.PublishPlan(ctx, *judged)
	return found, err
}

func (r runService) Check(t history.Turn) error {
	_, _, err := r.check(PromptOf(t))
	return err
}

func (r runService) CostOf(a history.Answer) history.Cost { return r.costOf(a) }

func (r runService) Prepare(ctx context.Context, t history.Turn) (history.Turn, func(turn int64), error) {
	p, models, err := r.check(PromptOf(t))
	if err != nil {
		return t, nil, err
	}
	if p.Chat, err = suite.ParseChat(p.Text); err != nil {
		return t, nil, problem.Usage("the prompt cannot be sent: %v", err)
	}
	answers, err := r.answersOf(ctx, p, models)
	if err != nil {
		return t, nil, err
	}
	recorded, err := r.o.Limits.Quota.ReserveAnswers(len(answers))
	if err != nil {
		return t, nil, err
	}
	return turnOf(p, p.Session, p.Source, answers), recorded, nil
}

func (r runService) Admit() (recorded func(turn int64), err error) {
	return r.o.Limits.Quota.ReserveAnswers(1)
}

func (r runService) Grade(ctx context.Context, t history.Turn) (history.Answer, error) {
	a := t.Answers[0]
	m, err := r.model(a.Model)
	if err != nil {
		return a, err
	}
	link, err := r.connection(ctx)
	if err != nil {
		return a, err
	}
	if _, err := r.o.Limits.Quota.ReserveAnswers(1); err != nil {
		return a, err
	}
	sent := SentPrompt{Prompt: t.Prompt}
	response, exchange, err := link.Client.Do(ctx, request(t, a, sent, m, r.Extensions(ctx, m)), func(api.Progress) {})
	a.Text, a.Finish, a.EngineModel = response.Text, response.Finish, response.EngineModel
	a.Elapsed = max(exchange.Total-response.QueueWait, 0)
	r.setUsage(&a, response.Usage)
	return a, err
}

func (r runService) Send(ctx context.Context, t history.Turn, a history.Answer) (<-chan history.Event, error) {
	return r.start(ctx, t, []history.Answer{a}, r.newSlots())
}
