package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"confab/internal/cli/clitest"
)

// completionShell is a shell with the completion script, on a terminal of its own in an empty folder. Its confab writes
// the arguments that it gets into the file args, and answers like a real one.
type completionShell struct {
	t        *testing.T
	name     string
	folder   string
	terminal *os.File
	newline  string // the keys that break the line without running it
}

// answers is what the shell's confab prints; where the value of -o is completed, it leaves that to the shell.
const answers = "my talk\t1 turn\nfee $(touch ran) `touch ran` \"q\" \\b\t2 turns\nit's\t3 turns\nw:x\nback\\slash\n" +
	"alpha,beta\ttext\n:odd\n:4\n"

// startShell starts bash, zsh or fish. Tab completes, and ctrl+t writes the line into the file line and empties it.
func startShell(t *testing.T, name string) *completionShell {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s here, so its completion is not tested", name)
	}
	s := &completionShell{t: t, name: name, folder: t.TempDir(), newline: "\x16\n"}
	s.write("answers", answers)
	s.write("script", clitest.NewWorld(t).Must(0, "completion", name).Out)
	s.write("bin/confab", "#!/bin/sh\nfor a; do printf '%s|' \"$a\"; done >args.new; mv args.new args\n"+
		"case \"$*\" in *\" -o \"*) echo :0;; *) cat answers;; esac\n")
	var args []string
	var begin string
	switch name {
	case "bash":
		args = []string{"--norc", "--noprofile", "-i"}
		begin = `dump() { printf %s "$READLINE_LINE" >new; mv new line; READLINE_LINE=; }; bind -x '"\C-t": dump'`
	case "zsh":
		// With zsh's own expand-or-complete on tab, zsh itself expands the word at the cursor.
		args = []string{"-f", "-i"}
		begin = `autoload -Uz compinit; compinit -u -D; ` +
			`dump() { print -rn -- "$BUFFER" >new; mv new line; BUFFER=; }; ` +
			`zle -N dump; bindkey '^T' dump; bindkey '^I' complete-word`
	case "fish":
		args, s.newline = []string{"--no-config", "-i"}, "\x1b\r"
		begin = `function dump; commandline >new; mv new line; commandline ''; end; bind \ct dump`
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = s.folder
	cmd.Env = []string{"HOME=" + s.folder, "PATH=" + s.folder + "/bin:" + os.Getenv("PATH"), "TERM=xterm",
		"LANG=C.UTF-8"}
	if s.terminal, err = pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 200}); err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		s.terminal.Close()
	})
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = bytes.NewBuffer(nil).ReadFrom(s.terminal)
	}()
	s.send(begin + "; source ./script; echo ready >line\r")
	if got := s.read("line"); got != "ready" {
		t.Fatalf("%s began with %q", name, got)
	}
	return s
}

func (s *completionShell) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.folder, name)
	must(s.t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(s.t, os.WriteFile(path, []byte(text), 0o700))
}

func (s *completionShell) send(keys string) {
	s.t.Helper()
	if _, err := s.terminal.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// read waits for a file that the shell writes, removes it, and returns what it holds.
func (s *completionShell) read(name string) string {
	s.t.Helper()
	path := filepath.Join(s.folder, name)
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
			_ = os.Remove(path)
			return strings.TrimRight(string(text), "\n")
		}
	}
	s.t.Fatalf("%s did not write %s", s.name, name)
	return ""
}

// complete types a line and a tab, and returns the line that the shell then has and the arguments that confab got.
func (s *completionShell) complete(line string) (completed, args string) {
	s.t.Helper()
	_ = os.Remove(filepath.Join(s.folder, "args"))
	s.send(strings.ReplaceAll(line, "\n", s.newline) + "\t\x14")
	completed = s.read("line")
	got, _ := os.ReadFile(filepath.Join(s.folder, "args"))
	s.checkNothingRan(line)
	return strings.TrimSuffix(completed, " "), string(got)
}

// TestTabRunsNothing types a command that makes the file "ran", in every form that a shell knows, before the word that
// is completed and in it.
func TestTabRunsNothing(t *testing.T) {
	forms := []string{`$(touch ran)`, "`touch ran`", `<(touch ran)`, `>(touch ran)`, `=(touch ran)`, `(touch ran)`,
		`${x:-$(touch ran)}`, `$((a[$(touch ran)]))`, `$[a[$(touch ran)]]`, `*(e:'touch ran':)`, `{a,$(touch ran)}`,
		`~$(touch ran)`, `$HOME$(touch ran)`, `$x[(touch ran)]`, `$(touch ran`}
	// Every form stands in the first two places, and in a third of the others.
	places := []string{"confab ask %s --session my", `confab ask -o "%s/`, "confab ask '%s' --session my",
		`confab ask "%s" --session my`, "confab %s ask --session my", "confab ask --session=%s --session my",
		"confab ask -m alpha,%s", "confab ask --session %s", `confab ask --session "my%s`, "confab ask --session 'my%s",
		"confab ask --session=my%s", "confab ask -o %s/", "confab ask -o ./%s", "./%s/confab ask --session my",
		"confab ask 'a\n%s' --session my", "confab ask \"a\n%s\" --session my"}
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startShell(t, name)
			for i, place := range places {
				for j, form := range forms {
					if i < 2 || (i+j)%3 == 0 {
						s.complete(fmt.Sprintf(place, form))
					}
				}
			}
		})
	}
}

// TestTabCompletes has names with blanks, quotes, backslashes and colons, and lists with commas.
func TestTabCompletes(t *testing.T) {
	const fee = "fee $(touch ran) `touch ran` \"q\" \\b"
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startShell(t, name)
			s.write("folder/a file", "")
			for _, c := range []struct{ line, args, value string }{
				{`confab ask --session my`, "__complete|ask|--session|my|", "my talk"},
				{`confab ask --session my\ ta`, "__complete|ask|--session|my ta|", "my talk"},
				{`confab ask --session "my ta`, "__complete|ask|--session|my ta|", "my talk"},
				{`confab ask --session 'my ta`, "__complete|ask|--session|my ta|", "my talk"},
				{`confab ask --session it`, "__complete|ask|--session|it|", "it's"},
				{`confab ask --session "it`, "__complete|ask|--session|it|", "it's"},
				{`confab ask --session 'it`, "__complete|ask|--session|it|", "it's"},
				{`confab ask --session w:`, "__complete|ask|--session|w:|", "w:x"},
				{`confab ask --session :`, "__complete|ask|--session|:|", ":odd"},
				{`confab ask --session back`, "__complete|ask|--session|back|", `back\slash`},
				{`confab ask --session fee`, "__complete|ask|--session|fee|", fee},
				{`confab ask --session "fee`, "__complete|ask|--session|fee|", fee},
				{`confab ask --session 'fee`, "__complete|ask|--session|fee|", fee},
				{`confab ask -m alpha,b`, "__complete|ask|-m|alpha,b|", "alpha,beta"},
				{`confab ask -m "alpha,b`, "__complete|ask|-m|alpha,b|", "alpha,beta"},
				{"confab ask 'two\nlines' --session my", "__complete|ask|two\nlines|--session|my|", "my talk"},
				{`confab ask -o folder/a`, "__complete|ask|-o|folder/a|", "folder/a file"},
			} {
				line, args := s.complete(c.line)
				if args != c.args {
					t.Errorf("%s: confab got %q, want %q", c.line, args, c.args)
				}
				// What the shell then reads in the line is the value.
				words := s.words(line)
				if len(words) == 0 || words[len(words)-1] != c.value {
					t.Errorf("%s: became %s, which the shell reads as %q; want %q at the end", c.line, line, words,
						c.value)
				}
			}
			line, _ := s.complete(`confab ask --session=my\ ta`)
			if !slices.Contains(s.words(line), "--session=my talk") {
				t.Errorf("--session=my\\ ta became %s", line)
			}
		})
	}
}

// words returns the words that the shell reads in a line.
func (s *completionShell) words(line string) []string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), s.name, "-c", strings.Replace(line, "confab", `printf '%s\000'`, 1))
	cmd.Dir = s.folder
	out, err := cmd.Output()
	if err != nil {
		s.t.Errorf("%s does not read %s: %v", s.name, line, err)
	}
	s.checkNothingRan(line)
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// checkNothingRan fails the test when the file "ran" is there.
func (s *completionShell) checkNothingRan(line string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.folder, "ran")); err == nil {
		s.t.Errorf("%s ran what stands in %q", s.name, line)
	}
}

// TestCompletionOfLists completes the part behind the last comma to what the list does not hold.
func TestCompletionOfLists(t *testing.T) {
	w := clitest.NewWorld(t)
	for _, c := range []struct{ typed, want, not string }{
		{"del", "\ndelta\t", "\ndel,"},
		{"delta,", "\ndelta,zeta\t", "\ndelta,delta\t"},
		{"zeta,all-i", "\nzeta,all-image\t", "\nall-image"},
		{"alpha*,del", "\nalpha*,delta\t", "\ndelta"},
	} {
		for _, args := range [][]string{{"ask", "-m", c.typed}, {"ask", "--model", c.typed},
			{"run", "--model=" + c.typed}, {"-m", c.typed}, {"models", c.typed}} {
			out := "\n" + w.Must(0, append([]string{"__complete"}, args...)...).Out
			if !strings.Contains(out, c.want) || strings.Contains(out, c.not) {
				t.Errorf("%q completes to %q; want %q, not %q", args, out, c.want, c.not)
			}
		}
	}
}
