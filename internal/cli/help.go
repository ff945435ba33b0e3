package cli

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpPage lays out the help of a command. It is written here because fang
// v2.0.1 cuts examples and flags at 80 columns, shows the quotes around the
// names of values, and asks the terminal for its background first.
type helpPage struct {
	b     strings.Builder
	width int
	title func(string) string
	name  func(string) string
}

// help prints the help of a command.
func (a *app) help(cmd *cobra.Command) error {
	a.setColour(colour(a.flags.color))
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
	out := p.b.String()
	if !a.out.styled {
		out = ansi.Strip(out)
	}
	return a.printStyled(out)
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
	if len(rows) > 0 {
		p.heading("Commands")
		p.columns(rows)
	}
}

func (p *helpPage) flags(title string, set *pflag.FlagSet, wanted func(*pflag.Flag) bool) {
	var rows [][2]string
	set.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && wanted(f) {
			rows = append(rows, [2]string{flagName(f), flagMeaning(f)})
		}
	})
	if len(rows) > 0 {
		p.heading(title)
		p.columns(rows)
	}
}

// columns lays out names and what they mean, the latter wrapped within their
// column.
func (p *helpPage) columns(rows [][2]string) {
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

// wrapWords breaks a text between its words, and nowhere else: a flag stays
// whole.
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

// flagName writes a flag with the name of its value.
func flagName(f *pflag.Flag) string {
	text := "    --" + f.Name
	if f.Shorthand != "" {
		text = "-" + f.Shorthand + ", --" + f.Name
	}
	if value, _ := pflag.UnquoteUsage(f); value != "" {
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
