package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"confab/internal/javascript"
	"confab/internal/termtext"
	"confab/service/api"
	"confab/service/engine/openai"
)

// setColor determines the colors of the outputs.
func (a *app) setColor(mode colorMode) {
	a.out, a.err = newStream(a.env.Stdout, a.env, mode), newStream(a.env.Stderr, a.env, mode)
}

// warn prints a warning to standard error. Its values may be foreign text.
func (a *app) warn(format string, args ...any) {
	a.info("confab: " + termtext.Line(fmt.Sprintf(format, args...)))
}

// info prints a line to standard error with secrets masked. Foreign text in it must be clean.
func (a *app) info(line string) {
	_, _ = fmt.Fprintln(a.err, a.secrets.Masker().String(line)) // a failure cannot be reported anywhere
}

// note is info for what --quiet leaves out.
func (a *app) note(line string) {
	if !a.flags.quiet {
		a.info(line)
	}
}

// Env is the environment of a run of the program.
type Env struct {
	Stdin   io.Reader // a file is read only when it is a pipe or a regular file; nil is none
	Stdout  io.Writer
	Stderr  io.Writer
	Environ []string               // "NAME=value"
	Signals <-chan os.Signal       // nil: those of the process
	Version string                 // empty: as built
	Scripts javascript.Interpreter // evaluates the checks of suites; nil: none

	Speed   float64                                    // of the offline engine; 0 is its own
	Keyring func(service, user string) (string, error) // nil: the system's
	Ports   []openai.LocalPort                         // where servers of models are looked for; nil: their usual ones
}

// System returns the [Env] of the process. It unsets keys, so that child processes do not inherit them, and the
// variables with which Bubble Tea writes what is typed to files.
func System() Env {
	e := Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(),
		Scripts: javascript.ThisProgram()}
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

// IsRemote reports whether the terminal belongs to another machine.
func (e Env) IsRemote() bool { return e.Get("SSH_CONNECTION") != "" || e.Get("SSH_TTY") != "" }

// BuildVersion returns Version, or the version from the build information.
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

// Write implements [io.Writer]. Its errors are [*api.Error].
func (s stream) Write(b []byte) (int, error) {
	n, err := s.Writer.Write(b)
	if err != nil {
		err = &api.Error{Code: api.CodeDisk, Message: "standard output could not be written", Err: err}
	}
	return n, err
}

// newStream returns w with its color profile. NO_COLOR, whatever its value, and --color never leave the layout but no
// style.
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

// profileOf returns the colors that the environment promises. It does not ask tmux, which is slow.
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

// size returns the columns (at most 100, for legibility) and rows of a terminal; 100 and 24 elsewhere.
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

func (s stream) width() int {
	width, _ := s.size()
	return width
}

func isTerminal(v any) bool {
	f, ok := v.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}

// isReadable reports whether standard input is a pipe or a regular file. A terminal would wait for the user, and
// other files hold no prompt.
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

// isInMosh reports whether mosh carries this terminal. It knows only on Linux, outside of tmux and screen.
func (a *app) isInMosh() bool {
	return a.env.IsRemote() && a.env.Get("TMUX") == "" && a.env.Get("STY") == "" &&
		hasMoshAncestor(os.DirFS("/proc"), os.Getppid())
}

// hasMoshAncestor reports whether a process or one of its ancestors is mosh-server. proc is Linux's /proc.
func hasMoshAncestor(proc fs.FS, pid int) bool {
	for range 32 {
		stat, err := fs.ReadFile(proc, strconv.Itoa(pid)+"/stat")
		// The format is: pid (name) state parent …, and the name may hold anything.
		from, to := strings.IndexByte(string(stat), '('), strings.LastIndexByte(string(stat), ')')
		if err != nil || from < 0 || to < from {
			return false
		}
		if string(stat[from+1:to]) == "mosh-server" {
			return true
		}
		fields := strings.Fields(string(stat[to+1:]))
		if len(fields) < 2 {
			return false
		}
		if pid, err = strconv.Atoi(fields[1]); err != nil || pid <= 1 {
			return false
		}
	}
	return false
}

// tmuxWait bounds a call of tmux.
const tmuxWait = time.Second

// tmux returns what a command of tmux prints, "" if it fails.
func (a *app) tmux(ctx context.Context, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, tmuxWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", args...)
	cmd.Env = a.env.Environ
	cmd.WaitDelay = tmuxWait
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// tmuxDraws24 reports whether tmux draws 24-bit colors, by its features or its capabilities (RGB, Tc).
func (a *app) tmuxDraws24(ctx context.Context) bool {
	if a.env.Get("TMUX") == "" {
		return false
	}
	report := a.tmux(ctx, "display-message", "-p", "#{client_termfeatures}", ";", "info")
	features, capabilities, _ := strings.Cut(report, "\n")
	if slices.Contains(strings.Split(features, ","), "RGB") {
		return true
	}
	for line := range strings.SplitSeq(capabilities, "\n") {
		if (strings.Contains(line, " RGB:") || strings.Contains(line, " Tc:")) && strings.HasSuffix(line, "true") {
			return true
		}
	}
	return false
}

// hasOuterTmux reports whether TERM tells of a tmux at the other end of the SSH connection.
func (a *app) hasOuterTmux() bool {
	return a.env.IsRemote() && a.env.Get("TMUX") == "" && strings.HasPrefix(a.env.Get("TERM"), "tmux")
}
