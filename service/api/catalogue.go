package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"confab/internal/chat"
)

// catalogJSON is the catalogue of the service contract.
//
//go:embed catalog.json
var catalogJSON []byte

// Catalogue is an ordered list of models with different slugs. It is immutable.
type Catalogue struct{ models []Model }

// Default returns the models of the service contract: texts, then text to image, then edits, each in the contract's
// order.
func Default() Catalogue {
	type entry struct {
		Slug          string `json:"slug"`
		About         string `json:"about"`
		Params        string `json:"params"`
		Stage         string `json:"stage"`
		Slow          bool   `json:"slow"`
		SystemPrompt  string `json:"system_prompt"` // "undocumented" where none is known to be taken
		DefaultAspect string `json:"default_aspect_ratio"`
	}
	var file struct {
		Text  []entry `json:"text"`
		Image []entry `json:"text_to_image"`
		Edit  []entry `json:"image_edit"`
	}
	if err := json.Unmarshal(catalogJSON, &file); err != nil {
		panic(fmt.Sprintf("embedded catalogue: %v", err)) // caught by any test, never by a user
	}
	var c Catalogue
	for i, entries := range [][]entry{file.Text, file.Image, file.Edit} {
		kind := kinds()[i]
		for _, e := range entries {
			c.models = append(c.models, Model{Slug: e.Slug, Kind: kind, About: e.About, Params: e.Params,
				Stage: e.Stage, IsSlow: e.Slow, TakesSystem: kind == Text && e.SystemPrompt == "",
				DefaultAspect: e.DefaultAspect})
		}
	}
	return c
}

// kinds returns the kinds in the order of the catalogue.
func kinds() []ModelKind { return []ModelKind{Text, Image, Edit} }

// CatalogueOf returns a catalogue of models: texts, pictures, edits, each kind in the order of the models. Of two with
// one slug the first counts.
func CatalogueOf(models ...Model) Catalogue {
	var c Catalogue
	seen := map[string]bool{}
	for _, kind := range kinds() {
		for _, m := range models {
			if m.Kind == kind && !seen[m.Slug] {
				seen[m.Slug] = true
				c.models = append(c.models, m)
			}
		}
	}
	return c
}

// Models returns the models in order; the slice is the caller's.
func (c Catalogue) Models() []Model { return slices.Clone(c.models) }

// Find returns the model with exactly this slug.
func (c Catalogue) Find(slug string) (Model, bool) {
	i := slices.IndexFunc(c.models, func(m Model) bool { return m.Slug == slug })
	if i < 0 {
		return Model{}, false
	}
	return c.models[i], true
}

// With returns the catalogue with a user's own models: each stands after the last model of its kind, or in the place of
// the one with the same slug, so that a model the catalogue gains later does not break a configuration. They are marked
// IsCustom. The error is an [Error] of code config.
func (c Catalogue) With(extra ...Model) (Catalogue, error) {
	out := Catalogue{models: c.Models()}
	isSlug := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,99}$`).MatchString
	seen := map[string]bool{}
	for _, m := range extra {
		switch {
		case !isSlug(m.Slug):
			return Catalogue{}, configError("The model name %s may hold only letters, digits and . _ : @ + - /, up to "+
				"100 of them and a letter or digit first.", quote(m.Slug))
		case !slices.Contains(kinds(), m.Kind):
			return Catalogue{}, configError("The model %s has the kind %s: use text, image or edit.", m.Slug,
				quote(string(m.Kind)))
		case seen[m.Slug]:
			return Catalogue{}, configError("The model %s is configured twice: remove one of the two.", m.Slug)
		}
		seen[m.Slug] = true
		m.IsCustom = true
		m.TakesSystem = m.TakesSystem && m.Kind == Text
		out.put(m)
	}
	return out, nil
}

// put replaces the model with the slug of m, or adds m after the last model of its kind.
func (c *Catalogue) put(m Model) {
	isSame := func(have Model) bool { return have.Slug == m.Slug }
	if i := slices.IndexFunc(c.models, isSame); i >= 0 && c.models[i].Kind == m.Kind {
		c.models[i] = m
		return
	}
	order := func(k ModelKind) int { return slices.Index(kinds(), k) }
	c.models = append(slices.DeleteFunc(c.models, isSame), m)
	slices.SortStableFunc(c.models, func(a, b Model) int { return order(a.Kind) - order(b.Kind) })
}

// Match returns the models that the patterns name: a slug, or one without its tag or what is before a slash where that
// names one model (tiny for tiny:latest), a glob such as alpha*, or one of all-text, all-image, all-edit and all.
// Models come in the order of the patterns, each once. The error is an [Error]: unknown_model for a
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
		if _, err := chat.MatchModel(pattern, ""); err != nil {
			return nil, &Error{Code: CodeUsage, Err: err,
				Message: fmt.Sprintf("The model pattern %s cannot be read: check its brackets.", quote(pattern))}
		}
		matches = func(m Model) bool { ok, _ := chat.MatchModel(pattern, m.Slug); return ok }
		what = "matches"
	} else if short := c.short(pattern); len(short) == 1 {
		return short, nil
	} else if len(short) > 1 {
		return nil, &Error{Code: CodeUnknownModel, Message: fmt.Sprintf("The model %s may be %s: name one of them.",
			quote(pattern), slugsOf(short))}
	}
	out := slices.DeleteFunc(c.Models(), func(m Model) bool { return !matches(m) })
	if len(out) > 0 {
		return out, nil
	}
	return nil, c.unknown(what, pattern)
}

// Get returns the model with a slug. The error is an [Error] with the code unknown_model and the nearest slugs.
func (c Catalogue) Get(slug string) (Model, error) {
	if m, ok := c.Find(slug); ok {
		return m, nil
	}
	return Model{}, c.unknown("is called", slug)
}

func (c Catalogue) unknown(what, pattern string) error {
	hint := "list them with confab models."
	if near := c.near(pattern); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	} else if strings.Contains(strings.ToLower(pattern), "embed") {
		hint = "a model for embeddings answers no prompts; confab models lists those that do."
	}
	return &Error{Code: CodeUnknownModel, Message: fmt.Sprintf("No model %s %s: %s", what, quote(pattern), hint)}
}

// short returns the models whose slug is name but for a tag at its end, or for what is before its last slash. The tag
// latest comes before others, as in Ollama.
func (c Catalogue) short(name string) []Model {
	for _, fits := range []func(slug string) bool{
		func(slug string) bool { return slug == name+":latest" },
		func(slug string) bool { return path.Base(slug) == name || path.Base(slug) == name+":latest" },
		func(slug string) bool {
			untagged, _, _ := strings.Cut(slug, ":")
			return untagged == name || path.Base(untagged) == name
		},
	} {
		out := slices.DeleteFunc(c.Models(), func(m Model) bool { return !fits(m.Slug) })
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

func slugsOf(models []Model) string {
	var all []string
	for _, m := range models[:min(len(models), 3)] {
		all = append(all, m.Slug)
	}
	return strings.Join(all, ", ")
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
