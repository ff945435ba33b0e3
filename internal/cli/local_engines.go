package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"confab/internal/config"
	"confab/internal/format"
	"confab/service/engine/openai"
)

// mostModels is how many models of one server are taken into the file.
const mostModels = 40

// ports returns where servers of models are looked for on this machine.
func (a *app) ports() []openai.LocalPort {
	if a.env.Ports != nil {
		return a.env.Ports
	}
	return openai.UsualLocalPorts()
}

// isConfigured reports whether an engine at that address is in the configuration.
func (a *app) isConfigured(url string) bool {
	return slices.ContainsFunc(a.config.Engines, func(e config.Engine) bool {
		return strings.TrimRight(strings.Replace(e.URL, "//localhost:", "//127.0.0.1:", 1), "/") == url
	})
}

// newServers returns what is not configured yet, under names and slugs that are free.
func (a *app) newServers(servers []openai.LocalServer) []config.FoundServer {
	names, slugs := map[string]bool{config.Offline: true}, map[string]bool{}
	for _, e := range a.config.Engines {
		names[e.Name] = true
	}
	for _, m := range a.catalogue.Models() {
		slugs[m.Slug] = true
	}
	var all []config.FoundServer
	for _, s := range servers {
		if a.isConfigured(s.URL) {
			continue
		}
		f := config.FoundServer{Name: freeName(names, s.Name), URL: s.URL}
		for _, m := range s.Models[:min(len(s.Models), mostModels)] {
			slug := openai.ModelSlug(m)
			if slug == "" {
				continue
			}
			if slugs[slug] {
				slug = freeName(slugs, slug[:min(len(slug), 80)]+"@"+s.Name)
			}
			slugs[slug] = true
			f.Models = append(f.Models, config.FoundModel{Slug: slug, Model: m})
		}
		all = append(all, f)
	}
	return all
}

// freeName returns the name, with a number when it is taken, and takes it.
func freeName(taken map[string]bool, name string) string {
	for n := 1; ; n++ {
		try := name
		if n > 1 {
			try = fmt.Sprintf("%s-%d", name, n)
		}
		if !taken[try] {
			taken[try] = true
			return try
		}
	}
}

// localEngines are the servers of models on this machine, for the screen.
type localEngines struct{ a *app }

// Find implements [compose.LocalEngines].
func (n localEngines) Find(ctx context.Context) string {
	if !n.a.config.Service.FindEngines {
		return ""
	}
	var names []string
	for _, f := range n.a.newServers(openai.FindLocal(ctx, n.a.ports()...)) {
		if len(f.Models) > 0 {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Take implements [compose.LocalEngines].
func (n localEngines) Take(ctx context.Context) (string, error) {
	fresh := n.a.newServers(openai.FindLocal(ctx, n.a.ports()...))
	if len(fresh) == 0 {
		return "Nothing new answers on this machine.", nil
	}
	if err := config.Append(ctx, n.a.config.Paths.ConfigFile, config.EnginesText(fresh)); err != nil {
		return "", err
	}
	models := 0
	for _, f := range fresh {
		models += len(f.Models)
	}
	return fmt.Sprintf("%s in the configuration now; they answer when confab is started again.",
		format.Several(models, "model is", "models are")), nil
}
