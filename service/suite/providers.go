package suite

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"confab/service/api"
	"confab/service/problem"
)

// UnknownProvidersError is the cause of an error about providers of a suite that name no model of the catalogue.
type UnknownProvidersError struct {
	IDs     []string
	Example string // the slug of some model
}

// Error returns one clause, with [UnknownProvidersError.Lines].
func (e *UnknownProvidersError) Error() string {
	return e.Summary() + ": " + strings.Join(e.Lines(), " ")
}

// Summary returns the clause without the lines.
func (e *UnknownProvidersError) Summary() string {
	return fmt.Sprintf("no model here answers for %s; write into the configuration which ones do, or name others by -m",
		strings.Join(e.IDs, ", "))
}

// Lines returns what to write into the configuration.
func (e *UnknownProvidersError) Lines() []string {
	lines := []string{"[suite.providers]"}
	for _, id := range e.IDs {
		quote := `"`
		if strings.ContainsAny(id, `"\`) {
			quote = "'"
		}
		lines = append(lines, quote+id+quote+` = "`+e.Example+`"`)
	}
	return lines
}

// modelOf returns the model of a provider: one of llm:, image: and edit:, one that the configuration names, or the one
// that is called as promptfoo calls it, such as gpt-4o for openai:chat:gpt-4o.
func (s Suite) modelOf(id string, catalogue api.Catalogue) (api.Model, bool) {
	if kind, slug, ok := slugOf(id); ok {
		m, found := catalogue.Find(slug)
		return m, found && m.Kind == kind
	}
	if slug, ok := s.Models[id]; ok {
		if _, own, ok := slugOf(slug); ok {
			slug = own
		}
		return catalogue.Find(slug)
	}
	for name, isMore := id, true; isMore; _, name, isMore = strings.Cut(name, ":") {
		for _, name := range []string{name, path.Base(name)} {
			if strings.ContainsAny(name, "*?[") || name == "all" || strings.HasPrefix(name, "all-") {
				continue // a pattern of several models
			}
			if found, err := catalogue.Match(name); err == nil && len(found) == 1 {
				return found[0], true
			}
		}
	}
	return api.Model{}, false
}

// models returns the models of a suite in the order of its providers. One error names all providers without a model.
func (s Suite) models(catalogue api.Catalogue) ([]model, error) {
	switch {
	case len(s.Prompts) == 0:
		return nil, errorAt(0, "there is no prompt: write prompts")
	case len(s.Providers) == 0:
		return nil, errorAt(0, "there is no model: write providers such as llm:<model>")
	}
	var out []model
	unknown := UnknownProvidersError{Example: "MODEL"}
	for _, p := range s.Providers {
		kind, slug, isOwn := slugOf(p.ID)
		m, found := s.modelOf(p.ID, catalogue)
		switch {
		case found:
			out = append(out, model{p, m})
		case isOwn:
			e := errorAt(p.Line, "%s is no %s model", quote(slug), kind)
			var unknown *api.Error
			if _, err := catalogue.Get(slug); errors.As(err, &unknown) {
				e = errorAt(p.Line, "%s", problem.Clause(unknown.Message))
			}
			e.code = api.CodeUnknownModel
			return nil, e
		case !slices.Contains(unknown.IDs, p.ID):
			unknown.IDs = append(unknown.IDs, p.ID)
		}
	}
	if len(unknown.IDs) == 0 {
		return out, nil
	}
	if all := catalogue.Models(); len(all) > 0 {
		unknown.Example = all[0].Slug
	}
	e := errorAt(0, "%s", &unknown)
	e.code, e.cause = api.CodeUnknownModel, &unknown
	return nil, e
}

// withModels returns the suite with other models. A model of the suite keeps its settings; another one gets those of
// the first of its kind, which keeps sources and ratios.
func (s Suite) withModels(slugs []string, catalogue api.Catalogue) (Suite, error) {
	if len(slugs) == 0 {
		return s, nil
	}
	var chosen []Provider
	for _, slug := range slugs {
		wanted, err := catalogue.Get(slug)
		if err != nil {
			return s, err
		}
		p, isKnown := Provider{ID: providerPrefix(wanted.Kind) + slug}, false
		for i := len(s.Providers) - 1; i >= 0; i-- {
			other := s.Providers[i]
			m, found := s.modelOf(other.ID, catalogue)
			if m.Kind == wanted.Kind || !found && wanted.Kind == api.Text {
				p.Config, p.Params, p.Line = other.Config, other.Params, other.Line
			}
		}
		for _, other := range s.Providers {
			if m, found := s.modelOf(other.ID, catalogue); found && m.Slug == slug {
				chosen, isKnown = append(chosen, other), true
			}
		}
		if !isKnown {
			chosen = append(chosen, p)
		}
	}
	s.Providers = chosen
	return s, nil
}
