package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/engine/openai"
)

func (a *app) configCommand() *cobra.Command {
	initialise := a.unloadedCommand("init", "Write a configuration file with every setting commented out",
		func(context.Context) error {
			path, err := a.configPath()
			if err == nil {
				err = config.Init(path)
			}
			if err != nil {
				return err
			}
			a.info("Written. Set service.base_url in it, and the key with CONFAB_API_KEY or one of the ways it names.")
			return a.printPath(path)
		})
	show := a.command("show", "Print every setting with where it came from", a.noCommand,
		func(context.Context, []string) error {
			text := a.secrets.Masker().String(a.config.Show())
			if a.out.terminal {
				text = termtext.Clean(text)
			}
			return a.print(text)
		})
	path := a.unloadedCommand("path", "Print the path of the configuration file", func(context.Context) error {
		path, err := a.configPath()
		if err != nil {
			return err
		}
		return a.printPath(path)
	})
	return a.group("config", "Write, show, check or find the configuration", initialise, show,
		checkConfigCommand(a), path, a.enginesCommand())
}

func (a *app) pathsCommand() *cobra.Command {
	return a.command("paths", "Print where things are kept", a.noCommand, func(context.Context, []string) error {
		width := 0
		for _, p := range a.config.Paths.List() {
			width = max(width, len(p.Name))
		}
		var b strings.Builder
		for _, p := range a.config.Paths.List() {
			if a.out.terminal {
				fmt.Fprintf(&b, "%-*s  %s\n", width, p.Name, termtext.Line(p.Path)) // whole, for copying
				continue
			}
			fmt.Fprintf(&b, "%s\t%s\n", p.Name, p.Path)
		}
		return a.print(b.String())
	})
}

// foundJSON is a found server as scripts see it; its field names are stable.
type foundJSON struct {
	openai.LocalServer
	IsConfigured bool `json:"configured"`
}

func (a *app) enginesCommand() *cobra.Command {
	var write bool
	cmd := a.command("engines", "Look for model servers on this machine, and take them into the configuration",
		a.noCommand, func(ctx context.Context, _ []string) error { return a.runEngines(ctx, write) })
	cmd.Flags().BoolVar(&write, "write", false, "add them to the configuration file")
	a.jsonFlag(cmd.Flags(), "server")
	return cmd
}

func (a *app) runEngines(ctx context.Context, write bool) error {
	servers := openai.FindLocal(ctx, a.ports()...)
	if len(servers) == 0 {
		a.info("no server of models answers at the usual ports of this machine")
		return nil
	}
	var found []foundJSON
	for _, s := range servers {
		found = append(found, foundJSON{s, a.isConfigured(s.URL)})
	}
	t := newTextTable("engine", "url", "", "models")
	err := printList(a.console, found, t, func(s foundJSON) []any {
		return []any{s.Name, s.URL, choose(s.IsConfigured, "configured", "new"), strings.Join(s.Models, " ")}
	})
	if err != nil {
		return err
	}
	fresh := a.newServers(servers)
	switch {
	case !write && len(fresh) > 0:
		a.info("confab config engines --write adds what is new to the configuration")
	case write && len(fresh) == 0:
		a.info("nothing is new; the configuration is as it was")
	}
	if !write || len(fresh) == 0 {
		return nil
	}
	if err := config.Append(ctx, a.config.Paths.ConfigFile, config.EnginesText(fresh)); err != nil {
		return err
	}
	for _, f := range fresh {
		a.info(fmt.Sprintf("added %s with %s", termtext.Line(f.Name), format.Count(len(f.Models), "model")))
	}
	if a.config.Service.BaseURL != "" {
		a.info("service.base_url is set, so another service answers; engines are for the embedded one")
	}
	return a.printPath(a.config.Paths.ConfigFile)
}
