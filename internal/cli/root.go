package cli

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/startup"
	"confab/service/problem"
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
				return a.print("confab " + a.env.BuildVersion() + "\n")
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

	root.AddCommand(askCommand(a), runCommand(a), a.modelsCommand(), historyCommand(a),
		serveCommand(a), sshCommand(a), a.configCommand(), a.pathsCommand(), a.themesCommand(),
		doctorCommand(a), a.manCommand())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return problem.Usage("%s; %s --help shows the flags", firstLine(err.Error()), cmd.CommandPath())
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.helpErr = a.help(cmd) })
	root.SetHelpCommand(a.helpCommand())
	root.SetIn(a.env.Stdin)
	root.SetOut(a.output())
	root.SetErr(a.env.Stderr)
	root.InitDefaultCompletionCmd() // takes the output as it is now
	a.completionCommand(root)
	a.finishCommands(root)
	return root
}

// helpCommand returns the command that prints the help of the command that its arguments name.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			named, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return problem.Usage("there is no command %q; confab --help lists them", strings.Join(args, " "))
			}
			return a.help(named)
		},
	}
}

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Args: a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := manualPage(cmd.Root())
			if err != nil {
				return err
			}
			return a.print(page)
		},
	}
}

// completionScripts holds a script for each shell. Unlike the library's own, they run nothing that is typed, insert
// names with blanks in quotes, and need no bash-completion package.
//
//go:embed completion
var completionScripts embed.FS

// completionCommand words the library's command for completion as the others are, and has it print our scripts.
func (a *app) completionCommand(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short = "Print the completion script of a shell"
		for _, shell := range c.Commands() {
			shell.Short = "Print the script for " + shell.Name()
			shell.Long = ""
			shell.SilenceUsage = true
			shell.Args = a.noCommand
			shell.RunE = a.printCompletionScript
		}
	}
}

func (a *app) printCompletionScript(cmd *cobra.Command, _ []string) error {
	name := cmd.Name()
	if name == "powershell" {
		name = "ps1"
	}
	script, err := completionScripts.ReadFile("completion/confab." + name)
	if err != nil {
		return fmt.Errorf("no completion for %s: %w", cmd.Name(), err)
	}
	if plain, err := cmd.Flags().GetBool("no-descriptions"); err == nil && plain {
		script = bytes.ReplaceAll(script, []byte("__complete "), []byte("__completeNoDesc "))
	}
	return a.print(string(script))
}
