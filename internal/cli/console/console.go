// Package console is what a command reads from and prints to: the environment, standard input and output, questions,
// tables, status lines and signals.
package console

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"confab/internal/redact"
	"confab/internal/termtext"
	"confab/service/engine/openai"
	"confab/themes"
)

// Console holds the streams and the environment of one run, and how it prints.
type Console struct {
	Env      Env
	Out, Err Stream
	Flags    Flags
	Secrets  *redact.Set // masked in what goes to standard error
	Log      *slog.Logger
	Running  bool                  // a command began, so an error is no longer about how it was called
	Styles   func() *themes.Styles // of what is printed on a terminal
}

// Flags are those of every command, and those that mean the same in each command that has them.
type Flags struct {
	Config  string
	DataDir string
	Color   string
	JSON    bool // print JSON objects, each on a line of its own
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

// Env is what a run of the program has of the outside.
type Env struct {
	Stdin   io.Reader // a file is read only when it is a pipe or a regular file; nil is none
	Stdout  io.Writer
	Stderr  io.Writer
	Environ []string         // "NAME=value"
	Signals <-chan os.Signal // nil: those of the process
	Version string           // empty: as built

	Speed   float64                                    // of the offline engine; 0 is its own
	Keyring func(service, user string) (string, error) // nil: the system's
	Ports   []openai.LocalPort                         // where servers of models are looked for; nil: their usual ones
}

// System returns the [Env] of the process. It takes the key out of the process's environment, so that no program that
// is started later inherits it, and the variables with which Bubble Tea would write what is typed to files.
func System() Env {
	e := Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ()}
	for _, name := range []string{"CONFAB_API_KEY", "CONFAB_PICTURES_KEY", "TEA_DEBUG", "TEA_TRACE"} {
		_ = os.Unsetenv(name) // fails for malformed names only
	}
	e.Environ = slices.DeleteFunc(e.Environ, func(kv string) bool {
		return strings.HasPrefix(kv, "TEA_DEBUG=") || strings.HasPrefix(kv, "TEA_TRACE=")
	})
	return e
}

// Get returns a variable, the last of its name.
func (e Env) Get(name string) string {
	for _, kv := range slices.Backward(e.Environ) {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value
		}
	}
	return ""
}

// IsRemote tells whether the terminal belongs to another machine.
func (e Env) IsRemote() bool { return e.Get("SSH_CONNECTION") != "" || e.Get("SSH_TTY") != "" }

// BuildVersion returns the version of the program, as it was built unless Version says so.
func (e Env) BuildVersion() string {
	if e.Version != "" {
		return e.Version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := info.Main.Version
	if version == "" || version == "(devel)" {
		version = "development"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 7 && !strings.Contains(version, s.Value[:7]) {
			version += " (" + s.Value[:7] + ")"
		}
	}
	return version
}

// ColorMode is the choice of --color.
type ColorMode string

const (
	ColorAuto   ColorMode = "auto"
	ColorAlways ColorMode = "always"
	ColorNever  ColorMode = "never"
)

// Stream is where output goes, with what is known of it.
type Stream struct {
	io.Writer
	Terminal bool
	Styled   bool // text may be styled
	Profile  colorprofile.Profile
}

// newStream judges an output. NO_COLOR counts whatever its value, as its specification says; like --color never
// it leaves text laid out, but without bold and other styles, which people who set it do not expect either.
func newStream(w io.Writer, e Env, c ColorMode) Stream {
	s := Stream{Writer: w, Terminal: IsTerminal(w), Profile: colorprofile.NoTTY}
	dumb := e.Get("TERM") == "dumb" || e.Get("TERM") == ""
	s.Styled = s.Terminal && !dumb
	switch force := e.Get("CLICOLOR_FORCE"); {
	case c == ColorAlways, c == ColorAuto && force != "" && force != "0" && e.Get("NO_COLOR") == "":
		s.Styled = true
		s.Profile = max(ProfileOf(e), colorprofile.ANSI)
	case !s.Styled:
	case c == ColorNever, e.Get("NO_COLOR") != "":
		s.Profile = colorprofile.NoTTY
	default:
		s.Profile = ProfileOf(e)
	}
	return s
}

// ProfileOf returns how many colors the environment promises. It does not ask
// tmux, which would take longer than all the rest of a start.
func ProfileOf(e Env) colorprofile.Profile {
	plain := slices.DeleteFunc(slices.Clone(e.Environ), func(kv string) bool {
		return strings.HasPrefix(kv, "NO_COLOR=") || strings.HasPrefix(kv, "CLICOLOR_FORCE=")
	})
	p := colorprofile.Env(plain)
	if p < colorprofile.TrueColor && p > colorprofile.NoTTY {
		p = max(p, colorprofile.Terminfo(e.Get("TERM")))
	}
	return p
}

// Size returns the columns and rows of a terminal; elsewhere, and at most, 100 columns, beyond which text is hard to
// read, and 24 rows.
func (s Stream) Size() (width, height int) {
	width, height = 100, 24
	if f, ok := s.Writer.(term.File); ok && s.Terminal {
		if w, h, err := term.GetSize(f.Fd()); err == nil {
			if w > 0 {
				width = min(w, width)
			}
			if h > 1 {
				height = h
			}
		}
	}
	return width, height
}

// Width returns the columns of a terminal, or what stands for them elsewhere.
func (s Stream) Width() int {
	width, _ := s.Size()
	return width
}

// IsTerminal tells whether a stream is a terminal.
func IsTerminal(v any) bool {
	f, ok := v.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}

// isReadable tells whether standard input is to be read: a pipe or a regular file. A terminal would wait for a person
// who does not know, and what else there is (a closed input, /dev/null) has nothing to say.
func isReadable(in io.Reader) bool {
	if in == nil {
		return false
	}
	f, ok := in.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return true
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	return info.Mode().IsRegular() || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0
}
