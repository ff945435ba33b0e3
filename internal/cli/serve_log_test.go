package cli

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestNoLineOfTheLogIsLostAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out transcript
		l := newLogWriter(&out, strings.TrimSpace)
		for i := range 1000 {
			fmt.Fprintf(l, "line %d\n", i)
		}
		l.close()
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
		l := newLogWriter(w, strings.TrimSpace)
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
		l.close()
		_ = w.Close()
		got := <-taken
		if !strings.HasPrefix(got, "first\n") || strings.Count(got, "xxx\n") != 4 ||
			!strings.Contains(got, "2 lines of the log were left out") || !strings.HasSuffix(got, "\nlast\n") {
			t.Errorf("%d bytes came, %d long lines, ending in "+
				"%q", len(got), strings.Count(got, "xxx\n"), got[max(0, len(got)-120):])
		}
	})
}

func TestAnEndDoesNotWaitForAStoppedTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		l := newLogWriter(w, strings.TrimSpace)
		fmt.Fprintln(l, "first")
		began := time.Now()
		l.close()
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("it took %v", took)
		}
		_ = r.Close()
	})
}
