package service

import (
	"context"
	"slices"

	"confab/history"
	"confab/service/problem"
)

// published is a source picture at the URL at which the service can fetch it.
type published struct {
	url     string
	release func()
}

// sourceURL returns the URL to be sent for the source of a batch, publishing a local picture once for all its answers.
func (s *Service) sourceURL(ctx context.Context, b *batch, link Connection) (string, error) {
	src := b.turn.Source
	switch {
	case src == nil:
		return "", problem.Usage("the edit models need a source picture; choose one of this session, a file or a URL")
	case src.URL != "":
		return src.URL, nil
	}
	p, err := b.source.get(ctx, s.o.Log, "publish", func(context.Context) (published, error) {
		if b.isSourceClosed.Load() {
			return published{}, problem.ErrStopped // nobody would take it back
		}
		url, release, err := s.files.Publish(b.ctx, src.Path, link.PublishLocal)
		return published{url, release}, err
	})
	return p.url, err
}

// AgainPlan is [pictures.Files.PublishPlan] of asking once more for an answer. It is empty when that is no edit.
func (s *Service) AgainPlan(ctx context.Context, answer int64) (string, error) {
	a, t, err := s.answerWithTurn(ctx, answer)
	if err != nil || a.Kind != history.KindEdit || t.Source == nil {
		return "", err
	}
	return s.files.PublishPlan(ctx, *t.Source)
}

// ResumePlan is what [Service.Resume] would do.
type ResumePlan struct {
	Calls int // that would be made
	// Publish says what would be published where, see [pictures.Files.PublishPlan]; empty when nothing leaves the
	// machine.
	Publish string
}

// ResumePlan says what asking for what is missing of a turn would do. It sends nothing.
func (s *Service) ResumePlan(ctx context.Context, turn int64) (ResumePlan, error) {
	t, err := s.Turn(ctx, turn)
	if err != nil {
		return ResumePlan{}, err
	}
	missing := MissingAnswers(t)
	plan := ResumePlan{Calls: len(missing)}
	edits := slices.ContainsFunc(t.Answers,
		func(a history.Answer) bool { return missing[a.ID] && a.Kind == history.KindEdit })
	if edits && t.Source != nil {
		plan.Publish, err = s.files.PublishPlan(ctx, *t.Source)
	}
	return plan, err
}
