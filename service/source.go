package service

import (
	"context"
	"slices"
	"strings"

	"confab/history"
	"confab/service/api"
	"confab/service/problem"
)

// published is a source picture with the URL at which the service can fetch it.
type published struct {
	url     string
	release func()
}

// sourceURL returns the URL of the source of a batch. It publishes a local picture once for all answers.
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
			return published{}, problem.ErrStopped // nothing would withdraw it
		}
		url, release, err := s.files.Publish(b.ctx, src.Path, link.PublishLocal)
		return published{url, release}, err
	})
	return p.url, err
}

// checkLookers refuses a turn whose source no model takes. Edit models take one, and text models that read pictures.
// In a turn with edit models, other text models receive only the prompt.
func (s *Service) checkLookers(ctx context.Context, source *history.Source, models []api.Model) error {
	if source == nil {
		return nil
	}
	var blind []string
	for _, m := range models {
		if m.Kind == api.Edit || s.Extensions(ctx, m).TakesImages {
			return nil
		}
		if m.Kind == api.Text {
			blind = append(blind, m.Slug)
		}
	}
	if len(blind) == 0 {
		return nil
	}
	return problem.Usage("%s cannot look at pictures here; leave the picture out, choose an edit model, or a text "+
		"model whose engine has vision = true", strings.Join(blind, ", "))
}

// pictureForModel returns the source of a batch for a text model, nil for one that takes no pictures.
func (s *Service) pictureForModel(ctx context.Context, b *batch, offered api.Extensions) ([]byte, error) {
	src := b.turn.Source
	switch {
	case src == nil || !offered.TakesImages:
		return nil, nil
	case src.URL != "":
		return nil, problem.Usage("a text model takes a picture of this machine only; save %s to a file first", src.URL)
	}
	return s.files.ForModel(ctx, src.Path)
}

// AgainPlan returns [pictures.Files.PublishPlan] for repeating an answer, empty unless it is an edit.
func (s *Service) AgainPlan(ctx context.Context, answer int64) (string, error) {
	a, t, err := s.answerWithTurn(ctx, answer)
	if err != nil || a.Kind != history.KindEdit || t.Source == nil {
		return "", err
	}
	return s.files.PublishPlan(ctx, *t.Source)
}

// ResumePlan is what [Service.Resume] would do.
type ResumePlan struct {
	Calls int // number of calls
	// Publish describes what would be published where, see [pictures.Files.PublishPlan]; empty if nothing leaves the
	// machine.
	Publish string
}

// ResumePlan returns what [Service.Resume] would do for a turn. It sends nothing.
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
