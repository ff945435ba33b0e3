//go:build !windows

package acceptance

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// growingOutput is what a program has written so far.
type growingOutput struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *growingOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *growingOutput) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// TestASecondInterruptLosesNothing sends two signals right after each other, before any part of the answer was saved:
// what had been printed is stored all the same.
func TestASecondInterruptLosesNothing(t *testing.T) {
	t.Parallel()
	e := newTokenEngine(t, 1000, 10*time.Millisecond)
	h := e.home(t, 1)
	var out growingOutput
	cmd := h.command("ask", "-m", "m1", "count")
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h.await("the begin of the answer", func() bool { return strings.Contains(out.String(), "a10 ") })
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Fatalf("ended with %v", err)
	}
	printed := strings.TrimSpace(out.String())
	answer := h.answers("t1")[0]
	if answer.State != "cancelled" || !strings.HasPrefix(answer.PartialText, printed) {
		t.Errorf("kept as %s: %q, want %q", answer.State, answer.PartialText, printed)
	}
}
