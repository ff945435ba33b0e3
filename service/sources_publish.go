package service

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"confab/history"
	"confab/service/api"
	"confab/service/pictures"
)

// published is a source picture at the URL at which the service can fetch it.
type published struct {
	url     string
	release func()
}

// sourceURL returns the URL to be sent for the source of a batch, publishing a
// local picture once for all its answers.
func (s *Service) sourceURL(ctx context.Context, b *batch, link Connection) (string, error) {
	src := b.turn.Source
	switch {
	case src == nil:
		return "", usage("the edit models need a source picture; choose one of this session, a file or a URL")
	case src.URL != "":
		return src.URL, nil
	}
	p, err := b.source.get(ctx, s.o.Log, "publish", func(context.Context) (published, error) {
		if b.over.Load() {
			return published{}, errStopped // nobody would take it back
		}
		return s.publish(b.ctx, link, src.Path)
	})
	return p.url, err
}

// publish makes a local picture reachable: by the embedded service, or through
// the publisher. What goes to the outside is the picture as it was received,
// without the prompt that confab put into the file.
func (s *Service) publish(ctx context.Context, link Connection, path string) (published, error) {
	if link.PublishLocal != nil {
		u, release, err := link.PublishLocal(path)
		if err != nil {
			return published{}, publishProblem(err)
		}
		return published{u, release}, nil
	}
	if s.o.Publish == nil {
		return published{}, cannotPublish()
	}
	if !s.wasTold(path) {
		return published{}, usage("the source picture was not published, because nobody was told where it would go; send " +
			"the prompt again and agree")
	}
	public, remove, err := s.publicCopy(path)
	if err != nil {
		return published{}, err
	}
	u, release, err := s.o.Publish.Publish(ctx, public)
	if err != nil {
		remove()
		if ctx.Err() != nil {
			return published{}, context.Cause(ctx)
		}
		return published{}, publishProblem(err)
	}
	return published{u, func() {
		if release != nil {
			release()
		}
		remove()
	}}, nil
}

// publishProblem keeps an error for people and names any other.
func publishProblem(err error) error {
	if api.CodeOf(err) != "" {
		return err
	}
	return fail(api.CodeImageUnreachable, err, "the source picture could not be published, the log says more")
}

// cannotPublish says what a remote service needs for a local picture.
func cannotPublish() *api.Error {
	return fail(api.CodeConfig, nil, "a remote service cannot fetch a picture from this machine; set upload_command or "+
		"public_url, or give the picture's URL")
}

// publicCopy returns a copy of the picture as it was received, in a temporary
// folder and under a name that nobody can guess and that tells nothing: an
// upload command may keep the name it is given.
func (s *Service) publicCopy(path string) (public string, remove func(), err error) {
	b, err := s.readPicture(path)
	if err != nil {
		return "", nil, err
	}
	// The file may have become another one since the person was asked.
	facts, err := api.JudgeImage(b, api.DefaultLimits().Pixels)
	if err != nil {
		return "", nil, notAPicture(filepath.Base(path), err)
	}
	dir, err := s.tempFolder()
	if err != nil {
		return "", nil, diskProblem("copy the source picture", err)
	}
	remove = func() {
		if err := os.RemoveAll(dir); err != nil {
			s.log().Warn("Left a temporary copy of a picture", "error", err)
		}
	}
	public = filepath.Join(dir, strings.ToLower(rand.Text())+pictureExt(facts.ContentType))
	if err := os.WriteFile(public, pictures.CleanCopy(b), 0o600); err != nil {
		remove()
		return "", nil, diskProblem("copy the source picture", err)
	}
	return public, remove, nil
}

// PublishPlan says in one sentence what will be published where when a turn
// with this source is sent; it is empty when nothing leaves the machine. An
// error means that the source cannot be used. Whoever asks tells the person and
// sends only when they agree; a picture whose plan was never asked for is not
// published.
func (s *Service) PublishPlan(ctx context.Context, src history.Source) (string, error) {
	if src == (history.Source{}) {
		return "", nil
	}
	if src.URL != "" {
		return "", nil // it is out there already
	}
	path, err := s.sourcePath(ctx, src)
	if err != nil {
		return "", err
	}
	if s.Endpoint(ctx).Embedded {
		return "", nil
	}
	if s.o.Publish == nil {
		return "", cannotPublish()
	}
	s.mu.Lock()
	s.told[path] = true
	s.mu.Unlock()
	return s.o.Publish.Plan(path), nil
}

// wasTold tells whether it was asked what would become of the picture: who
// sends without having asked cannot have told a person.
func (s *Service) wasTold(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told[path]
}

// AgainPlan is [Service.PublishPlan] of asking once more for an answer. It is empty when that is no edit.
func (s *Service) AgainPlan(ctx context.Context, answer int64) (string, error) {
	a, err := s.Answer(ctx, answer)
	if err != nil {
		return "", err
	}
	t, err := s.Turn(ctx, a.Turn)
	if err != nil || a.Kind != history.KindEdit || t.Source == nil {
		return "", err
	}
	return s.PublishPlan(ctx, *t.Source)
}

// ResumePlan is what [Service.Resume] would do.
type ResumePlan struct {
	Calls   int    // that would be made
	Publish string // what would be published where, see [Service.PublishPlan]; empty when nothing leaves the machine
}

// ResumePlan says what asking for what is missing of a turn would do. It sends nothing.
func (s *Service) ResumePlan(ctx context.Context, turn int64) (ResumePlan, error) {
	t, err := s.Turn(ctx, turn)
	if err != nil {
		return ResumePlan{}, err
	}
	missing := missingOf(t)
	plan := ResumePlan{Calls: len(missing)}
	edits := slices.ContainsFunc(t.Answers,
		func(a history.Answer) bool { return missing[a.ID] && a.Kind == history.KindEdit })
	if edits && t.Source != nil {
		plan.Publish, err = s.PublishPlan(ctx, *t.Source)
	}
	return plan, err
}
