//go:build !windows

package acceptance

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"confab/internal/testflags"
)

// The soak: so many logins (CONFAB_LOGINS says another number), so many of them
// side by side, and after how many the server is taken to have made what it
// makes once.
const (
	soakLogins = 300
	soakAtOnce = 8
	soakWarm   = 100
	soakUsers  = 16
	soakGrowth = 1.2 // RELIABILITY X
)

// Until the memory is only what is in use: the screens' timers run out, some
// logins let the collector run, and it gives back what it has found.
const (
	soakRest    = 6 * time.Second
	soakGentle  = 5
	soakCollect = "GOGC=10"
	soakSettles = 16 // readings, four a second, of which the least counts
	soakSpare   = 6  // open files that may be more; they do not become more with more logins
)

// TestManyLoginsLeaveNothingBehind opens and closes screens as people do:
// most leave, some lose their line, some ask something first, some run a command.
func TestManyLoginsLeaveNothingBehind(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("hundreds of logins take half a minute")
	}
	logins := soakLogins
	if n, err := strconv.Atoi(os.Getenv("CONFAB_LOGINS")); err == nil {
		logins = max(n, soakWarm+1)
	}
	h := startBusySSH(t, soakUsers, "CONFAB_SSH_COMMANDS=ask", "CONFAB_SSH_PER_USER=100", soakCollect)
	var next atomic.Int64
	visit := func(upTo int64) {
		var wg sync.WaitGroup
		for range soakAtOnce {
			wg.Go(func() {
				for {
					i := next.Add(1)
					if i > upTo {
						next.Add(-1)
						return
					}
					if t.Failed() {
						return
					}
					h.loginOnce(int(i))
				}
			})
		}
		wg.Wait()
	}
	visit(soakWarm)
	memory, files := h.settledMemory(math.MaxInt)
	t.Logf("after %d logins: %.1f MB, %d open files", soakWarm, memory/1e6, files)
	visit(int64(logins))
	memory2, files2 := h.settledMemory(files + soakSpare)
	t.Logf("after %d logins: %.1f MB, %d open files", logins, memory2/1e6, files2)
	if memory2 > memory*soakGrowth {
		t.Errorf("the server has grown from %.1f to %.1f MB", memory/1e6, memory2/1e6)
	}
	if files2 > files+soakSpare {
		t.Errorf("%d open files have become %d:\n%s", files, files2, strings.Join(h.namesOfOpenFiles(), "\n"))
	}
}

// loginOnce is one login, of a kind that depends on its number. It may be called
// from many goroutines.
func (h *busySSHServer) loginOnce(i int) {
	c, err := h.logIn(i)
	if err != nil {
		h.b.Error(err)
		return
	}
	defer c.Close()
	if i%10 == 9 {
		sess, err := c.NewSession()
		if err != nil {
			h.b.Error(err)
		} else if out, err := sess.CombinedOutput("ask -m phi-2 hello"); err != nil {
			h.b.Errorf("ask: %v, %s", err, out)
		}
		return
	}
	sess, in, out, err := openShell(c, 90+i%60, 30+i%20)
	if err == nil {
		err = out.waitForError("Prompt") // a y that came after a screen had ended may be the user's draft
	}
	if err == nil && i%10 < 3 {
		out.reset()
		if _, err = io.WriteString(in, "What is a CRDT?\r"); err == nil {
			err = out.waitForError("imulated")
		}
	}
	if err != nil {
		h.b.Error(err)
		return
	}
	if i%10 < 6 {
		_, _ = io.WriteString(in, "\x11") // ctrl+q
		ended := make(chan error, 1)
		go func() { ended <- sess.Wait() }()
		for isOpen := true; isOpen; {
			select {
			case <-ended:
				isOpen = false
			case <-time.After(time.Second / 4):
				_, _ = io.WriteString(in, "y") // the question while an answer is being written
			}
		}
	}
	// Everybody else loses their line.
}

// settledMemory waits until nobody is logged in and returns the server's memory in bytes, without what is only waiting
// to be collected, and how many files it has open.
func (h *busySSHServer) settledMemory(mayBeOpen int) (memory float64, files int) {
	h.b.Helper()
	pause(soakRest)
	for i := range soakGentle {
		h.loginOnce(i)
	}
	memory, files = h.residentMemory(), h.openFiles()
	for i := 0; i < soakSettles || files > mayBeOpen && i < 10*soakSettles; i++ { // histories close slowly under load
		pause(250 * time.Millisecond)
		memory, files = min(memory, h.residentMemory()), min(files, h.openFiles())
	}
	return memory, files
}

// openFiles returns how many files and connections the server has open.
func (h *busySSHServer) openFiles() int {
	h.b.Helper()
	return len(h.namesOfOpenFiles())
}

// namesOfOpenFiles returns what the server has open, as the system names it.
func (h *busySSHServer) namesOfOpenFiles() []string {
	h.b.Helper()
	dir := fmt.Sprintf("/proc/%d/fd", h.cmd.Process.Pid)
	all, err := os.ReadDir(dir)
	if err != nil {
		h.b.Skip("this system does not tell what a process has open:", err)
	}
	names := make([]string, len(all))
	for i, f := range all {
		names[i], _ = os.Readlink(filepath.Join(dir, f.Name())) // it may be closed by now
	}
	return names
}
