// Package console is what a command reads from and prints to: the environment, standard input and output, questions,
// tables, status lines and signals.
package console

import (
	"fmt"
	"log/slog"

	"confab/internal/redact"
	"confab/internal/termtext"
	"confab/themes"
)

// Console holds the streams and the environment of one run, and how it prints.
type Console struct {
	Env      Env
	Out, Err Stream
	Flags    flags
	Secrets  *redact.Set // masked in what goes to standard error
	Log      *slog.Logger
	Running  bool                  // a command began, so an error is no longer about how it was called
	Styles   func() *themes.Styles // of what is printed on a terminal
}

// flags are those of every command, and those that mean the same in each command that has them.
type flags struct {
	Config  string
	DataDir string
	Color   string
	Json    bool // print JSON objects, each on a line of its own
	Quiet   bool // print nothing but results and errors
	Yes     bool // do not ask before something is deleted or sent
}

// New returns the console of an environment.
func New(env Env, styles func() *themes.Styles) *Console {
	c := &Console{Env: env, Secrets: redact.NewSet(env.Get("CONFAB_API_KEY")), Styles: styles}
	c.SetColor(ColorAuto)
	return c
}

// SetColor judges the outputs again under another choice.
func (c *Console) SetColor(mode ColorMode) {
	c.Out, c.Err = newStream(c.Env.Stdout, c.Env, mode), newStream(c.Env.Stderr, c.Env, mode)
}

// Warn prints a warning to standard error. Its values may be foreign text.
func (c *Console) Warn(format string, args ...any) {
	c.Info("confab: " + termtext.Line(fmt.Sprintf(format, args...)))
}

// Info prints a line to standard error, with secrets masked. Foreign text in it must be clean already.
func (c *Console) Info(line string) {
	_, _ = fmt.Fprintln(c.Err, c.Secrets.Masker().String(line)) // there is nowhere to tell of a failure
}
