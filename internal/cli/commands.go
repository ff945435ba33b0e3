package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/service"
	"confab/service/problem"
)

// help prints the help of a command.
func (a *app) help(cmd *cobra.Command) error {
	a.setColor(colorMode(a.flags.color))
	s := a.styles()
	style := helpStyle{width: 80, title: s.Strong.Render, name: s.Accent.Render}
	if a.out.terminal {
		style.width = max(40, a.out.width())
	}
	return a.printStyled(helpPage(cmd, style))
}

// historyRun is what a command does with the history.
type historyRun func(ctx context.Context, svc *service.Service, args []string) error

// historyCommand returns a command that uses the history.
func (a *app) historyCommand(use, short string, accept cobra.PositionalArgs, run historyRun) *cobra.Command {
	return a.command(use, short, accept, func(ctx context.Context, args []string) error {
		return a.withHistory(ctx, args, run)
	})
}

// historyReader is historyCommand for a command that only reads: one that cannot be written is enough for it.
func (a *app) historyReader(use, short string, accept cobra.PositionalArgs, run historyRun) *cobra.Command {
	return a.command(use, short, accept, func(ctx context.Context, args []string) error {
		return a.runWithHistory(ctx, args, true, run)
	})
}

// withHistory runs what a command does with the history. One that cannot be used is an error here: the service would go
// on without it.
func (a *app) withHistory(ctx context.Context, args []string, run historyRun) error {
	return a.runWithHistory(ctx, args, false, run)
}

func (a *app) runWithHistory(ctx context.Context, args []string, onlyReads bool, run historyRun) error {
	return a.withService(ctx, a.readOnly(), func(ctx context.Context, svc *service.Service) error {
		started, err := svc.Start(ctx)
		if err != nil {
			return err
		}
		if started.Problem != nil && !(onlyReads && started.CanRead) {
			return started.Problem
		}
		return run(ctx, svc, args)
	})
}

// argCount refuses a call with fewer or more arguments.
func argCount(least, most int, message string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return problem.Usage("%s", message)
		}
		return nil
	}
}

// finishCommands gives a command and those below it what all have: flags in the order in which they were added,
// completions of their values, and explanations.
func (a *app) finishCommands(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	completeFlag(cmd, "color", "auto", "always", "never")
	for flag, complete := range map[string]cobra.CompletionFunc{"theme": a.completion(a.themeCompletions),
		"model": a.listCompletion(a.modelCompletions), "session": a.completion(a.sessionCompletions)} {
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // of the commands that have the flag
	}
	addHelp(cmd)
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

// unloadedCommand returns a command without arguments that runs before the configuration is loaded.
func (a *app) unloadedCommand(use, short string, run func(ctx context.Context) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context()) }}
}

// group returns a command that only holds others.
func (a *app) group(use, short string, commands ...*cobra.Command) *cobra.Command {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name())
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: a.noCommand, Annotations: map[string]string{groupAnnotation: "yes"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return problem.Usage("%s needs a command: %s", cmd.Name(), strings.Join(names, ", "))
		},
	}
	cmd.AddCommand(commands...)
	return cmd
}

// jsonFlag adds the flag that prints a JSON object for each of something.
func (a *app) jsonFlag(fl *pflag.FlagSet, of string) {
	fl.BoolVar(&a.flags.json, "json", false, "print one JSON object per "+of)
}

// quietFlag adds the flag that prints less.
func (a *app) quietFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.flags.quiet, "quiet", "q", false, usage)
}

// yesFlag adds the flag that does something without asking.
func (a *app) yesFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.flags.yes, "yes", "y", false, usage)
}

// numberVar adds a flag that takes a whole number within bounds; what to holds is its default. A flag that takes 0 for
// "not given" refuses a 0 that is given.
func numberVar(fl *pflag.FlagSet, to *int, name, short string, least, most int, usage string) {
	fl.FuncP(name, short, usage, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return fmt.Errorf("it takes a whole number from %d to %d", least, most)
		}
		*to = n
		return nil
	})
	fl.Lookup(name).DefValue = strconv.Itoa(*to)
}

// shortestTimeout is the least that a time-out may be: below it nothing can be answered.
const shortestTimeout = time.Millisecond

// timeoutVar adds the flag of a time to wait, which is never 0 when it is given.
func timeoutVar(fl *pflag.FlagSet, to *time.Duration, usage string) {
	fl.Func("timeout", usage, func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < shortestTimeout {
			return fmt.Errorf("it takes a time with its unit, such as 90s or 5m")
		}
		*to = d
		return nil
	})
}

// exactCSVVar adds the flag that leaves cells of a CSV as they are that spreadsheet programs take for formulas.
func exactCSVVar(fl *pflag.FlagSet, to *bool) {
	fl.BoolVar(to, "csv-exact", false,
		"put no apostrophe before cells of a CSV that a spreadsheet program would carry out as formulas")
}
