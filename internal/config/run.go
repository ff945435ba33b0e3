package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// run runs a program without a shell and returns what it printed. Errors are
// clauses for people: "ended with status 1: …", with what it wrote to its
// standard error cleaned and shortened, never what it printed.
func run(ctx context.Context, argv, env []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyWait)
	defer cancel()
	var out, problem bounded
	// The program and its words are the user's own setting.
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec
	cmd.Env = env
	cmd.Stdout, cmd.Stderr = &out, &problem
	cmd.WaitDelay = 2 * time.Second // a grandchild may hold the pipes open
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("did not end within %d seconds", int(keyWait.Seconds()))
	case ctx.Err() != nil:
		return "", fmt.Errorf("was cancelled: %w", context.Canceled)
	case errors.As(err, &exit):
		what := fmt.Sprintf("ended with status %d", exit.ExitCode())
		if said := clean(problem.String()); said != "" {
			what += ": " + said
		}
		return "", errors.New(what)
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("is not a program that can be found")
	case err != nil:
		return "", fmt.Errorf("cannot be run: %s", reason(err))
	case out.cut:
		return "", errors.New("printed more than a key")
	}
	return out.String(), nil
}

// bounded keeps the first bytes written to it and takes the rest without
// keeping them, so that the program does not wait. The buffer is a field, not
// embedded: its ReadFrom would let everything in.
type bounded struct {
	kept bytes.Buffer
	cut  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	room := maxKey - b.kept.Len()
	if len(p) > room {
		b.cut = true
		b.kept.Write(p[:room])
		return len(p), nil
	}
	return b.kept.Write(p)
}

func (b *bounded) String() string { return b.kept.String() }
