package cli

import (
	"context"
	"fmt"
	"slices"
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
			a.info("Written. Set service.base_url in it, and the key by CONFAB_API_KEY or a setting of the file.")
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
		a.checkConfigCommand(), path, a.enginesCommand())
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

// foundJSON is a server that was found, in JSON; its field names are stable.
type foundJSON struct {
	openai.LocalServer
	IsConfigured bool `json:"configured"`
}

func (a *app) enginesCommand() *cobra.Command {
	var write bool
	cmd := a.command("engines", "Find model servers on this machine and add them to the configuration",
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
	t := newTextTable("engine", "url", "", "models", "not for chats")
	err := printList(a, found, t, func(s foundJSON) []any {
		return []any{s.Name, s.URL, choose(s.IsConfigured, "configured", "new"), strings.Join(s.Models, " "),
			strings.Join(s.Others, " ")}
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
	if err := a.addServers(ctx, fresh); err != nil {
		return err
	}
	for _, f := range fresh {
		a.info(fmt.Sprintf("added %s with %s", termtext.Line(f.Name), format.Count(f.models, "model")))
	}
	if a.config.Service.BaseURL != "" {
		a.info("service.base_url is set, so another service answers; engines are for the embedded one")
	}
	return a.printPath(a.config.Paths.ConfigFile)
}

// newServer is a server to be added to the configuration, and how many models of it write texts.
type newServer struct {
	config.FoundServer
	models int
}

// engineText returns what is written to the configuration file for servers.
func engineText(servers []newServer) string {
	var all []config.FoundServer
	for _, s := range servers {
		all = append(all, s.FoundServer)
	}
	return config.EnginesText(all)
}

// addServers adds servers to the configuration file and to the engines of this run.
func (a *app) addServers(ctx context.Context, servers []newServer) error {
	router, err := a.router()
	if err != nil {
		return err
	}
	engines, err := config.Append(ctx, a.config.Paths.ConfigFile, engineText(servers))
	if err != nil {
		return err
	}
	for _, e := range engines {
		if !slices.ContainsFunc(servers, func(s newServer) bool { return s.Name == e.Name }) {
			continue
		}
		b, err := a.backend(e, nil)
		if err != nil {
			return err
		}
		a.engineSet.add(e)
		router.Add(b)
	}
	return nil
}

func (a *app) ports() []openai.LocalPort {
	if a.env.Ports != nil {
		return a.env.Ports
	}
	return openai.UsualLocalPorts()
}

func (a *app) isConfigured(url string) bool {
	return slices.ContainsFunc(a.configuredEngines(), func(e config.Engine) bool {
		return strings.TrimRight(strings.Replace(e.URL, "//localhost:", "//127.0.0.1:", 1), "/") == url
	})
}

// newServers returns the servers that are not configured, with free names.
func (a *app) newServers(servers []openai.LocalServer) []newServer {
	names := map[string]bool{config.Offline: true}
	for _, e := range a.configuredEngines() {
		names[e.Name] = true
	}
	var all []newServer
	for _, s := range servers {
		if !a.isConfigured(s.URL) {
			all = append(all, newServer{config.FoundServer{Name: freeName(names, s.Name), URL: s.URL}, len(s.Models)})
		}
	}
	return all
}

// freeName returns name, with a number if it is taken, and marks it as taken.
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
