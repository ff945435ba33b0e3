package cli

import (
	"context"
	"strings"

	"confab/service/problem"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/internal/cli/helptext"
	"confab/internal/startup"
)

// root returns the tree of commands.
func (a *app) root() *cobra.Command {
	var f screenFlags
	var version bool
	root := &cobra.Command{
		Use:           "confab",
		Short:         "Chat with text models, make pictures, test one prompt across many models",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return a.print("confab " + a.env.version() + "\n")
			}
			return a.runScreen(cmd.Context(), f)
		},
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			a.running = true
			if cmd.HasParent() { // only the screen starts without the collector
				startup.ReleaseGC()
			}
		},
	}
	global := root.PersistentFlags()
	global.StringVar(&a.flags.config, "config", "", "read this configuration `FILE`")
	global.StringVar(&a.flags.dataDir, "data-dir", "", "keep history, pictures and state below this `FOLDER`")
	a.settingFlag(global, "base-url", "service.base_url", "ask the service at this `URL`; \"\" is the embedded one")
	global.StringVar(&a.flags.color, "color", "auto", "style output `WHEN`: auto, always or never; NO_COLOR is never")
	fl := root.Flags()
	fl.BoolVarP(&f.last, "continue", "C", false, "continue the last session")
	fl.StringVar(&f.session, "session", "", "continue the session of this `NAME`")
	fl.StringArrayVarP(&f.models, "model", "m", nil, "mark this model `SLUG` (repeatable, globs, all-text)")
	fl.StringVar(&f.system, "system", "", "begin with this system prompt `TEXT`, or @FILE")
	a.settingFlag(fl, "theme", "ui.theme", "draw in the theme of this `NAME`; confab themes lists them")
	fl.BoolFunc("screen-reader", "draw for a screen reader: no borders, states as words", func(value string) error {
		a.settings["ui.screen_reader"] = value
		return nil
	})
	fl.BoolVar(&f.noSave, "no-save", false, "keep nothing of this run")
	fl.BoolVar(&version, "version", false, "print the version")

	root.AddCommand(a.askCommand(), a.suiteCommand(), a.modelsCommand(), a.historyCommands(), a.serveCommand(),
		a.sshCommand(), a.configCommand(), a.pathsCommand(), a.themesCommand(), a.doctorCommand(), a.manCommand())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return problem.Usage("%s; %s --help shows the flags", firstLine(err.Error()), cmd.CommandPath())
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.helpErr = a.help(cmd) })
	root.SetHelpCommand(a.helpCommand())
	root.SetIn(a.env.Stdin)
	root.SetOut(printer{a.console})
	root.SetErr(a.env.Stderr)
	root.InitDefaultCompletionCmd() // takes the output as it is now
	a.completionCommand(root)
	a.finishCommands(root)
	return root
}

// finishCommands gives a command and those below it what all have: flags in the order in which they were added,
// completions of their values, and explanations.
func (a *app) finishCommands(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	for flag, complete := range map[string]cobra.CompletionFunc{
		"model": a.completion(a.modelCompletions), "session": a.completion(a.sessionCompletions),
		"theme": a.completion(a.themeCompletions), "color": fixed("auto", "always", "never"),
	} {
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // of the commands that have the flag
	}
	helptext.AddTo(cmd)
	for _, sub := range cmd.Commands() {
		a.finishCommands(sub)
	}
}

// noCommand refuses a word that is no command.
func (a *app) noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return problem.Usage("there is no command %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	if cmd.HasParent() {
		return problem.Usage("there is no command %q; %s --help lists them", args[0], cmd.CommandPath())
	}
	return problem.Usage("there is no command %q; confab --help lists them, confab ask sends a prompt", args[0])
}

// settingFlag adds a flag that stands for a setting.
func (a *app) settingFlag(fl *pflag.FlagSet, name, setting, usage string) {
	fl.Func(name, usage, func(value string) error {
		a.settings[setting] = value
		return nil
	})
}

// begin loads the configuration for a command and prints its warnings.
func (a *app) begin(ctx context.Context) error {
	if err := a.load(ctx); err != nil {
		return err
	}
	if !a.flags.quiet {
		a.printWarnings()
	}
	return nil
}

// command returns a command that runs with the configuration loaded. Its use names the arguments that accept checks; a
// nil accept takes any.
func (a *app) command(use, short string, accept cobra.PositionalArgs,
	run func(ctx context.Context, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: accept, RunE: func(cmd *cobra.Command, args []string) error {
		if err := a.begin(cmd.Context()); err != nil {
			return err
		}
		return run(cmd.Context(), args)
	}}
}

// group returns a command that only holds others.
func (a *app) group(use, short string, commands ...*cobra.Command) *cobra.Command {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name())
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: a.noCommand, Annotations: map[string]string{helptext.Group: "yes"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return problem.Usage("%s needs a command: %s", cmd.Name(), strings.Join(names, ", "))
		},
	}
	cmd.AddCommand(commands...)
	return cmd
}
