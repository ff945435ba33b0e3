package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/redact"
)

// lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Builder.Write(p)
}

func describe(lines int) string { return fmt.Sprintf("%d lines were dropped", lines) }

func TestNoLineOfTheLogIsLostAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out lockedBuffer
		l := newBackgroundLog(&out, strings.TrimSpace, describe)
		for i := range 1000 {
			fmt.Fprintf(l, "line %d\n", i)
		}
		l.Close()
		if got := strings.Count(out.String(), "\n"); got != 1000 || !strings.HasSuffix(out.String(), "\nline 999\n") {
			t.Errorf("%d lines came, the last %q", got, out.String()[max(0, len(out.String())-20):])
		}
		fmt.Fprintln(l, "late")
		if !strings.HasSuffix(out.String(), "\nlate\n") {
			t.Error("a line after the end was lost")
		}
	})
}

// TestAStoppedTerminalStopsNoRequest writes more than may wait to an output
// that takes nothing.
func TestAStoppedTerminalStopsNoRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		l := newBackgroundLog(w, strings.TrimSpace, describe)
		fmt.Fprintln(l, "first")
		time.Sleep(time.Second) // it is stuck with that one
		line := strings.Repeat("x", 1<<20-1) + "\n"
		for range 6 {
			fmt.Fprint(l, line)
		}
		taken := make(chan string)
		go func() { b, _ := io.ReadAll(r); taken <- string(b) }()
		time.Sleep(time.Second)
		fmt.Fprintln(l, "last")
		l.Close()
		_ = w.Close()
		got := <-taken
		if !strings.HasPrefix(got, "first\n") || strings.Count(got, "xxx\n") != 4 ||
			!strings.Contains(got, "2 lines were dropped") || !strings.HasSuffix(got, "\nlast\n") {
			t.Errorf("%d bytes came, %d long lines, ending in "+
				"%q", len(got), strings.Count(got, "xxx\n"), got[max(0, len(got)-120):])
		}
	})
}

func TestAnEndDoesNotWaitForAStoppedTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		l := newBackgroundLog(w, strings.TrimSpace, describe)
		fmt.Fprintln(l, "first")
		began := time.Now()
		l.Close()
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("it took %v", took)
		}
		_ = r.Close()
	})
}

func TestLogIsMaskedAndMadeLate(t *testing.T) {
	const key = `sk-sen&tinel/"key"+0123456789<abc>`
	dir := filepath.Join(t.TempDir(), "state")
	known := redact.NewSet()
	path := filepath.Join(dir, "confab.log")
	f := newLogFile(path, known.Masker())
	log := newLog("info", f)
	log.Debug("Nothing")
	if _, err := os.Stat(dir); err == nil {
		t.Error("it was made before it was needed")
	}
	known.Add(key) // as when the key is found out later
	log.Info("The key", "is", key)
	newLog("off", f).Error("Nothing")
	must(t, f.Close())
	b, err := os.ReadFile(path)
	must(t, err)
	text := string(b)
	if !strings.Contains(text, "The key") || !strings.Contains(text, "••••") || strings.Contains(text, "Nothing") ||
		strings.Contains(text, "sentinel") || strings.Contains(text, key) {
		t.Errorf("the log is %s", text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
