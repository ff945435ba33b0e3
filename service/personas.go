package service

import (
	"context"
	"strings"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/problem"
)

// Personas finds saved system prompts.
func (s *Service) Personas(ctx context.Context, text string) ([]history.Persona, error) {
	return callStore(ctx, s, history.Store.Personas, text)
}

// PersonaContents names what a persona sets, such as "system prompt, 2 models, temperature 0.2".
func PersonaContents(p history.Persona) string {
	var parts []string
	if p.Text != "" {
		parts = append(parts, "system prompt")
	}
	if n := len(p.Models); n > 0 {
		parts = append(parts, format.Count(n, "model"))
	}
	if !p.Params.IsZero() {
		parts = append(parts, ParamsText(p.Params))
	}
	return strings.Join(parts, ", ")
}

// SavePersona stores a system prompt under a name.
func (s *Service) SavePersona(ctx context.Context, p history.Persona) (history.Persona, error) {
	if err := s.o.Limits.Quota.ReserveBytes(0); err != nil {
		return history.Persona{}, err
	}
	p.Name, p.Text = s.o.Mask.String(p.Name), s.o.Mask.String(p.Text)
	return callStore(ctx, s, history.Store.SavePersona, p)
}

// AddPersona stores a persona whose name no other has in any case. The error is of code usage.
func (s *Service) AddPersona(ctx context.Context, p history.Persona) error {
	if strings.TrimSpace(p.Name) == "" {
		return problem.Usage("the persona has no name")
	}
	personas, err := s.Personas(ctx, "")
	if err != nil {
		return err
	}
	for _, other := range personas {
		if strings.EqualFold(other.Name, p.Name) {
			return problem.Usage("there is a persona %s already; remove it, or choose another name",
				termtext.Quote(p.Name))
		}
	}
	_, err = s.SavePersona(ctx, p)
	return err
}

// Persona returns the persona of a name in any case. The error of an unknown name is of code usage.
func (s *Service) Persona(ctx context.Context, name string) (history.Persona, error) {
	personas, err := s.Personas(ctx, "")
	if err != nil {
		return history.Persona{}, err
	}
	var names []string
	for _, p := range personas {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	if near := termtext.NearestName(name, names); near != "" {
		return history.Persona{}, problem.Usage("there is no persona %s; did you mean %s?", termtext.Quote(name),
			termtext.Line(near))
	}
	return history.Persona{}, problem.Usage("there is no persona %s; confab personas lists them", termtext.Quote(name))
}

func (s *Service) DeletePersona(ctx context.Context, id int64) error {
	return s.withStore(ctx, func(store history.Store) error { return store.DeletePersona(ctx, id) })
}
