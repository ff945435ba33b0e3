package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// catalogJSON is the catalogue of the service contract.
//
//go:embed catalog.json
var catalogJSON []byte

// Catalogue is an ordered list of models with different slugs. It is immutable.
type Catalogue struct{ models []Model }

// entry is a model as catalog.json has it.
type entry struct {
	Slug          string `json:"slug"`
	About         string `json:"about"`
	Params        string `json:"params"`
	Stage         string `json:"stage"`
	Slow          bool   `json:"slow"`
	SystemPrompt  string `json:"system_prompt"` // "undocumented" where none is known to be taken
	DefaultAspect string `json:"default_aspect_ratio"`
}

// Default returns the models of the service contract: texts, then text to image, then edits, each in the contract's
// order.
func Default() Catalogue {
	var file struct {
		Text  []entry `json:"text"`
		Image []entry `json:"text_to_image"`
		Edit  []entry `json:"image_edit"`
	}
	if err := json.Unmarshal(catalogJSON, &file); err != nil {
		panic(fmt.Sprintf("embedded catalogue: %v", err)) // caught by any test, never by a user
	}
	var c Catalogue
	c.add(Text, file.Text)
	c.add(Image, file.Image)
	c.add(Edit, file.Edit)
	return c
}

func (c *Catalogue) add(kind Kind, entries []entry) {
	for _, e := range entries {
		c.models = append(c.models, Model{
			Slug:          e.Slug,
			Kind:          kind,
			About:         e.About,
			Params:        e.Params,
			Stage:         e.Stage,
			Slow:          e.Slow,
			TakesSystem:   kind == Text && e.SystemPrompt == "",
			DefaultAspect: e.DefaultAspect,
		})
	}
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
// Custom. The error is an [Error] of code config.
func (c Catalogue) With(extra ...Model) (Catalogue, error) {
	out := Catalogue{models: c.Models()}
	seen := map[string]bool{}
	for _, m := range extra {
		switch {
		case !slug().MatchString(m.Slug):
			return Catalogue{}, configError("The model name %s may hold only letters, digits and . _ : @ + -, up to "+
				"100 of "+
				"them and a letter or digit first.", quote(m.Slug))
		case m.Kind != Text && m.Kind != Image && m.Kind != Edit:
			return Catalogue{},
				configError("The model %s has the kind %s: use text, image or edit.", m.Slug, quote(string(m.Kind)))
		case seen[m.Slug]:
			return Catalogue{}, configError("The model %s is configured twice: remove one of the two.", m.Slug)
		}
		seen[m.Slug] = true
		m.Custom = true
		m.TakesSystem = m.TakesSystem && m.Kind == Text
		out.put(m)
	}
	return out, nil
}

func (c *Catalogue) put(m Model) {
	if i := slices.IndexFunc(c.models, func(have Model) bool { return have.Slug == m.Slug }); i >= 0 {
		if c.models[i].Kind == m.Kind {
			c.models[i] = m
			return
		}
		c.models = slices.Delete(c.models, i, i+1)
	}
	last := len(c.models)
	for last > 0 && order(c.models[last-1].Kind) > order(m.Kind) {
		last--
	}
	c.models = slices.Insert(c.models, last, m)
}

func order(k Kind) int { return slices.Index([]Kind{Text, Image, Edit}, k) }

// slug is what the slug of a user's own model looks like: one segment of a path that no server reads in another way.
func slug() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,99}$`) }
