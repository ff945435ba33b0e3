package app

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/internal/cli/console"
	"confab/internal/cli/helptext"
	"confab/service"
	"confab/service/problem"
)

// Help prints the help of a command.
func (a *App) Help(cmd *cobra.Command) error {
	a.SetColor(console.ColorMode(a.Flags.Color))
	s := a.Styles()
	style := helptext.Style{Width: 80, Title: s.Strong.Render, Name: s.Accent.Render}
	if a.Out.Terminal {
		style.Width = max(40, a.Out.Width())
	}
	return a.PrintStyled(helptext.Page(cmd, style))
}

// historyRun is what a command does with the history.
type historyRun func(ctx context.Context, svc *service.Service, args []string) error

// HistoryCommand returns a command that uses the history.
func (a *App) HistoryCommand(use, short string, accept cobra.PositionalArgs, run historyRun) *cobra.Command {
	return a.Command(use, short, accept, func(ctx context.Context, args []string) error {
		return a.WithHistory(ctx, args, run)
	})
}

// HistoryReader is HistoryCommand for a command that only reads: one that cannot be written is enough for it.
func (a *App) HistoryReader(use, short string, accept cobra.PositionalArgs, run historyRun) *cobra.Command {
	return a.Command(use, short, accept, func(ctx context.Context, args []string) error {
		return a.withHistory(ctx, args, true, run)
	})
}

// WithHistory runs what a command does with the history. One that cannot be used is an error here: the service would go
// on without it.
func (a *App) WithHistory(ctx context.Context, args []string, run historyRun) error {
	return a.withHistory(ctx, args, false, run)
}

func (a *App) withHistory(ctx context.Context, args []string, onlyReads bool, run historyRun) error {
	return a.WithService(ctx, a.ReadOnly(), func(ctx context.Context, svc *service.Service) error {
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

// ArgCount refuses a call with fewer or more arguments.
func ArgCount(least, most int, message string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return problem.Usage("%s", message)
		}
		return nil
	}
}

// FinishCommands gives a command and those below it what all have: flags in the order in which they were added,
// completions of their values, and explanations.
func (a *App) FinishCommands(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	CompleteFlag(cmd, "color", "auto", "always", "never")
	for flag, complete := range map[string]cobra.CompletionFunc{"theme": a.Completion(a.ThemeCompletions),
		"model": a.ListCompletion(a.ModelCompletions), "session": a.Completion(a.SessionCompletions)} {
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // of the commands that have the flag
	}
	helptext.AddTo(cmd)
	for _, sub := range cmd.Commands() {
		a.FinishCommands(sub)
	}
}

// NoCommand refuses a word that is no command.
func (a *App) NoCommand(cmd *cobra.Command, args []string) error {
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

// SettingFlag adds a flag that stands for a setting.
func (a *App) SettingFlag(fl *pflag.FlagSet, name, setting, usage string) {
	fl.Func(name, usage, func(value string) error {
		a.Settings[setting] = value
		return nil
	})
}

// Begin loads the configuration for a command and prints its warnings.
func (a *App) Begin(ctx context.Context) error {
	if err := a.Load(ctx); err != nil {
		return err
	}
	if !a.Flags.Quiet {
		a.PrintWarnings()
	}
	return nil
}

// Command returns a command that runs with the configuration loaded. Its use names the arguments that accept checks; a
// nil accept takes any.
func (a *App) Command(use, short string, accept cobra.PositionalArgs,
	run func(ctx context.Context, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: accept, RunE: func(cmd *cobra.Command, args []string) error {
		if err := a.Begin(cmd.Context()); err != nil {
			return err
		}
		return run(cmd.Context(), args)
	}}
}

// UnloadedCommand returns a command without arguments that runs before the configuration is loaded.
func (a *App) UnloadedCommand(use, short string, run func(ctx context.Context) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: a.NoCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context()) }}
}

// Group returns a command that only holds others.
func (a *App) Group(use, short string, commands ...*cobra.Command) *cobra.Command {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name())
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: a.NoCommand, Annotations: map[string]string{helptext.Group: "yes"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return problem.Usage("%s needs a command: %s", cmd.Name(), strings.Join(names, ", "))
		},
	}
	cmd.AddCommand(commands...)
	return cmd
}

// JSONFlag adds the flag that prints a JSON object for each of something.
func (a *App) JSONFlag(fl *pflag.FlagSet, of string) {
	fl.BoolVar(&a.Flags.JSON, "json", false, "print one JSON object per "+of)
}

// QuietFlag adds the flag that prints less.
func (a *App) QuietFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.Flags.Quiet, "quiet", "q", false, usage)
}

// YesFlag adds the flag that does something without asking.
func (a *App) YesFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.Flags.Yes, "yes", "y", false, usage)
}

// NumberVar adds a flag that takes a whole number within bounds; what to holds is its default. A flag that takes 0 for
// "not given" refuses a 0 that is given.
func NumberVar(fl *pflag.FlagSet, to *int, name, short string, least, most int, usage string) {
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

// TimeoutVar adds the flag of a time to wait, which is never 0 when it is given.
func TimeoutVar(fl *pflag.FlagSet, to *time.Duration, usage string) {
	fl.Func("timeout", usage, func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < shortestTimeout {
			return fmt.Errorf("it takes a time with its unit, such as 90s or 5m")
		}
		*to = d
		return nil
	})
}

// ExactCSVVar adds the flag that leaves cells of a CSV as they are that spreadsheet programs take for formulas.
func ExactCSVVar(fl *pflag.FlagSet, to *bool) {
	fl.BoolVar(to, "csv-exact", false,
		"put no apostrophe before cells of a CSV that a spreadsheet program would carry out as formulas")
}
