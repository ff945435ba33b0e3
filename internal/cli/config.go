package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/cli/console"
	"confab/internal/cli/doctor"
	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/engine/openai"
)

func (a commands) configCommand() *cobra.Command {
	initialise := a.UnloadedCommand("init", "Write a configuration file with every setting commented out",
		func(context.Context) error {
			path, err := a.ConfigPath()
			if err == nil {
				err = config.Init(path)
			}
			if err != nil {
				return err
			}
			a.Info("Written. Set service.base_url in it, and the key with CONFAB_API_KEY or one of the ways it names.")
			return a.PrintPath(path)
		})
	show := a.Command("show", "Print every setting with where it came from", a.NoCommand,
		func(context.Context, []string) error {
			text := a.Secrets.Masker().String(a.Config.Show())
			if a.Out.Terminal {
				text = termtext.Clean(text)
			}
			return a.Print(text)
		})
	path := a.UnloadedCommand("path", "Print the path of the configuration file", func(context.Context) error {
		path, err := a.ConfigPath()
		if err != nil {
			return err
		}
		return a.PrintPath(path)
	})
	return a.Group("config", "Write, show, check or find the configuration", initialise, show,
		doctor.CheckCommand(a.App), path, a.enginesCommand())
}

func (a commands) pathsCommand() *cobra.Command {
	return a.Command("paths", "Print where things are kept", a.NoCommand, func(context.Context, []string) error {
		width := 0
		for _, p := range a.Config.Paths.List() {
			width = max(width, len(p.Name))
		}
		var b strings.Builder
		for _, p := range a.Config.Paths.List() {
			if a.Out.Terminal {
				fmt.Fprintf(&b, "%-*s  %s\n", width, p.Name, termtext.Line(p.Path)) // whole, for copying
				continue
			}
			fmt.Fprintf(&b, "%s\t%s\n", p.Name, p.Path)
		}
		return a.Print(b.String())
	})
}

// foundJSON is a found server as scripts see it; its field names are stable.
type foundJSON struct {
	openai.LocalServer
	IsConfigured bool `json:"configured"`
}

func (a commands) enginesCommand() *cobra.Command {
	var write bool
	cmd := a.Command("engines", "Look for model servers on this machine, and take them into the configuration",
		a.NoCommand, func(ctx context.Context, _ []string) error { return a.runEngines(ctx, write) })
	cmd.Flags().BoolVar(&write, "write", false, "add them to the configuration file")
	a.JSONFlag(cmd.Flags(), "server")
	return cmd
}

func (a commands) runEngines(ctx context.Context, write bool) error {
	servers := openai.FindLocal(ctx, a.Ports()...)
	if len(servers) == 0 {
		a.Info("no server of models answers at the usual ports of this machine")
		return nil
	}
	var found []foundJSON
	for _, s := range servers {
		found = append(found, foundJSON{s, a.IsConfigured(s.URL)})
	}
	t := console.NewTable("engine", "url", "", "models")
	err := console.PrintList(a.Console, found, t, func(s foundJSON) []any {
		return []any{s.Name, s.URL, console.Choose(s.IsConfigured, "configured", "new"), strings.Join(s.Models, " ")}
	})
	if err != nil {
		return err
	}
	fresh := a.NewServers(servers)
	switch {
	case !write && len(fresh) > 0:
		a.Info("confab config engines --write adds what is new to the configuration")
	case write && len(fresh) == 0:
		a.Info("nothing is new; the configuration is as it was")
	}
	if !write || len(fresh) == 0 {
		return nil
	}
	if err := config.Append(ctx, a.Config.Paths.ConfigFile, config.EnginesText(fresh)); err != nil {
		return err
	}
	for _, f := range fresh {
		a.Info(fmt.Sprintf("added %s with %s", termtext.Line(f.Name), format.Count(len(f.Models), "model")))
	}
	if a.Config.Service.BaseURL != "" {
		a.Info("service.base_url is set, so another service answers; engines are for the embedded one")
	}
	return a.PrintPath(a.Config.Paths.ConfigFile)
}
