package cli

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

// console holds the streams and the environment of one run, and how it prints.
type console struct {
	env      Env
	out, err stream
	flags    sharedFlags
	secrets  *redact.Set // masked in what goes to standard error
	log      *slog.Logger
	running  bool                  // a command began, so an error is no longer about how it was called
	styles   func() *themes.Styles // of what is printed on a terminal
}

// sharedFlags are those of every command, and those that mean the same in each command that has them.
type sharedFlags struct {
	config  string
	dataDir string
	color   string
	json    bool // print JSON objects, each on a line of its own
	quiet   bool // print nothing but results and errors
	yes     bool // do not ask before something is deleted or sent
}

// newConsole returns the console of an environment.
func newConsole(env Env, styles func() *themes.Styles) *console {
	c := &console{env: env, secrets: redact.NewSet(env.Get("CONFAB_API_KEY")), styles: styles}
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

// colorMode is the choice of --color.
type colorMode string

const (
	colorAuto   colorMode = "auto"
	colorAlways colorMode = "always"
	colorNever  colorMode = "never"
)

// stream is where output goes, with what is known of it.
type stream struct {
	io.Writer
	terminal bool
	styled   bool // text may be styled
	profile  colorprofile.Profile
}

// newStream judges an output. NO_COLOR counts whatever its value, as its specification says; like --color never
// it leaves text laid out, but without bold and other styles, which people who set it do not expect either.
func newStream(w io.Writer, e Env, c colorMode) stream {
	s := stream{Writer: w, terminal: isTerminal(w), profile: colorprofile.NoTTY}
	dumb := e.Get("TERM") == "dumb" || e.Get("TERM") == ""
	s.styled = s.terminal && !dumb
	switch force := e.Get("CLICOLOR_FORCE"); {
	case c == colorAlways, c == colorAuto && force != "" && force != "0" && e.Get("NO_COLOR") == "":
		s.styled = true
		s.profile = max(profileOf(e), colorprofile.ANSI)
	case !s.styled:
	case c == colorNever, e.Get("NO_COLOR") != "":
		s.profile = colorprofile.NoTTY
	default:
		s.profile = profileOf(e)
	}
	return s
}

// profileOf returns how many colors the environment promises. It does not ask
// tmux, which would take longer than all the rest of a start.
func profileOf(e Env) colorprofile.Profile {
	plain := slices.DeleteFunc(slices.Clone(e.Environ), func(kv string) bool {
		return strings.HasPrefix(kv, "NO_COLOR=") || strings.HasPrefix(kv, "CLICOLOR_FORCE=")
	})
	p := colorprofile.Env(plain)
	if p < colorprofile.TrueColor && p > colorprofile.NoTTY {
		p = max(p, colorprofile.Terminfo(e.Get("TERM")))
	}
	return p
}

// size returns the columns and rows of a terminal; elsewhere, and at most, 100 columns, beyond which text is hard to
// read, and 24 rows.
func (s stream) size() (width, height int) {
	width, height = 100, 24
	if f, ok := s.Writer.(term.File); ok && s.terminal {
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

// width returns the columns of a terminal, or what stands for them elsewhere.
func (s stream) width() int {
	width, _ := s.size()
	return width
}

// isTerminal tells whether a stream is a terminal.
func isTerminal(v any) bool {
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
