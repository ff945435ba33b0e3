//go:build linux

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// listeningSockets returns the lines of /proc/net about TCP sockets that the process listens on.
func (s *terminal) listeningSockets() (lines []string) {
	s.t.Helper()
	folder := fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid)
	files, err := os.ReadDir(folder)
	must(s.t, err)
	own := map[string]bool{}
	for _, f := range files {
		target, _ := os.Readlink(filepath.Join(folder, f.Name())) // it may be closed by now
		own[strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]")] = true
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		b, err := os.ReadFile(table)
		must(s.t, err)
		for line := range strings.Lines(string(b)) {
			const listens, state, inode = "0A", 3, 9
			if f := strings.Fields(line); f[state] == listens && own[f[inode]] {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

func TestTheEmbeddedServiceListensNowhere(t *testing.T) {
	h := newHome(t)
	s := h.open(120, 40)
	s.waitFor("Nothing sent yet")
	s.sendKeys("Why is the sky blue?\r")
	s.waitFor("1 answer", "imulated by the offline engine")
	if lines := s.listeningSockets(); len(lines) > 0 {
		t.Errorf("the process listens: %v", lines)
	}
}
