package cli

import (
	_ "embed" // the texts
	"fmt"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/internal/chat"
)

// groupAnnotation marks a command that only has subcommands.
const groupAnnotation = "group"

// helpTexts has a heading for each command, paragraphs, and examples between lines of ```.
//
//go:embed help.md
var helpTexts string

func addHelp(cmd *cobra.Command) {
	if _, text, ok := strings.Cut(helpTexts, "\n## "+cmd.CommandPath()+"\n"); ok {
		text, _, _ = strings.Cut(text, "\n## ")
		if before, after, ok := strings.Cut(text, "{parameters}"); ok { // wrapping costs time at every start
			text = before + strings.Join(wrapWords(strings.Join(chat.ParamNames(), ", "), 120), "\n") + after
		}
		long, example, _ := strings.Cut(text, "\n```\n")
		cmd.Long, cmd.Example = strings.TrimSpace(long), strings.TrimSuffix(strings.TrimSpace(example), "\n```")
	}
}

type helpStyle struct {
	width       int
	title, name func(string) string
}

// helpLayout lays out the help of a command. fang v2.0.1 would cut examples and flags at 80 columns, show the quotes
// around names of values and ask the terminal for its background.
type helpLayout struct {
	b     strings.Builder
	style helpStyle
}

func helpPage(cmd *cobra.Command, style helpStyle) string {
	p := &helpLayout{style: style}
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
	return p.b.String()
}

func (p *helpLayout) heading(text string) { p.b.WriteString("\n" + p.style.title(text) + "\n") }

func (p *helpLayout) paragraphs(text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			p.b.WriteString("\n")
		}
		p.b.WriteString(strings.Join(wrapWords(paragraph, p.style.width), "\n") + "\n")
	}
}

func (p *helpLayout) usage(cmd *cobra.Command) {
	p.heading("Usage")
	if cmd.Runnable() && cmd.Annotations[groupAnnotation] == "" {
		p.b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		p.b.WriteString("  " + cmd.CommandPath() + " COMMAND\n")
	}
}

func (p *helpLayout) commands(cmd *cobra.Command) {
	var rows [][2]string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			rows = append(rows, [2]string{c.Name(), c.Short})
		}
	}
	p.columns("Commands", rows)
}

func (p *helpLayout) flags(title string, set *pflag.FlagSet, wanted func(*pflag.Flag) bool) {
	var rows [][2]string
	set.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && wanted(f) {
			rows = append(rows, [2]string{flagName(f), flagMeaning(f)})
		}
	})
	p.columns(title, rows)
}

// columns lays out two columns below a heading, the right one wrapped.
func (p *helpLayout) columns(title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	p.heading(title)
	left := 0
	for _, row := range rows {
		left = max(left, ansi.StringWidth(row[0]))
	}
	for _, row := range rows {
		lines := wrapWords(row[1], max(20, p.style.width-left-4))
		gap := strings.Repeat(" ", left-ansi.StringWidth(row[0])+2)
		p.b.WriteString("  " + p.style.name(row[0]) + gap + lines[0] + "\n")
		for _, line := range lines[1:] {
			p.b.WriteString(strings.Repeat(" ", left+4) + line + "\n")
		}
	}
}

// wrapWords breaks a text only between words, so that flags stay whole.
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

// flagName returns a flag with its short form and the name of its value.
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

// flagMeaning returns the meaning of a flag with its default.
func flagMeaning(f *pflag.Flag) string {
	_, meaning := pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "false", "[]", "0", "0s":
		return meaning
	}
	return meaning + " (default " + f.DefValue + ")"
}

const exitStatusHelp = `0 all answered; 1 an answer failed, or the command did; 2 wrong usage or configuration;
124 timed out; 130 interrupted.`

// manualPage returns the manual page. It renames the flags of root, which cannot be parsed afterwards.
func manualPage(root *cobra.Command) (string, error) {
	nameValues(root)
	page, err := mango.NewManPage(1, root)
	if err != nil {
		return "", fmt.Errorf("make the manual page: %w", err)
	}
	page = page.WithSection("Exit status", exitStatusHelp).WithSection("Files",
		"confab paths prints where everything is kept.")
	// mango v0.1.0 writes short flags with two hyphens.
	text := regexp.MustCompile(`\\fB--([A-Za-z]) --`).ReplaceAllString(page.Build(roff.NewDocument()), `\fB-$1, --`)
	// Names of values, added by nameValues, are set in italics.
	text = regexp.MustCompile(`\\fB((?:-[A-Za-z], )?--[a-z-]+) ([^\\\n]+)\\fP`).ReplaceAllString(text,
		`\fB$1\fP \fI$2\fP`)
	// The title is centred between the names of the page, and a longer one overlaps them on 80 columns.
	return regexp.MustCompile(`(?m)^(\.TH .*) "[^"]*"$`).ReplaceAllString(text, `$1 "confab manual"`), nil
}

// nameValues adds names of values to those of flags, because mango does not print them.
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
