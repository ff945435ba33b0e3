package cli

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/problem"
)

func (a *app) help(cmd *cobra.Command) error {
	a.setColor(colorMode(a.flags.color))
	s := a.styles()
	style := helpStyle{width: 80, title: s.Strong.Render, name: s.Accent.Render}
	if a.out.terminal {
		style.width = max(40, a.out.width())
	}
	return a.printStyled(helpPage(cmd, style))
}

func (a *app) historyCommand(use, short string, accept cobra.PositionalArgs, of storeUse,
	run func(ctx context.Context, svc *service.Service, args []string) error) *cobra.Command {
	return a.command(use, short, accept, func(ctx context.Context, args []string) error {
		return a.withHistory(ctx, of, func(ctx context.Context, svc *service.Service) error {
			return run(ctx, svc, args)
		})
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

// finishCommands sets the order of the flags, the completions of their values and the help of cmd and its
// subcommands.
func (a *app) finishCommands(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	completeFlag(cmd, "color", "auto", "always", "never")
	for flag, complete := range map[string]cobra.CompletionFunc{"theme": a.completion(a.themeCompletions),
		"model": a.listCompletion(a.modelCompletions), "session": a.completion(a.sessionCompletions),
		"persona": a.completion(a.personaCompletions)} {
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // of the commands that have the flag
	}
	addHelp(cmd)
	for _, sub := range cmd.Commands() {
		a.finishCommands(sub)
	}
}

// noCommand refuses arguments, which are misspelt commands.
func (a *app) noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return problem.Usage("there is no command %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	switch path := cmd.CommandPath(); {
	case args[0] == "list" && strings.HasPrefix(cmd.Short, "List "):
		return problem.Usage("there is no command \"list\"; %s alone lists them", path)
	case cmd.Flags().Lookup(args[0]) != nil:
		return problem.Usage("there is no command %q; it is a flag: %s --%[1]s", args[0], path)
	case cmd.HasParent():
		return problem.Usage("there is no command %q; %s --help lists them", args[0], path)
	}
	return problem.Usage("there is no command %q; confab --help lists them, confab ask sends a prompt", args[0])
}

// settingFlag adds a flag that sets a setting.
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

// command returns a command that runs with the configuration loaded. A nil accept takes any arguments.
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

func (a *app) jsonFlag(fl *pflag.FlagSet, of string) {
	fl.BoolVar(&a.flags.json, "json", false, "print one JSON object per "+of)
}

func (a *app) quietFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.flags.quiet, "quiet", "q", false, usage)
}

func (a *app) yesFlag(fl *pflag.FlagSet, usage string) {
	fl.BoolVarP(&a.flags.yes, "yes", "y", false, usage)
}

// numberVar adds a flag for a whole number within bounds. *to is its default.
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

// timeoutVar adds the flag --timeout, which refuses 0.
func timeoutVar(fl *pflag.FlagSet, to *time.Duration, usage string) {
	fl.Func("timeout", usage, func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < time.Millisecond {
			return fmt.Errorf("it takes a time with its unit, such as 90s or 5m")
		}
		*to = d
		return nil
	})
}

// exactCSVVar adds the flag that keeps CSV cells as they are although a spreadsheet may run them as formulas.
func exactCSVVar(fl *pflag.FlagSet, to *bool) {
	fl.BoolVar(to, "csv-exact", false,
		"put no apostrophe before cells of a CSV that a spreadsheet would run as formulas")
}

// matchModels returns the slugs that match the patterns, or the configured ones without patterns.
func (a *app) matchModels(ctx context.Context, patterns []string) ([]string, error) {
	from := ""
	if len(patterns) == 0 {
		patterns = a.config.Models.Default
		from = fmt.Sprintf(" (models.default, %s)", a.config.Origin("models.default"))
	}
	var words []string
	for _, p := range patterns {
		words = append(words, strings.Split(p, ",")...) // no slug has a comma
	}
	models, err := a.catalogue().Match(words...)
	isSimulated := func(m api.Model) bool { return a.engineOf(m.Slug).Engine == config.Offline }
	// An engine may have what is unknown or simulated since it was asked last.
	if api.CodeOf(err) == api.CodeUnknownModel ||
		len(a.configuredEngines()) > 0 && slices.ContainsFunc(models, isSimulated) {
		a.listModels(ctx)
		models, err = a.catalogue().Match(words...)
	}
	if err != nil {
		var known *api.Error
		if errors.As(err, &known) && from != "" {
			return nil, &api.Error{Code: api.CodeConfig, Message: asClause(known.Message) + from, Err: err}
		}
		return nil, err
	}
	slugs := make([]string, len(models))
	for i, m := range models {
		slugs[i] = m.Slug
	}
	return slugs, nil
}

func modelInfos(models []api.Model) []service.ModelInfo {
	all := make([]service.ModelInfo, len(models))
	for i, m := range models {
		all[i] = service.ModelInfo{Model: m}
	}
	return all
}

// maxCompletions bounds how many sessions a shell is offered.
const maxCompletions = 50

// completion completes a value to the candidates of list. Errors are ignored: the line is still being typed.
func (a *app) completion(list func(ctx context.Context) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var found []cobra.Completion
		if err := a.load(cmd.Context()); err == nil {
			found = slices.DeleteFunc(list(cmd.Context()), func(c string) bool { return !strings.HasPrefix(c, typed) })
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// listCompletion completes the part after the last comma to candidates that the value does not hold yet.
func (a *app) listCompletion(list func(ctx context.Context) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before, part := "", typed
		if i := strings.LastIndex(typed, ","); i >= 0 {
			before, part = typed[:i+1], typed[i+1:]
		}
		listed := strings.Split(before, ",")
		found, directive := a.completion(list)(cmd, args, part)
		var whole []cobra.Completion
		for _, c := range found {
			if value, _, _ := strings.Cut(c, "\t"); !slices.Contains(listed, value) {
				whole = append(whole, before+c)
			}
		}
		return whole, directive
	}
}

func (a *app) modelCompletions(context.Context) (all []cobra.Completion) {
	for _, m := range a.catalogue().Models() {
		all = append(all, cobra.CompletionWithDesc(m.Slug, string(m.Kind)+", "+m.About))
	}
	for _, group := range []string{"all-text", "all-image", "all-edit"} {
		all = append(all, cobra.CompletionWithDesc(group, "every model of that kind"))
	}
	return all
}

func (a *app) sessionCompletions(ctx context.Context) (all []cobra.Completion) {
	svc, err := a.service(readsHistory)
	if err != nil {
		return nil
	}
	defer a.closeService(ctx, svc)
	hits, _, _ := svc.Sessions(ctx, "", maxCompletions) // without a history there are none
	for _, h := range hits {
		if h.Name != "" && termtext.Line(h.Name) == h.Name {
			all = append(all, cobra.CompletionWithDesc(h.Name, format.Count(h.Turns, "turn")))
		}
	}
	return all
}

func (a *app) themeCompletions(context.Context) (all []cobra.Completion) {
	for _, p := range a.readThemes().palettes {
		all = append(all, cobra.CompletionWithDesc(p.Name, p.About))
	}
	return all
}

// completeFlag completes the values of a flag, if cmd has it.
func completeFlag(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// flagProblem returns the words of an error in the flags of a command. For an unknown flag they name a known one that
// is nearly the same.
func flagProblem(cmd *cobra.Command, err error) string {
	words := firstLine(err.Error())
	name, isUnknown := strings.CutPrefix(words, "unknown flag: --")
	if !isUnknown {
		return words + ";"
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	if near := termtext.NearestName(name, known); near != "" {
		return words + "; did you mean --" + near + "?"
	}
	return words + ";"
}
