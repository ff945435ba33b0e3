//go:build !windows

package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// shellScript runs confab as a job of a shell, and continues it after each line of input while it is stopped.
const shellScript = `sh -c 'echo $$ >"$1"; exec "$0"' "$0" "$1"
while jobs %1 >/dev/null 2>&1; do echo the shell is back; read line; fg >/dev/null; done`

func TestStoppedItLeavesTheTerminalInOrderAndTakesItAgain(t *testing.T) {
	h := newHome(t)
	pidFile := filepath.Join(h.dir, "pid")
	cmd := exec.Command("sh", "-mc", shellScript, binary, pidFile)
	cmd.Env, cmd.Dir = h.environ, h.dir
	s := h.startOnTerminal(100, 30, cmd)
	s.waitFor("Write a prompt")
	s.sendKeys("the draft")
	s.waitFor("┃ the draft")
	text, err := os.ReadFile(pidFile)
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(t, err)
	kill := func(sig syscall.Signal) func() {
		return func() {
			must(t, syscall.Kill(pid, sig))
		}
	}
	for i, stop := range []struct {
		how      string
		act      func()
		restores bool
	}{
		{"ctrl+z", func() { s.sendKeys("\x1a") }, true},
		{"SIGTSTP", kill(syscall.SIGTSTP), true},
		{"SIGSTOP", kill(syscall.SIGSTOP), false}, // no program can act on it
		{"SIGTSTP", kill(syscall.SIGTSTP), true},
	} {
		stop.act()
		s.await("the shell after "+stop.how, func() bool {
			return strings.Count(s.output(), "the shell is back") > i
		})
		if stop.restores {
			s.checkRestored()
		}
		written := len(s.output())
		s.sendKeys("\n")
		s.await("the screen after "+stop.how, func() bool {
			out := s.output()[written:]
			return strings.Contains(out, "\x1b[?1049h") && strings.Contains(out, "Models") &&
				strings.Contains(s.text(), "┃ the draft")
		})
	}
	s.sendKeys(" goes on")
	s.waitFor("┃ the draft goes on")
	s.quit()
	s.checkRestored()
}

func TestWithoutAShellItIsNotStopped(t *testing.T) {
	s := newHome(t).open(100, 30)
	s.waitFor("Write a prompt")
	s.sendKeys("\x1a")
	s.waitFor("There is no shell here to go back to.")
	s.sendKeys("x")
	s.waitFor("┃ x")
}
