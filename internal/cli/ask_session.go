package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"confab/history"
	"confab/internal/config"
	"confab/service"
	"confab/service/api"
	"confab/service/problem"
)

// complete fills in the session, what that is sent with where no flag says otherwise, and the models when none were
// named.
func (a *app) complete(ctx context.Context, svc *service.Service, p *service.Prompt, f askFlags) error {
	a.recoverInterrupted(ctx, svc)
	var err error
	if p.Session, err = a.sessionToAsk(ctx, svc, f); err != nil {
		return err
	}
	var models []string
	if !f.isSet("context") {
		p.HasContext = a.config.Models.Context
	}
	if p.Session != 0 {
		setup, err := svc.Setup(ctx, p.Session)
		if err != nil {
			return err
		}
		if setup != nil {
			models = setup.Models
			continueSetup(p, *setup, f)
		}
	}
	for _, param := range f.params { // of the session or the persona
		if name, value, _ := strings.Cut(param, "="); strings.TrimSpace(value) == "" {
			delete(p.Params, name)
		}
	}
	if len(p.Models) == 0 {
		if p.Models, err = a.usualModels(ctx, svc, models, p.Source != nil); err != nil {
			return err
		}
		if isTerminal(a.env.Stderr) && f.json == "" {
			a.note("confab: asking " + strings.Join(p.Models, ", ") + "; -m names another model")
		}
	}
	return a.checkKinds(*p, f)
}

// sessionToAsk returns the session that the flags name, 0 for a new one.
func (a *app) sessionToAsk(ctx context.Context, svc *service.Service, f askFlags) (int64, error) {
	switch {
	case f.last:
		s, err := a.lastSession(ctx, svc)
		return s.ID, err
	case f.SessionName == "":
		return 0, nil
	}
	s, err := a.sessionOrNew(ctx, svc, f.SessionName)
	return s.ID, err
}

// sessionOrNew finds a session by its reference or name. Where there is none of that name, it returns one without an
// id, which the first prompt makes.
func (a *app) sessionOrNew(ctx context.Context, svc *service.Service, name string) (history.Session, error) {
	if kind, _, isReference := parseReference(name); isReference && kind == 's' {
		return a.session(ctx, svc, name)
	}
	s, err := svc.SessionNamed(ctx, name)
	if errors.Is(err, history.ErrNotFound) {
		return history.Session{Name: name}, nil
	}
	return s, err
}

// continueSetup fills in what a session is sent with and no flag sets.
func continueSetup(p *service.Prompt, setup history.Setup, f askFlags) {
	if !f.isSet("context") {
		p.HasContext = setup.HasContext
	}
	if !f.isSet("system") && !f.isSet("persona") {
		p.System = setup.System
	}
	p.Params = setup.Params.With(p.Params)
}

// usualModels returns those of the session, else the configured models, else those marked last on the screen, else the
// first there is. Simulated ones marked last give way to a model of an engine that is up, and do not stand in for an
// engine that is down. With edit it returns only
// models that edit, without it only the others; of the session's also those that look at pictures.
func (a *app) usualModels(ctx context.Context, svc *service.Service, ofSession []string, edit bool) ([]string, error) {
	suits := func(m api.Model) bool { return (m.Kind == api.Edit) == edit }
	slugs := slices.DeleteFunc(slices.Clone(ofSession), func(slug string) bool {
		m, ok := a.catalogue().Find(slug)
		return !ok || !suits(m) && !(edit && svc.Extensions(ctx, m).TakesImages)
	})
	if len(slugs) > 0 {
		return slugs, nil
	}
	slugs, err := a.matchModels(ctx, nil)
	if err != nil {
		return nil, err
	}
	if len(slugs) == 0 {
		if marked, err := svc.Setting(ctx, "models"); err == nil { // without it there is the first of all
			slugs = strings.Fields(marked)
		}
	}
	slugs = slices.DeleteFunc(slugs, func(slug string) bool {
		m, ok := a.catalogue().Find(slug)
		return !ok || !suits(m)
	})
	isSimulated := func(slug string) bool { return a.engineOf(slug).Engine == config.Offline }
	if len(slugs) > 0 && (len(a.config.Models.Default) > 0 || !slices.ContainsFunc(slugs, isSimulated)) {
		return slugs, nil
	}
	first := a.firstModel(ctx, suits)
	switch {
	case first != "" && !isSimulated(first):
		return []string{first}, nil
	case !edit && a.unknownEngine() != "":
		return nil, &api.Error{Code: api.CodeService, Message: a.unknownEngine() + " -m names a model of another one."}
	case len(slugs) > 0:
		return slugs, nil
	case first != "":
		return []string{first}, nil
	}
	return nil, problem.Usage("no model is named; -m names one, confab models lists them")
}
