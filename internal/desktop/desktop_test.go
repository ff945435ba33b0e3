package desktop

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"confab/internal/redact"
)

// fakeMachine is a machine with nothing but what a test puts there.
type fakeMachine struct {
	t       *testing.T
	bin     string
	state   string
	log     string // what the programs were given
	environ []string
	board   error // what the clipboard answers
	copied  []string
}

func newPlace(t *testing.T, environ ...string) *fakeMachine {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of these tests are shell scripts")
	}
	dir := t.TempDir()
	p := &fakeMachine{t: t, bin: filepath.Join(dir, "bin"), state: filepath.Join(dir, "state"),
		log: filepath.Join(dir, "log")}
	must(t, os.Mkdir(p.bin, 0o700))
	p.environ = append([]string{"PATH=" + p.bin, "LOG=" + p.log, "HOME=" + dir, "CONFAB_API_KEY=the-key-itself",
		"OTHER=holds the-key-itself too"}, environ...)
	return p
}

// program puts a program there; it logs its arguments, then does more.
func (p *fakeMachine) program(name, more string) string {
	p.t.Helper()
	path := filepath.Join(p.bin, name)
	script := "#!/bin/sh\nPATH=/usr/bin:/bin\nprintf '%s' \"" + name + "\" >>\"$LOG\"\nfor a; do printf ' <%s>' " +
		"\"$a\" >>\"$LOG\"; done\necho >>\"$LOG\"\nenv >>\"$LOG.env\"\n" + more + "\n"
	must(p.t, os.WriteFile(path, []byte(script), 0o700))
	return path
}

func (p *fakeMachine) desktop() *Desktop {
	return New(Options{Environ: p.environ, State: p.state, System: "linux", Mask: redact.NewMasker("the-key-itself"),
		Clipboard: func(_ context.Context, text string) error {
			p.copied = append(p.copied, text)
			return p.board
		}})
}

func (p *fakeMachine) logged() string {
	b, err := os.ReadFile(p.log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.t.Fatal(err)
	}
	return string(b)
}

// keyless checks that no program was given the key.
func (p *fakeMachine) keyless() {
	p.t.Helper()
	b, err := os.ReadFile(p.log + ".env")
	must(p.t, err)
	if strings.Contains(string(b), "the-key-itself") || !strings.Contains(string(b), "LOG=") {
		p.t.Errorf("a program's environment was:\n%s", b)
	}
}

func TestCopy(t *testing.T) {
	none := errors.New("no clipboard")
	large := strings.Repeat("x", MaxTerminalText+1)
	const (
		withTmux  = `[ "$1" = show ] && echo external && exit; cat >"$LOG.buffer"`
		oldTmux   = `[ "$1" = show ] && echo external && exit; [ "$2" = -w ] && exit 1; cat >"$LOG.buffer"`
		openTmux  = `[ "$1" = show ] && printf 'external\non\n' && exit; cat >"$LOG.buffer"`
		shutTmux  = `[ "$1" = show ] && printf 'off\noff\n' && exit; cat >"$LOG.buffer"`
		closeTmux = `[ "$1" = show ] && echo off && exit; cat >"$LOG.buffer"`
	)
	for _, c := range []struct {
		name     string
		environ  []string
		tmux     string
		board    error
		text     string
		where    string
		terminal bool
		local    bool // the clipboard was asked
		buffer   bool // tmux has it
		file     bool
	}{
		{name: "local", text: "a", where: "on the clipboard", terminal: true, local: true},
		{name: "local without a clipboard", board: none, text: "a", where: "sent to your terminal's clipboard",
			terminal: true, local: true},
		{name: "local and large", text: large, where: "on the clipboard", local: true},
		{name: "local, large, without a clipboard", board: none, text: large, where: "in the file %s: too large " +
			"for the terminal", local: true, file: true},
		{name: "local in tmux", environ: []string{"TMUX=x"}, tmux: withTmux, text: "a",
			where: "on the clipboard, sent to your terminal's clipboard, in tmux (prefix ] pastes it)", local: true,
			buffer: true},
		{name: "ssh", environ: []string{"SSH_CONNECTION=1.2.3.4 1 5.6.7.8 22"}, text: "a",
			where: "sent to your terminal's clipboard", terminal: true},
		{name: "ssh by its terminal", environ: []string{"SSH_TTY=/dev/pts/1"}, text: "a",
			where: "sent to your terminal's clipboard", terminal: true},
		{name: "ssh and large", environ: []string{"SSH_TTY=x"}, text: large, where: "in the file %s: too large for " +
			"the terminal", file: true},
		{name: "ssh in tmux", environ: []string{"SSH_TTY=x", "TMUX=x"}, tmux: withTmux, text: "a",
			where: "sent to your terminal's clipboard, in tmux (prefix ] pastes it)", buffer: true},
		{name: "ssh in an old tmux", environ: []string{"SSH_TTY=x", "TMUX=x"}, tmux: oldTmux, text: "a",
			where: "sent to your terminal's clipboard, in tmux (prefix ] pastes it)", terminal: true, buffer: true},
		{name: "ssh in a tmux that leaves clipboards alone", environ: []string{"SSH_TTY=x", "TMUX=x"}, tmux: closeTmux,
			text: "a", where: "sent to your terminal's clipboard, in tmux (prefix ] pastes it)", terminal: true,
			buffer: true},
		{name: "ssh in a tmux that passes on what is wrapped", environ: []string{"SSH_TTY=x", "TMUX=x"}, tmux: openTmux,
			text: "a", where: "sent to your terminal's clipboard, in tmux (prefix ] pastes it)", terminal: true,
			buffer: true},
		{name: "ssh in a tmux that passes nothing on", environ: []string{"SSH_TTY=x", "TMUX=x"}, tmux: shutTmux,
			text:  "a",
			where: "in tmux (prefix ] pastes it), which passes nothing on: its set-clipboard is off", buffer: true},
		{name: "ssh in tmux without its program", environ: []string{"SSH_TTY=x", "TMUX=x"}, text: "a",
			where: "sent to your terminal's clipboard", terminal: true},
		{name: "ssh in tmux and large", environ: []string{"SSH_TTY=x", "TMUX=x"}, tmux: withTmux, text: large,
			where: "in the file %s: too large for the terminal, in tmux (prefix ] pastes it)", buffer: true,
			file: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t, c.environ...)
			p.board = c.board
			if c.tmux != "" {
				p.program("tmux", c.tmux)
			}
			where, terminal, err := p.desktop().Copy(t.Context(), c.text)
			must(t, err)
			if terminal != c.terminal {
				t.Errorf("terminal %t, want %t", terminal, c.terminal)
			}
			if c.file {
				path := filepath.Join(p.state, "copied.txt")
				if want := strings.Replace(c.where, "%s", "~/state/copied.txt", 1); where != want {
					t.Errorf("where %q, want %q", where, want)
				}
				b, err := os.ReadFile(path)
				info, statErr := os.Stat(path)
				if err != nil || statErr != nil || string(b) != c.text || info.Mode().Perm() != 0o600 {
					t.Errorf("the file has %d bytes, %v, %v", len(b), err, info.Mode())
				}
			} else if where != c.where {
				t.Errorf("where %q, want %q", where, c.where)
			}
			if asked := len(p.copied) > 0; asked != c.local {
				t.Errorf("the local clipboard was asked: %t", asked)
			}
			b, err := os.ReadFile(p.log + ".buffer")
			if held := err == nil && string(b) == c.text; held != c.buffer {
				t.Errorf("tmux has it: %t", held)
			}
			if c.tmux != "" {
				p.keyless()
			}
		})
	}
}

func TestCopyIsCancelled(t *testing.T) {
	p := newPlace(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := p.desktop().Copy(ctx, "a"); err == nil {
		t.Error("no error")
	}
}

func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name     string
		environ  []string
		programs []string
		more     string
		target   string
		hint     string
		logged   string
		fails    bool
	}{
		{name: "a file", environ: []string{"DISPLAY=:0"}, programs: []string{"xdg-open"}, target: "/a b/c.png",
			hint: "opened with xdg-open", logged: "xdg-open </a b/c.png>\n"},
		{name: "a link", environ: []string{"WAYLAND_DISPLAY=w"}, programs: []string{"gio"},
			target: "https://a.example/?b=c",
			hint:   "opened with gio", logged: "gio <open> <https://a.example/?b=c>\n"},
		{name: "no desktop", programs: []string{"xdg-open"}, target: "/c.png", hint: "there is no desktop to open " +
			"it on: /c.png"},
		{name: "no program", environ: []string{"DISPLAY=:0"}, target: "/c.png", hint: "there is no desktop to open " +
			"it on: /c.png"},
		{name: "one that fails", environ: []string{"DISPLAY=:0"}, programs: []string{"xdg-open"}, more: "exit 3",
			target: "/c.png", fails: true, logged: "xdg-open </c.png>\n"},
		{name: "not a link", environ: []string{"DISPLAY=:0"}, programs: []string{"xdg-open"}, target: "/javascript:x",
			hint: "opened with xdg-open", logged: "xdg-open </javascript:x>\n"},
		{name: "ssh", environ: []string{"SSH_CONNECTION=1.2.3.4 1000 5.6.7.8 " +
			"22", "USER=ann", "DISPLAY=:0"}, programs: []string{
			"xdg-open",
		}, target: "/p/c.png", hint: "fetch it: scp ann@5.6.7.8:/p/c.png ."},
		{name: "ssh on another port", environ: []string{"SSH_CONNECTION=::1 1 2001:db8::1 2222"}, target: "/p/it's.png",
			hint: `fetch it: scp -P 2222 '[2001:db8::1]:/p/it'\''s.png' .`},
		{name: "ssh with little known", environ: []string{"SSH_TTY=x"}, target: "/c.png",
			hint: "fetch it: scp HOST:/c.png ."},
		{name: "a link over ssh", environ: []string{"SSH_TTY=x"}, target: "https://a.example/",
			hint: "open it on your own machine: https://a.example/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t, c.environ...)
			for _, name := range c.programs {
				p.program(name, c.more)
			}
			hint, err := p.desktop().Open(t.Context(), c.target)
			if hint != c.hint || (err != nil) != c.fails {
				t.Errorf("hint %q, %v; want %q", hint, err, c.hint)
			}
			if got := p.logged(); got != c.logged {
				t.Errorf("ran %q, want %q", got, c.logged)
			}
			if c.logged != "" {
				p.keyless()
			}
		})
	}
}

func TestEditor(t *testing.T) {
	const edit = `for f; do :; done; grep -q 'the text' "$f" && printf ' edited\377' >>"$f"; touch "$f~"`
	for _, c := range []struct {
		name    string
		environ []string
		program string
		logged  string
	}{
		{"VISUAL first", []string{"VISUAL=mine", "EDITOR=other"}, "mine", "mine <%>\n"},
		{"EDITOR", []string{"EDITOR=mine"}, "mine", "mine <%>\n"},
		{"with arguments", []string{"EDITOR=mine  --wait -x"}, "mine", "mine <--wait> <-x> <%>\n"},
		{"with quotes", []string{`EDITOR=mine -a ""  'b c'`}, "mine", "mine <-a> <> <b c> <%>\n"},
		{"none set", nil, "vi", "vi <%>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t, c.environ...)
			p.program(c.program, edit)
			must(t, os.Symlink("/bin/sh", filepath.Join(p.bin, "sh")))
			run, err := p.desktop().Editor(t.Context(), "the text")
			must(t, err)
			path := p.edited()
			info, err := os.Stat(path)
			if err != nil || info.Mode().Perm() != 0o600 || filepath.Ext(path) != ".md" ||
				!strings.HasPrefix(path, p.state) {
				t.Errorf("the file is %s, %v, %v", path, info.Mode(), err)
			}
			text, _, err := run(nil, io.Discard)
			if err != nil || text != "the text edited\uFFFD" {
				t.Errorf("read back %q, %v", text, err)
			}
			if got := strings.ReplaceAll(p.logged(), path, "%"); got != c.logged {
				t.Errorf("ran %q, want %q", got, c.logged)
			}
			p.keyless()
			if left, err := os.ReadDir(filepath.Join(p.state, "editing")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// edited returns the file that an editor is to run on.
func (p *fakeMachine) edited() string {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.state, "editing", "*", "*"))
	if err != nil || len(files) != 1 {
		p.t.Fatalf("files to edit: %q, %v", files, err)
	}
	return files[0]
}

func TestEditorRunsOnTheText(t *testing.T) {
	const edit = `for f; do :; done; printf ' edited' >>"$f"`
	for _, c := range []struct {
		name, program, became string
		fails, isKept         bool
	}{
		{"edits", edit, "the text edited", false, false},
		{"fails", "exit 3", "", true, false},
		{"fails after it wrote", edit + "; exit 1", "the text edited", true, false},
		{"opens a window and ends", "", "the text", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			p.program("vi", c.program)
			d := p.desktop()
			edit, err := d.Editor(t.Context(), "the text")
			must(t, err)
			became, kept, err := edit(nil, io.Discard)
			if became != c.became || (err != nil) != c.fails || (kept != "") != c.isKept {
				t.Errorf("it became %q, %v, and %q is kept", became, err, kept)
			}
			if kept == "" {
				return
			}
			must(t, os.WriteFile(kept, []byte("saved later"), 0o600))
			if text, err := d.Saved(kept); err != nil || text != "saved later" {
				t.Errorf("what is saved is read as %q, %v", text, err)
			}
		})
	}
}

func TestEditorProblems(t *testing.T) {
	p := newPlace(t)
	if _, err := p.desktop().Editor(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "$VISUAL") {
		t.Errorf("without an editor: %v", err)
	}
	p.environ = append(p.environ, "EDITOR=nowhere")
	if _, err := p.desktop().Editor(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("with one that is not there: %v", err)
	}
	if name, ok := p.desktop().EditorName(); ok {
		t.Errorf("it is called %q", name)
	}
	p.program("ed", "")
	p.environ = append(p.environ, "EDITOR=ed")
	run, err := p.desktop().Editor(t.Context(), "x")
	must(t, err)
	must(t, os.Remove(p.edited()))
	if text, _, err := run(nil, io.Discard); err == nil || text != "" {
		t.Errorf("read back %q, %v", text, err)
	}
}

func TestEditorSweepsWhatCrashesLeft(t *testing.T) {
	p := newPlace(t)
	p.program("vi", "")
	old := filepath.Join(p.state, "editing", "text-old")
	must(t, os.MkdirAll(old, 0o700))
	long := time.Now().Add(-2 * oldTextAge)
	must(t, os.Chtimes(old, long, long))
	if _, err := p.desktop().Editor(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestWays(t *testing.T) {
	p := newPlace(t, "SSH_TTY=x", "TMUX=x")
	p.program("tmux", "")
	if got := strings.Join(p.desktop().CopyMethods(), "; "); !strings.HasPrefix(got, "tmux's buffer; your terminal") {
		t.Errorf("ways: %s", got)
	}
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
