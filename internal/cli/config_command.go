package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/config"
	"confab/internal/termtext"
)

func (a *app) configCommand() *cobra.Command {
	initialise := &cobra.Command{
		Use: "init", Short: "Write a configuration file with every setting commented out", Args: a.noCommand,
		Long: "Write a configuration file in which every setting stands commented out with what it means. A file " +
			"that is there is left as it is.",
		RunE: func(*cobra.Command, []string) error {
			path, err := a.configPath()
			if err != nil {
				return err
			}
			if err := config.Init(path); err != nil {
				return err
			}
			a.info("Written. Set service.base_url in it, and the key with CONFAB_API_KEY or one of the ways it names.")
			return a.printPath(path)
		},
	}
	show := &cobra.Command{
		Use: "show", Short: "Print every setting with where it came from", Args: a.noCommand,
		Long: "Print every setting with its value and where that came from, as a TOML file. The key is not asked for " +
			"and not shown, only where it would come from.",
		RunE: a.configured(func(_ context.Context, _ []string) error {
			text := a.secrets.masker().String(a.cfg.Show())
			if a.out.terminal {
				text = termtext.Clean(text)
			}
			return a.print(text)
		}),
	}
	path := &cobra.Command{
		Use: "path", Short: "Print the path of the configuration file", Args: a.noCommand,
		RunE: func(*cobra.Command, []string) error {
			path, err := a.configPath()
			if err != nil {
				return err
			}
			return a.printPath(path)
		},
	}
	return a.group("config", "Write, show or find the configuration", initialise, show, path, a.enginesCommand())
}

// configPath returns where the configuration file is or would be.
func (a *app) configPath() (string, error) {
	return config.FilePath(config.Sources{Env: a.env.Environ, Path: a.flags.config})
}

func (a *app) pathsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "paths", Short: "Print where things are kept", Args: a.noCommand,
		Long: "Print where configuration, themes, history, pictures, exports, log and drafts are or would be. When " +
			"not on a terminal: name and path with a tab between.",
		RunE: a.configured(func(_ context.Context, _ []string) error {
			width := 0
			for _, p := range a.cfg.Paths.List() {
				width = max(width, len(p.Name))
			}
			var b strings.Builder
			for _, p := range a.cfg.Paths.List() {
				if a.out.terminal {
					fmt.Fprintf(&b, "%-*s  %s\n", width, p.Name, termtext.Line(p.Path)) // whole, for copying
					continue
				}
				fmt.Fprintf(&b, "%s\t%s\n", p.Name, p.Path)
			}
			return a.print(b.String())
		}),
	}
}
