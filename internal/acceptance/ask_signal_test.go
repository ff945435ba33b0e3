//go:build !windows

package acceptance

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startAsk starts ask in front of a slow engine, and returns when a part of the answer was printed.
func startAsk(t *testing.T) (*home, *exec.Cmd, *outputBuffer) {
	t.Helper()
	h := newTokenEngine(t, 1000, 10*time.Millisecond).home(t, 1)
	out := newOutputBuffer()
	cmd := h.command("ask", "-m", "m1", "count")
	cmd.Stdout = out
	must(t, cmd.Start())
	h.await("the begin of the answer", func() bool { return strings.Contains(out.String(), "a10 ") })
	return h, cmd, out
}

// interruptTwice sends two signals right after each other, and waits for the end of the program.
func interruptTwice(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} { // two of a kind may arrive as one
		must(t, cmd.Process.Signal(s))
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Fatalf("ended with %v", err)
	}
}

// TestASecondSignalLosesNothing sends two signals right after each other, before any part of the answer was saved:
// what had been printed is stored all the same.
func TestASecondSignalLosesNothing(t *testing.T) {
	t.Parallel()
	h, cmd, out := startAsk(t)
	interruptTwice(t, cmd)
	printed := strings.TrimSpace(out.String())
	answer := h.answers("t1")[0]
	// The signals may arrive in either order, and a SIGTERM that is the first one interrupts.
	if answer.State != "cancelled" && answer.State != "interrupted" || !strings.HasPrefix(answer.PartialText, printed) {
		t.Errorf("kept as %s: %q, want %q", answer.State, answer.PartialText, printed)
	}
}

// TestASecondSignalEndsAHistoryThatHangs keeps the history from being written, so that what came cannot be stored:
// the program ends about a second after the second signal all the same.
func TestASecondSignalEndsAHistoryThatHangs(t *testing.T) {
	t.Parallel()
	h, cmd, _ := startAsk(t)
	path, err := h.command("history", "path").Output()
	must(t, err)
	shared, err := os.OpenFile(strings.TrimSpace(string(path))+"-shm", os.O_RDWR, 0)
	must(t, err)
	defer shared.Close()
	// Byte 120 of the shared memory is the lock of who writes, see the format of SQLite's WAL.
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: 120, Len: 1}
	must(t, syscall.FcntlFlock(shared.Fd(), syscall.F_SETLKW, &lock))
	began := time.Now()
	interruptTwice(t, cmd)
	if took := time.Since(began); took < 500*time.Millisecond || took > 4*time.Second {
		t.Errorf("it ended after %s", took)
	}
}
