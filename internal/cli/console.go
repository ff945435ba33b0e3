// Package console is what a command reads from and prints to: the environment, standard input and output, questions,
// tables, status lines and signals.
package cli

import (
	"fmt"
	"log/slog"

	"confab/internal/redact"
	"confab/internal/termtext"
	"confab/themes"
)

// console holds the streams and the environment of one run, and how it prints.
type console struct {
	env      Env
	out, err stream
	flags    flags
	secrets  *redact.Set // masked in what goes to standard error
	log      *slog.Logger
	running  bool                  // a command began, so an error is no longer about how it was called
	styles   func() *themes.Styles // of what is printed on a terminal
}

// flags are those of every command, and those that mean the same in each command that has them.
type flags struct {
	config  string
	dataDir string
	color   string
	json    bool // print JSON objects, each on a line of its own
	quiet   bool // print nothing but results and errors
	yes     bool // do not ask before something is deleted or sent
}

// newConsole returns the console of an environment.
func newConsole(env Env, styles func() *themes.Styles) *console {
	c := &console{env: env, secrets: redact.NewSet(env.get("CONFAB_API_KEY")), styles: styles}
	c.setColor(colorAuto)
	return c
}

// setColor judges the outputs again under another choice.
func (c *console) setColor(mode colorMode) {
	c.out, c.err = newStream(c.env.Stdout, c.env, mode), newStream(c.env.Stderr, c.env, mode)
}

// warn prints a warning to standard error. Its values may be foreign text.
func (c *console) warn(format string, args ...any) {
	c.info("confab: " + termtext.Line(fmt.Sprintf(format, args...)))
}

// info prints a line to standard error, with secrets masked. Foreign text in it must be clean already.
func (c *console) info(line string) {
	_, _ = fmt.Fprintln(c.err, c.secrets.Masker().String(line)) // there is nowhere to tell of a failure
}
