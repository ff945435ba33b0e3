package api

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Match returns the models that the patterns name: a slug, a glob such as alpha*, or one of all-text, all-image,
// all-edit and all. Models come in the order of the patterns, each once. The error is an [Error]: unknown_model for a
// pattern that names nothing, with the slugs nearest to it, and usage for a glob that cannot be read.
func (c Catalogue) Match(patterns ...string) ([]Model, error) {
	var out []Model
	for _, p := range patterns {
		found, err := c.match(strings.TrimSpace(p))
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			if !slices.ContainsFunc(out, func(have Model) bool { return have.Slug == m.Slug }) {
				out = append(out, m)
			}
		}
	}
	return out, nil
}

func (c Catalogue) match(pattern string) ([]Model, error) {
	if m, ok := c.Find(pattern); ok {
		return []Model{m}, nil
	}
	matches := func(m Model) bool { return pattern == "all" || pattern == "all-"+string(m.Kind) }
	what := "is called"
	if strings.ContainsAny(pattern, `*?[`) {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, &Error{Code: CodeUsage, Err: err,
				Message: fmt.Sprintf("The model pattern %s cannot be read: check its brackets.", quote(pattern))}
		}
		matches = func(m Model) bool { ok, _ := path.Match(pattern, m.Slug); return ok }
		what = "matches"
	}
	out := slices.DeleteFunc(c.Models(), func(m Model) bool { return !matches(m) })
	if len(out) > 0 {
		return out, nil
	}
	hint := "list them with confab models."
	if near := c.near(pattern); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	}
	return nil, &Error{Code: CodeUnknownModel, Message: fmt.Sprintf("No model %s %s: %s", what, quote(pattern), hint)}
}

// near returns up to three slugs like s, the nearest first.
func (c Catalogue) near(s string) []string {
	s = strings.Trim(strings.ToLower(s), "*?")
	if s == "" || len(s) > 100 {
		return nil
	}
	type candidate struct {
		slug string
		far  int
	}
	var all []candidate
	for _, m := range c.models {
		low := strings.ToLower(m.Slug)
		far := levenshtein.ComputeDistance(s, low)
		switch {
		case strings.Contains(low, s), strings.Contains(s, low):
			far = min(far, 2)
		case far > max(2, len(s)/3):
			continue
		}
		all = append(all, candidate{m.Slug, far})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.far - b.far })
	var out []string
	for _, one := range all[:min(3, len(all))] {
		out = append(out, one.slug)
	}
	return out
}
