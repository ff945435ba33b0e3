// Package subprocess runs programs that the user configured: without a shell, bounded in time and output, and ended
// together with whatever they started.
package subprocess

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"time"
)

// Overflow says what happens to output beyond the limit.
type Overflow int

// What happens to output beyond the limit. The program never waits for its output to be taken.
const (
	KeepFirst Overflow = iota // the first bytes are kept and [Result.Truncated] is set
	KeepLast                  // the last bytes are kept
	Kill                      // as KeepFirst, and the program is killed
)

// maxErrorOutput bounds how much of the standard error output is kept, in bytes. It keeps the end, which says most.
const maxErrorOutput = 64 << 10

// Command is a program to run.
type Command struct {
	Args      []string  // the program and its arguments
	Env       []string  // the whole environment of the program, as name=value
	Stdin     io.Reader // nil is empty
	MaxOutput int       // bytes of standard output to keep
	Overflow  Overflow
	// OnOutput takes the standard output that is kept as it is written, from one goroutine, and not any more once Run
	// has returned. It must not keep the bytes. Nil takes nothing; with KeepLast it must be nil.
	OnOutput func([]byte)
	// IsForeground leaves the program in the process group of this one, so that it may ask for a passphrase on the
	// terminal. When ctx ends, what it started is not killed with it.
	IsForeground bool
	WaitDelay    time.Duration // how long what the program left running may hold its output open
}

// Result is what a program wrote.
type Result struct {
	Output      []byte
	ErrorOutput string
	IsTruncated bool // it wrote more than the limit of KeepFirst or Kill
}

// Run runs a program and waits for it to end. When ctx ends, the program is killed with everything that it started. The
// error is that of [exec.Cmd.Run]; the result holds what was written until then.
func Run(ctx context.Context, c Command) (Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// The program and its arguments are the user's own setting.
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...) //nolint:gosec
	cmd.Env = append([]string{}, c.Env...)                    // nil would be the environment of this process
	cmd.Stdin = c.Stdin
	cmd.WaitDelay = c.WaitDelay
	output := &buffer{limit: c.MaxOutput, overflow: c.Overflow, kill: stop, onOutput: c.OnOutput}
	errorOutput := &buffer{limit: maxErrorOutput, overflow: KeepLast}
	cmd.Stdout, cmd.Stderr = output, errorOutput
	if !c.IsForeground {
		startInGroup(cmd)
	}
	err := cmd.Run()
	return Result{output.kept.Bytes(), errorOutput.kept.String(), output.isTruncated}, err
}

// buffer keeps a part of what is written to it. The bytes.Buffer is a field, not embedded: its ReadFrom would let
// everything in.
type buffer struct {
	kept        bytes.Buffer
	limit       int
	overflow    Overflow
	kill        func()
	onOutput    func([]byte)
	isTruncated bool
}

// Write never fails.
func (b *buffer) Write(p []byte) (int, error) {
	n := len(p)
	if over := b.kept.Len() + n - b.limit; over > 0 {
		if b.overflow == KeepLast {
			p = p[max(0, n-b.limit):]
			b.kept.Next(b.kept.Len() + len(p) - b.limit)
		} else {
			p = p[:n-over]
			b.isTruncated = true
			if b.overflow == Kill {
				b.kill()
			}
		}
	}
	b.kept.Write(p)
	if b.onOutput != nil && len(p) > 0 {
		b.onOutput(p)
	}
	return n, nil
}
