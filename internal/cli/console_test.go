package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"confab/service/api"
	"confab/service/problem"
)

func TestSilentInputIsExplained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		var said bytes.Buffer
		c := newApp(Env{Stdin: r, Stdout: io.Discard, Stderr: &said})
		got := make(chan []string, 1)
		go func() {
			s, err := c.readPrompts(t.Context(), []string{"sum it up"}, []string{"shorten it"}, true)
			if err != nil {
				t.Error(err)
			}
			got <- s
		}()
		time.Sleep(silence - time.Millisecond)
		synctest.Wait()
		if said.String() != "" {
			t.Errorf("it was impatient: %q", said.String())
		}
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		if !strings.Contains(said.String(), "reading standard input to its end") {
			t.Errorf("it said %q", said.String())
		}
		_, _ = io.WriteString(w, "late\n") // the reader is there
		_ = w.Close()
		if s := <-got; !slices.Equal(s, []string{"late\n\nsum it up", "late\n\nshorten it"}) {
			t.Errorf("read %q", s)
		}
	})
}

func TestReadingInputIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		defer w.Close()
		c := newApp(Env{Stdin: r, Stdout: io.Discard, Stderr: io.Discard})
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errInterrupted) })
		_, err := c.readPrompts(ctx, nil, nil, true)
		if api.CodeOf(err) != api.CodeCancelled || codeOf(err) != ExitInterrupted || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestExitStatusOfErrors(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, ExitDone}, {exitCode(7), 7}, {errors.New("anything"), ExitFailed}, {problem.Usage("wrong"), ExitUsage},
		{&api.Error{Code: api.CodeConfig}, ExitUsage}, {&api.Error{Code: api.CodeUnknownModel}, ExitUsage},
		{&api.Error{Code: api.CodeTimeout}, ExitTimeout}, {&api.Error{Code: api.CodeCancelled}, ExitInterrupted},
		{&api.Error{Code: api.CodeDisk}, ExitFailed}, {&api.Error{Code: api.CodeService}, ExitFailed},
	} {
		err := tt.err
		if err != nil {
			err = fmt.Errorf("do something: %w", err)
		}
		if got := codeOf(err); got != tt.want {
			t.Errorf("%v ends with %d, want %d", tt.err, got, tt.want)
		}
	}
}

func TestMoshIsSeenAboveUs(t *testing.T) {
	proc := fstest.MapFS{}
	for path, stat := range map[string]string{
		"30/stat": "30 (confab) S 20 30 20 0",
		"20/stat": "20 (a) b (c) S 10 20 20 0", // a name may hold brackets and blanks
		"10/stat": "10 (mosh-server) S 1 10 10 0",
		"31/stat": "31 (bash) S 11 31 31 0",
		"11/stat": "11 (sshd) S 1 11 11 0",
		"40/stat": "40 (loop) S 40 1 1 0",
		"41/stat": "41 (cut",
		"42/stat": "42 (cut) S",
	} {
		proc[path] = &fstest.MapFile{Data: []byte(stat)}
	}
	for pid, want := range map[int]bool{30: true, 10: true, 31: false, 40: false, 41: false, 42: false, 50: false} {
		if got := hasMoshAncestor(proc, pid); got != want {
			t.Errorf("of process %d: %t", pid, got)
		}
	}
}

func TestNothingMovesOverSSH(t *testing.T) {
	for _, c := range []struct {
		motion  string
		environ []string
		want    bool
	}{
		{"auto", nil, false}, {"auto", []string{"SSH_TTY=x"}, true}, {"on", []string{"SSH_TTY=x"}, false}, {"off", nil,
			true},
	} {
		a := newApp(Env{Environ: c.environ})
		a.config.UI.Motion = c.motion
		if got := a.reducesMotion(); got != c.want {
			t.Errorf("%s with %v: %t", c.motion, c.environ, got)
		}
	}
}
