package cli

import (
	_ "embed" // the texts
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpTexts explains the commands: for each a heading with its path, paragraphs, and examples between lines of ```.
//
//go:embed help.md
var helpTexts string

// addHelpText gives a command its explanation and examples.
func addHelpText(cmd *cobra.Command) {
	if _, text, ok := strings.Cut(helpTexts, "\n## "+cmd.CommandPath()+"\n"); ok {
		text, _, _ = strings.Cut(text, "\n## ")
		long, example, _ := strings.Cut(text, "\n```\n")
		cmd.Long, cmd.Example = strings.TrimSpace(long), strings.TrimSuffix(strings.TrimSpace(example), "\n```")
	}
}

// helpPage lays out the help of a command. It is written here because fang v2.0.1 cuts examples and flags at 80
// columns, shows the quotes around the names of values, and asks the terminal for its background first.
type helpPage struct {
	b     strings.Builder
	width int
	title func(string) string
	name  func(string) string
}

func (a *app) help(cmd *cobra.Command) error {
	a.setColor(colorMode(a.flags.color))
	s := a.styles()
	p := &helpPage{width: 80, title: s.Strong.Render, name: s.Accent.Render}
	if a.out.terminal {
		p.width = max(40, a.out.width())
	}
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	p.paragraphs(text)
	p.usage(cmd)
	p.commands(cmd)
	if cmd.Example != "" {
		p.heading("Examples")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			p.b.WriteString("  " + line + "\n") // whole, for copying
		}
	}
	p.flags("Flags", cmd.NonInheritedFlags(),
		func(f *pflag.Flag) bool { return cmd.PersistentFlags().Lookup(f.Name) == nil })
	everywhere := cmd.InheritedFlags()
	if !cmd.HasParent() {
		everywhere = cmd.PersistentFlags()
	}
	p.flags("Flags of every command", everywhere, func(*pflag.Flag) bool { return true })
	return a.printStyled(p.b.String())
}

func (p *helpPage) heading(text string) { p.b.WriteString("\n" + p.title(text) + "\n") }

func (p *helpPage) paragraphs(text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			p.b.WriteString("\n")
		}
		p.b.WriteString(strings.Join(wrapWords(paragraph, p.width), "\n") + "\n")
	}
}

func (p *helpPage) usage(cmd *cobra.Command) {
	p.heading("Usage")
	if cmd.Runnable() && cmd.Annotations[onlyGroups] == "" {
		p.b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		p.b.WriteString("  " + cmd.CommandPath() + " COMMAND\n")
	}
}

func (p *helpPage) commands(cmd *cobra.Command) {
	var rows [][2]string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			rows = append(rows, [2]string{c.Name(), c.Short})
		}
	}
	p.columns("Commands", rows)
}

func (p *helpPage) flags(title string, set *pflag.FlagSet, wanted func(*pflag.Flag) bool) {
	var rows [][2]string
	set.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && wanted(f) {
			rows = append(rows, [2]string{flagName(f), flagMeaning(f)})
		}
	})
	p.columns(title, rows)
}

// columns lays out names and what they mean, the latter wrapped within their column, below a heading.
func (p *helpPage) columns(title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	p.heading(title)
	left := 0
	for _, row := range rows {
		left = max(left, ansi.StringWidth(row[0]))
	}
	for _, row := range rows {
		lines := wrapWords(row[1], max(20, p.width-left-4))
		p.b.WriteString("  " + p.name(row[0]) + strings.Repeat(" ", left-ansi.StringWidth(row[0])+2) + lines[0] + "\n")
		for _, line := range lines[1:] {
			p.b.WriteString(strings.Repeat(" ", left+4) + line + "\n")
		}
	}
}

// wrapWords breaks a text between its words, and nowhere else: a flag stays whole.
func wrapWords(text string, width int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case ansi.StringWidth(*last)+1+ansi.StringWidth(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

func flagName(f *pflag.Flag) string {
	text := "    --" + f.Name
	if f.Shorthand != "" {
		text = "-" + f.Shorthand + ", --" + f.Name
	}
	switch value, _ := pflag.UnquoteUsage(f); {
	case value == "":
	case f.NoOptDefVal != "":
		text += "[=" + value + "]"
	default:
		text += " " + value
	}
	return text
}

// flagMeaning says what a flag means, with its default where it has one.
func flagMeaning(f *pflag.Flag) string {
	_, meaning := pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "false", "[]", "0", "0s":
		return meaning
	}
	return meaning + " (default " + f.DefValue + ")"
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

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Args: a.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			nameValues(cmd.Root())
			page, err := mango.NewManPage(1, cmd.Root())
			if err != nil {
				return fmt.Errorf("make the manual page: %w", err)
			}
			page = page.WithSection("Exit status", exitStatus).WithSection("Files",
				"confab paths prints where everything is kept.")
			// mango v0.1.0 writes short flags with two hyphens.
			text := regexp.MustCompile(`\\fB--([A-Za-z]) --`).ReplaceAllString(page.Build(roff.NewDocument()),
				`\fB-$1, --`)
			// The names of values, put there by nameValues, are set in italics.
			text = regexp.MustCompile(`\\fB((?:-[A-Za-z], )?--[a-z-]+) ([^\\\n]+)\\fP`).ReplaceAllString(text,
				`\fB$1\fP \fI$2\fP`)
			// The title is centred between the names of the page, and a longer one overlaps them on 80 columns.
			text = regexp.MustCompile(`(?m)^(\.TH .*) "[^"]*"$`).ReplaceAllString(text, `$1 "confab manual"`)
			return a.print(text)
		},
	}
}

// nameValues puts the names of values after those of their flags, which mango does not print, and takes the quotes
// around them away, which it does. The flags cannot be parsed after that.
func nameValues(cmd *cobra.Command) {
	name := func(f *pflag.Flag) {
		var value string
		if value, f.Usage = pflag.UnquoteUsage(f); value != "" && !strings.Contains(f.Name, " ") {
			f.Name += " " + value
		}
	}
	cmd.Flags().VisitAll(name)
	cmd.PersistentFlags().VisitAll(name)
	for _, sub := range cmd.Commands() {
		nameValues(sub)
	}
}

const exitStatus = `0 all answered; 1 an answer failed, or the command did; 2 wrong usage or configuration;
124 timed out; 130 interrupted.`
