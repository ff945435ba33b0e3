//go:build !windows

package acceptance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What the Go runtime writes to standard error while the screen is on goes to the log.
func TestStandardErrorIsNotOnTheScreen(t *testing.T) {
	h := newHome(t)
	cmd := h.command()
	cmd.Env = append(slices.Clone(cmd.Env), "GODEBUG=schedtrace=20")
	s := h.startOnTerminal(100, 30, cmd)
	s.waitFor("Nothing sent yet")
	from := len(s.output())
	s.sendKeys("hello")
	s.waitFor("┃ hello")
	path := filepath.Join(h.dir, ".local", "state", "confab", "confab.log")
	h.await("the trace in the log", func() bool {
		text, err := os.ReadFile(path)
		return err == nil && strings.Count(string(text), "SCHED ") > 5
	})
	shown := s.output()[from:]
	s.quit()
	s.checkRestored()
	if strings.Contains(shown, "SCHED") {
		t.Errorf("the screen got %q", shown)
	}
}
