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
	release func() // may be nil
}

func (p published) withdraw() {
	if p.release != nil {
		p.release()
	}
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
		url, release, err := s.files.Publish(b.ctx, src.Path, link.PublishLocal)
		return published{url, release}, err
	})
	return p.url, err
}

// checkLookers refuses a turn whose pictures no model takes. Edit models take the source, and text models that read
// pictures take all. In a turn with one of these, other text models receive only the prompt.
func (s *Service) checkLookers(ctx context.Context, t history.Turn, models []api.Model) error {
	if t.Source == nil && len(picturesOf(t.Files)) == 0 {
		return nil
	}
	var blind []string
	for _, m := range models {
		if m.Kind == api.Edit && t.Source != nil || s.Extensions(ctx, m).TakesImages {
			return nil
		}
		if m.Kind == api.Text || t.Source == nil {
			blind = append(blind, m.Slug)
		}
	}
	if len(blind) == 0 {
		return nil
	}
	return problem.Usage("no vision: %s; choose another model, or set vision = true in its [[routes]] of the "+
		"configuration", strings.Join(blind, ", "))
}

// picturesForModel returns the pictures that go to a text model, none for one that takes no pictures: the source, then
// those of earlier turns and of the prompt. Pictures of earlier turns that are gone are left out.
func (s *Service) picturesForModel(ctx context.Context, t history.Turn, sent SentPrompt, offered api.Extensions) (
	images [][]byte, err error) {
	if !offered.TakesImages {
		return nil, nil
	}
	var paths []string
	for _, f := range sent.pictures {
		switch err := s.files.CheckAttached(ctx, f); {
		case err == nil:
			paths = append(paths, f.Path)
		case slices.Contains(t.Files, f):
			return nil, err
		}
	}
	switch src := t.Source; {
	case src == nil:
	case src.URL != "":
		return nil, problem.Usage("a text model takes a picture of this machine only; save %s to a file first", src.URL)
	case !slices.Contains(paths, src.Path):
		paths = append([]string{src.Path}, paths...)
	}
	for _, path := range paths {
		image, err := s.files.ForModel(ctx, path, len(paths))
		if err != nil {
			return nil, err
		}
		images = append(images, image)
	}
	return images, nil
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
