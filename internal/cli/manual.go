package cli

import (
	"fmt"
	"regexp"
	"strings"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exitStatusHelp says what the exit status of every command means.
const exitStatusHelp = `0 all answered; 1 an answer failed, or the command did; 2 wrong usage or configuration;
124 timed out; 130 interrupted.`

// manualPage returns the manual page of a tree of commands, whose flags cannot be parsed after that.
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
	// The names of values, put there by nameValues, are set in italics.
	text = regexp.MustCompile(`\\fB((?:-[A-Za-z], )?--[a-z-]+) ([^\\\n]+)\\fP`).ReplaceAllString(text,
		`\fB$1\fP \fI$2\fP`)
	// The title is centred between the names of the page, and a longer one overlaps them on 80 columns.
	return regexp.MustCompile(`(?m)^(\.TH .*) "[^"]*"$`).ReplaceAllString(text, `$1 "confab manual"`), nil
}

// nameValues puts the names of values after those of their flags, which mango does not print, and takes the quotes
// around them away, which it does.
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
