package subprocess

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

func shell(t *testing.T, script string) Command {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the test needs a POSIX shell")
	}
	return Command{Args: []string{"/bin/sh", "-c", script}, Env: []string{"NAME=value"}, MaxOutput: 1000,
		WaitDelay: 100 * time.Millisecond}
}

func TestRun(t *testing.T) {
	c := shell(t, `cat; echo "$NAME,$HOME"; echo wrong >&2; exit 3`)
	c.Stdin = strings.NewReader("input ")
	r, err := Run(t.Context(), c)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("the error is %v", err)
	}
	if string(r.Output) != "input value,\n" || r.ErrorOutput != "wrong\n" || r.IsTruncated {
		t.Errorf("got %q, %q, %v", r.Output, r.ErrorOutput, r.IsTruncated)
	}
}

func TestRunLimitsOutput(t *testing.T) {
	const numbers = `i=0; while [ $i -lt 20 ]; do echo $i; i=$((i+1)); done`
	for _, tt := range []struct {
		overflow  Overflow
		want      string
		truncated bool
	}{{KeepFirst, "0\n1\n2", true}, {KeepLast, "18\n19"[1:] + "\n", false}} {
		c := shell(t, numbers)
		c.MaxOutput, c.Overflow = 5, tt.overflow
		r, err := Run(t.Context(), c)
		if err != nil || string(r.Output) != tt.want || r.IsTruncated != tt.truncated {
			t.Errorf("overflow %d: got %q, %v, %v", tt.overflow, r.Output, r.IsTruncated, err)
		}
	}
	c := shell(t, `while :; do echo more; done`)
	c.Overflow = Kill
	if r, err := Run(t.Context(), c); err == nil || !r.IsTruncated || len(r.Output) != c.MaxOutput {
		t.Errorf("a program without end: %d bytes, %v, %v", len(r.Output), r.IsTruncated, err)
	}
}

// TestRunHandsOutputOver runs a program that continues only after its first output was received.
func TestRunHandsOutputOver(t *testing.T) {
	input, answer := io.Pipe()
	c := shell(t, `echo first; read more; echo "$more, and a long end"`)
	c.Stdin, c.MaxOutput = input, 12
	var got []string
	c.OnOutput = func(b []byte) {
		if got = append(got, string(b)); len(got) == 1 {
			go func() {
				_, _ = io.WriteString(answer, "second\n") // the program may have ended
				_ = answer.Close()
			}()
		}
	}
	r, err := Run(t.Context(), c)
	if err != nil || !r.IsTruncated || string(r.Output) != "first\nsecond" ||
		strings.Join(got, "|") != "first\n|second" {
		t.Errorf("got %q in parts %q, %v", r.Output, got, err)
	}
}

func TestRunKillsWhatTheProgramStarted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	c := shell(t, `sleep 60 & wait`)
	c.WaitDelay = 30 * time.Second // the sleeping child holds the output open
	if _, err := Run(ctx, c); err == nil {
		t.Error("there is no error")
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}
