package engine

import (
	"slices"
	"strings"

	"confab/internal/chat"
)

// ListedModel is a model that the server of an engine lists.
type ListedModel struct {
	Slug   string
	Engine string // name in the configuration
	Model
}

// Listed returns the models that servers list, in the order of the engines, and the number of changes so far. Those
// that a route names for the same engine have the slugs of the route and are left out. The slice must not be changed.
func (r *Router) Listed() (models []ListedModel, changes int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.listed, r.changes
}

// Add adds an engine, whose models are known once it was checked.
func (r *Router) Add(b *Backend) {
	r.mu.Lock()
	r.add(b)
	r.mu.Unlock()
	r.relist()
}

// relist computes the list anew. The first engine with a name has it as the slug; others put theirs before it.
func (r *Router) relist() {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := map[string]bool{}
	r.listed, r.changes = nil, r.changes+1
	for _, b := range r.backends {
		for _, m := range b.Models() {
			slug := Slug(m.Name)
			if taken[slug] {
				slug = b.name + "/" + slug
			}
			if slug == "" || taken[slug] || r.isRouted(b, m.Name) {
				continue
			}
			taken[slug] = true
			r.listed = append(r.listed, ListedModel{Slug: slug, Engine: b.name, Model: m})
		}
	}
	for i, m := range r.listed {
		r.bySlug[m.Slug] = &r.listed[i]
	}
	for slug := range r.bySlug {
		if !taken[slug] {
			delete(r.bySlug, slug)
		}
	}
}

// isRouted reports whether a route gives a model of an engine a slug of its own.
func (r *Router) isRouted(b *Backend, name string) bool {
	return slices.ContainsFunc(r.routes, func(one *Route) bool { return one.Backend == b && one.Model == name })
}

// listedRoute returns the route of a listed model; nil if there is none.
func (r *Router) listedRoute(slug string, k ModelKind) *Route {
	r.mu.RLock()
	defer r.mu.RUnlock()
	m := r.bySlug[slug]
	if m == nil || m.Kind != k {
		return nil
	}
	i := slices.IndexFunc(r.backends, func(b *Backend) bool { return b.name == m.Engine })
	return &Route{Backend: r.backends[i], Model: m.Name, Timeout: listedTimeout, isListed: true}
}

// Name returns the name in the configuration.
func (b *Backend) Name() string { return b.name }

// Address returns the address for people.
func (b *Backend) Address() string { return b.address }

// Models returns the models that the server listed last, without those that the configuration leaves out.
func (b *Backend) Models() []Model {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.models), func(m Model) bool {
		return len(b.patterns) > 0 && !slices.ContainsFunc(b.patterns, func(pattern string) bool {
			ok, _ := chat.MatchModel(pattern, m.Name)
			return ok || pattern == m.Name
		})
	})
}

// model returns what the server says of a model; only the name is set where it says nothing.
func (b *Backend) model(name string) Model {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.IndexFunc(b.models, func(m Model) bool { return m.Name == name }); i >= 0 {
		return b.models[i]
	}
	return Model{Name: name}
}

// setModels replaces the models unless the server has no list of them.
func (b *Backend) setModels(models []Model) {
	b.mu.Lock()
	hasChanged := models != nil && !slices.Equal(b.models, models)
	if hasChanged {
		b.models = models
	}
	b.mu.Unlock()
	if hasChanged && b.onList != nil {
		b.onList()
	}
}

// Slug converts a server's name of a model to a slug: letters, digits and . _ : @ + - / with a letter or digit first,
// at most 100 characters. Of a path of files it is the name of the file.
func Slug(model string) string {
	if strings.HasSuffix(model, ".gguf") || strings.HasPrefix(model, "/") || strings.Contains(model, `\`) {
		model = strings.TrimSuffix(model[strings.LastIndexAny(model, `/\`)+1:], ".gguf")
	}
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._:@+-/", r):
			return r
		}
		return '-'
	}, model)
	s = strings.Trim(strings.TrimLeft(s, "._:@+-/"), "/")
	return s[:min(len(s), 100)]
}
