package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"confab/internal/config"
	"confab/internal/fileio"
	"confab/service/api"
	"confab/service/engine"
)

// engineSet holds the engines of a run, shared by the service and by those who ask for their state.
type engineSet struct {
	once   sync.Once
	router *engine.Router
	err    error

	mu    sync.Mutex
	added []config.Engine // to the configuration since it was read

	checking sync.Mutex
	checked  time.Time
	saved    int // changes of the lists that the file has

	arranging sync.Mutex
	arranged  int // changes of the lists that models shows; -1 for none
	models    api.Catalogue
}

// router returns the engines, made with the first call.
func (a *app) router() (*engine.Router, error) { return a.routerWith(a.log) }

// configuredEngines returns the engines of the configuration, also those added since it was read.
func (a *app) configuredEngines() []config.Engine {
	a.engineSet.mu.Lock()
	defer a.engineSet.mu.Unlock()
	return slices.Concat(a.config.Engines, a.engineSet.added)
}

func (s *engineSet) add(e config.Engine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added = append(s.added, e)
	s.checking.Lock()
	defer s.checking.Unlock()
	s.checked = time.Time{}
}

// catalogue returns the models of the moment: those of the configuration and the contract, and those that engines of
// the embedded service list.
func (a *app) catalogue() api.Catalogue {
	if !a.isEmbedded() {
		return a.configured
	}
	router, err := a.router()
	if err != nil {
		return a.configured // said when it is needed
	}
	listed, changes := router.Listed()
	s := a.engineSet
	s.arranging.Lock()
	defer s.arranging.Unlock()
	if s.arranged != changes {
		s.models, s.arranged = a.arrange(router, listed), changes
	}
	return s.models
}

// arrange puts the models of each kind in order: favourites, those that engines answer, simulated ones. It leaves out
// what nobody answers unless the configuration adds it.
func (a *app) arrange(router *engine.Router, listed []engine.ListedModel) api.Catalogue {
	var custom, live, routed, simulated []api.Model
	for _, m := range a.configured.Models() {
		switch who := router.ModelStatus(m.Slug, engine.ModelKind(m.Kind)).Engine; {
		case who == config.Offline:
			simulated = append(simulated, m)
		case m.IsCustom: // also where nobody answers it, as its owner should see that
			custom = append(custom, m)
		case who != "":
			routed = append(routed, m)
		}
	}
	for _, m := range listed {
		live = append(live, api.Model{Slug: m.Slug, Kind: api.ModelKind(m.Kind), Params: m.Size,
			About: "of " + m.Engine, TakesSystem: m.Kind == engine.KindText})
	}
	all := slices.Concat(custom, live, routed, simulated)
	rank := func(m api.Model) uint { return uint(slices.Index(a.config.Models.Favourites, m.Slug)) } // others are last
	slices.SortStableFunc(all, func(x, y api.Model) int { return cmp.Compare(rank(x), rank(y)) })
	return api.CatalogueOf(all...)
}

// listModels asks the engines of the embedded service for their models, which takes at most [checkWait].
func (a *app) listModels(ctx context.Context) {
	if !a.isEmbedded() {
		return
	}
	if _, err := a.router(); err == nil {
		a.checkEngines(ctx)
	}
}

// listsPath is the file of the models that engines listed last, so that they are known before the engines are asked.
func (a *app) listsPath() string { return filepath.Join(a.config.Paths.State, "engines.json") }

// maxLists bounds the file of the lists.
const maxLists = 16 << 20

// listName names the list of an engine in the file; an engine that moves starts anew.
func listName(engine, url string) string { return engine + " " + url }

// readLists returns the models that engines listed last, by [listName]; none where the file cannot be read.
func readLists(path string) map[string][]engine.Model {
	lists := map[string][]engine.Model{}
	b, err := fileio.ReadSettings(path, maxLists)
	if err != nil || json.Unmarshal(b, &lists) != nil {
		return nil
	}
	return lists
}

// writeLists stores the models that engines list now.
func (a *app) writeLists() error {
	lists := map[string][]engine.Model{}
	router, err := a.router()
	if err != nil {
		return err
	}
	for _, b := range router.Backends() {
		if models := b.Models(); len(models) > 0 {
			lists[listName(b.Name(), b.Address())] = models
		}
	}
	b, err := json.Marshal(lists)
	if err != nil {
		return err
	}
	if err := config.EnsureDir(a.config.Paths.State); err != nil {
		return err
	}
	return fileio.Write(a.listsPath(), b, 0o600)
}

// engineOf returns the state of a model's engine; it is empty for another service.
func (a *app) engineOf(slug string) engine.ModelStatus {
	m, _ := a.catalogue().Find(slug)
	router, err := a.router()
	if err != nil || !a.isEmbedded() {
		return engine.ModelStatus{}
	}
	return router.ModelStatus(slug, engine.ModelKind(m.Kind))
}

// unknownEngine returns what is wrong with an engine of texts that is down and has not listed its models yet; "" for
// none.
func (a *app) unknownEngine() string {
	router, err := a.router()
	if err != nil || !a.isEmbedded() {
		return ""
	}
	listed, _ := router.Listed()
	for _, s := range router.Statuses() {
		isOf := func(e config.Engine) bool { return e.Name == s.Engine && e.Kind == "openai" }
		hasListed := func(m engine.ListedModel) bool { return m.Engine == s.Engine }
		if s.CheckFailure != "" && slices.ContainsFunc(a.configuredEngines(), isOf) &&
			!slices.ContainsFunc(listed, hasListed) {
			return s.CheckFailure
		}
	}
	return ""
}

// firstModel returns the first suitable model of an engine that is up, else the first suitable one; "" for none.
func (a *app) firstModel(ctx context.Context, suits func(api.Model) bool) string {
	a.listModels(ctx)
	first := ""
	for _, m := range a.catalogue().Models() {
		if !suits(m) {
			continue
		}
		if who := a.engineOf(m.Slug); who.IsUp && who.Engine != config.Offline {
			return m.Slug
		}
		if first == "" {
			first = m.Slug
		}
	}
	return first
}
