// Package cli is the command line, a file or a few for each command, all made with an [app]. No logic stands here that
// a screen also needs; that is the service's.
//
// [Run] is the whole program. An [Env] holds its streams, environment and arguments, so that tests run it many times
// in one process. Before the screen's first frame nothing is opened, asked or started that the frame does not show.
package cli

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"confab/docs"
	"confab/internal/javascript"
	"confab/internal/startup"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/problem"
	"confab/service/suite"
)

// Run runs the program with args and returns its exit code. Answers go to standard output, all else to standard
// error. A panic ends the run with a masked report in a file.
func Run(ctx context.Context, args []string, env Env) (code int) {
	if javascript.IsChild(args) {
		if err := javascript.Serve(env.Stdin, env.Stdout); err != nil {
			return 1
		}
		return 0
	}
	a := newApp(env)
	defer func() {
		if cause := recover(); cause != nil {
			fault := &panicRecord{}
			fault.catch(cause)
			code = a.report(fault)
		}
		if a.logFile != nil {
			_ = a.logFile.Close() // a failure cannot be reported any more
		}
	}()
	if env.Signals == nil {
		// A write to a closed pipe becomes an error, so that the program can store what runs.
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGPIPE)
		defer signal.Stop(c)
	}
	root := a.root()
	root.SetArgs(append([]string{}, args...)) // nil would mean the process's own
	err := root.ExecuteContext(ctx)
	return a.reportEnd(cmp.Or(err, a.helpErr))
}

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
			a.isRunning = true
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
	fl.StringVar(&f.session, "session", "", "continue the session of this `NAME`, made if needed")
	fl.StringArrayVarP(&f.models, "model", "m", nil, "mark this model `SLUG` (repeatable, globs, all-text)")
	fl.StringVar(&f.system, "system", "", "begin with this system prompt `TEXT`, or @FILE")
	fl.StringVar(&f.persona, "persona", "", personaUsage)
	a.settingFlag(fl, "theme", "ui.theme", "draw in the theme of this `NAME`; confab themes lists them")
	fl.BoolFunc("screen-reader", "draw for a screen reader: no borders, states as words", func(value string) error {
		a.settings["ui.screen_reader"] = value
		return nil
	})
	fl.BoolVar(&f.noSave, "no-save", false, "keep nothing of this run")
	fl.BoolVar(&version, "version", false, "print the version")

	root.AddCommand(a.askCommand(), a.runCommand(), a.modelsCommand(), a.personasCommand(), a.historyCommands(),
		a.serveCommand(), a.sshCommand(), a.configCommand(), a.pathsCommand(), a.themesCommand(),
		a.doctorCommand(), a.helpCommand(), a.manCommand(), a.completionCommand())
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return problem.Usage("%s %s --help shows the flags", flagProblem(cmd, err), cmd.CommandPath())
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.helpErr = a.help(cmd) })
	root.SetHelpCommand(&cobra.Command{Use: "no-help", Hidden: true}) // cobra would not list its help command
	root.SetIn(a.env.Stdin)
	root.SetOut(a.out)
	root.SetErr(a.env.Stderr)
	a.finishCommands(root)
	return root
}

// helpCommand shows a page of the documentation, or the help of a command. Without a name it lists the pages.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [TOPIC|COMMAND]", Short: "Show a page of the documentation, or the help of a command",
		ValidArgsFunction: completeTopics,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.setColor(colorMode(a.flags.color))
			if len(args) == 0 {
				return a.printTopics()
			}
			if page, err := docs.Pages.ReadFile(args[0] + ".md"); err == nil && len(args) == 1 {
				text := string(page)
				if a.out.styled {
					text = joinLines(text)
				}
				return a.textWriter(false).add(text, true)
			}
			named, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return problem.Usage("there is no topic or command %q; confab help lists the topics",
					strings.Join(args, " "))
			}
			return a.help(named)
		},
	}
}

// lineOfItsOwn finds lines of Markdown that do not continue the line before them.
var lineOfItsOwn = regexp.MustCompile("^(\\s*([-*+]|\\d+\\.) |[#|>]|\\s*```|!\\[|$)")

// joinLines joins the lines of each paragraph and list item, since answers are drawn with the line breaks of the model.
func joinLines(page string) string {
	var b strings.Builder
	inCode, isOpen := false, false // isOpen: the next line may continue this one
	for line := range strings.SplitSeq(page, "\n") {
		isFence := strings.HasPrefix(strings.TrimSpace(line), "```")
		continues := isOpen && !inCode && !lineOfItsOwn.MatchString(line)
		switch {
		case continues:
			b.WriteString(" " + strings.TrimSpace(line))
		case b.Len() > 0:
			b.WriteString("\n" + line)
		default:
			b.WriteString(line)
		}
		inCode = inCode != isFence
		isOpen = line != "" && !isFence && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "|")
	}
	return b.String()
}

func (a *app) printTopics() error {
	t := newTextTable("topic", "about")
	for name, title := range topics() {
		t.add(name, title)
	}
	return a.printTable(t)
}

// topics yields the name and the title of each page of the documentation.
func topics() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		names, _ := fs.Glob(docs.Pages, "*.md") // the pattern is well formed
		for _, name := range names {
			page, _ := docs.Pages.ReadFile(name) // it was just listed
			title := strings.TrimLeft(firstLine(string(page)), "# ")
			if !yield(strings.TrimSuffix(name, ".md"), title) {
				return
			}
		}
	}
}

func completeTopics(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for name, title := range topics() {
		names = append(names, name+"\t"+title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
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

// completionScripts holds a script for each shell. Unlike cobra's, they run nothing that is typed, quote names with
// blanks and need no bash-completion package.
//
//go:embed completion
var completionScripts embed.FS

func (a *app) completionCommand() *cobra.Command {
	var shells []*cobra.Command
	for _, shell := range []string{"bash", "fish", "powershell", "zsh"} {
		var isPlain bool
		cmd := a.unloadedCommand(shell, "Print the script for "+shell, func(context.Context) error {
			file := "completion/confab." + strings.Replace(shell, "powershell", "ps1", 1)
			script, err := completionScripts.ReadFile(file)
			if err != nil {
				return fmt.Errorf("no completion for %s: %w", shell, err)
			}
			if isPlain {
				script = bytes.ReplaceAll(script, []byte("__complete "), []byte("__completeNoDesc "))
			}
			return a.print(string(script))
		})
		cmd.Flags().BoolVar(&isPlain, "no-descriptions", false, "disable completion descriptions")
		shells = append(shells, cmd)
	}
	return a.group("completion", "Print the completion script of a shell", shells...)
}

// reportEnd prints why a command failed and returns the exit code.
func (a *app) reportEnd(err error) int {
	var silent exitCode
	switch {
	case err == nil, errors.As(err, &silent):
		return codeOf(err)
	case errors.Is(err, syscall.EPIPE):
		return ExitFailed // the reader has closed the pipe
	}
	var known *api.Error
	switch isKnown := errors.As(err, &known); {
	case isKnown:
		if a.log != nil && strings.Contains(known.Message, "the log says more") {
			a.log.Error("A command failed", "error", known, "cause", known.Err)
		}
	case !a.isRunning:
		err = problem.Usage("%s", firstLine(err.Error()))
	case a.log != nil:
		a.log.Error("A command failed", "error", err)
	}
	a.info("confab: " + sentence(err))
	return codeOf(err)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// The exit codes of the program.
const (
	ExitDone        = 0
	ExitFailed      = 1   // an answer failed, or the command did
	ExitUsage       = 2   // nothing was done: the call or the configuration is wrong
	ExitTimeout     = 124 // as of timeout(1)
	ExitInterrupted = 130 // as of a shell
)

// exitCode is the error of a command that has printed its errors already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func codeOf(err error) int {
	var e exitCode
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &e):
		return int(e)
	}
	switch api.CodeOf(err) {
	case api.CodeUsage, api.CodeConfig, api.CodeUnknownModel:
		return ExitUsage
	case api.CodeTimeout:
		return ExitTimeout
	case api.CodeCancelled:
		return ExitInterrupted
	}
	return ExitFailed
}

// sentence returns an error as one clean line with its code at the end, and below it the lines to write into the
// configuration for providers of a suite.
func sentence(err error) string {
	var known *api.Error
	if !errors.As(err, &known) {
		return termtext.Line(err.Error()) + " (service)"
	}
	var unknown *suite.UnknownProvidersError
	if errors.As(err, &unknown) {
		lines := unknown.Lines()
		for i := range lines {
			lines[i] = termtext.Line(lines[i])
		}
		return asClause(unknown.Summary()) + " (" + string(known.Code) + "):\n\n" + strings.Join(lines, "\n")
	}
	return asClause(known.Message) + " (" + string(known.Code) + ")"
}

// asClause makes a clause of a sentence, to follow "confab: ".
func asClause(message string) string {
	return problem.Clause(strings.TrimRight(termtext.Line(message), "."))
}

// interrupted returns the error of a signal that came before anything was sent.
func interrupted(ctx context.Context) error {
	return &api.Error{Code: api.CodeCancelled, Message: "interrupted before anything was sent", Err: context.Cause(ctx)}
}
