package cli

import (
	"context"
	"strings"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/engine/openai"
	"confab/ui/compose"
)

// localEngines finds servers of models on this machine for the screen.
type localEngines struct{ a *app }

// Offer implements [compose.LocalEngines].
func (n localEngines) Offer(ctx context.Context) string {
	if !n.a.config.Service.FindEngines {
		return ""
	}
	var names []string
	for _, s := range n.a.newServers(openai.FindLocal(ctx, n.a.ports()...)) {
		if s.models > 0 {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Find implements [compose.LocalEngines].
func (n localEngines) Find(ctx context.Context) (found compose.FoundEngines) {
	servers := openai.FindLocal(ctx, n.a.ports()...)
	fresh := n.a.newServers(servers)
	var lines []string
	for _, s := range servers {
		line := termtext.Line(s.Name) + " at " + s.URL + ": " + modelNames(s.Models)
		if len(s.Others) > 0 {
			line += "; not for chats: " + modelNames(s.Others)
		}
		if n.a.isConfigured(s.URL) {
			line += " (configured)"
		}
		lines = append(lines, line)
	}
	found.List = strings.Join(lines, "\n")
	if len(fresh) > 0 {
		found.File, found.Text = n.a.config.Paths.ConfigFile, strings.TrimSpace(engineText(fresh))
	}
	return found
}

// modelNames counts models and names the first of them.
func modelNames(models []string) string {
	const most = 4
	text := format.Count(len(models), "model")
	if len(models) == 0 {
		return text
	}
	text += " (" + strings.Join(models[:min(len(models), most)], ", ")
	if len(models) > most {
		text += ", …"
	}
	return text + ")"
}

// Take implements [compose.LocalEngines].
func (n localEngines) Take(ctx context.Context) (string, error) {
	fresh := n.a.newServers(openai.FindLocal(ctx, n.a.ports()...))
	if len(fresh) == 0 {
		return "Nothing new answers on this machine.", nil
	}
	if err := n.a.addServers(ctx, fresh); err != nil {
		return "", err
	}
	var names []string
	for _, f := range fresh {
		names = append(names, f.Name)
	}
	return "In the configuration, and answering from now on: " + strings.Join(names, ", ") + ".", nil
}
