// Package subprocess runs programs of the user's configuration without a shell. It bounds their time and output and
// kills their children.
package subprocess

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"time"
)

// Overflow selects how to handle output beyond the limit.
type Overflow int

// In every mode the program's writes do not block.
const (
	KeepFirst Overflow = iota // keep the first bytes and set [Result.IsTruncated]
	KeepLast                  // keep the last bytes
	Kill                      // like KeepFirst, and kill the program
)

// maxErrorOutput is the maximum size in bytes of the kept standard error, the end of which matters most.
const maxErrorOutput = 64 << 10

// Command is a program to run.
type Command struct {
	Args      []string  // the program and its arguments
	Env       []string  // the whole environment of the program, as name=value
	Stdin     io.Reader // nil means empty
	MaxOutput int       // bytes of standard output to keep
	Overflow  Overflow
	// OnOutput receives the kept standard output as it is written, from one goroutine, and never after Run has
	// returned. It must not retain the bytes. It may be nil, and must be with KeepLast.
	OnOutput func([]byte)
	// IsForeground keeps the program in this process group, so that it can ask for a passphrase on the terminal. Its
	// children are then not killed when ctx ends.
	IsForeground bool
	WaitDelay    time.Duration // how long remaining children may keep the output open
}

// Result is the output of a program.
type Result struct {
	Output      []byte
	ErrorOutput string
	IsTruncated bool // the output exceeded the limit of KeepFirst or Kill
}

// Run runs a program until it ends. When ctx ends, it kills the program and its children. The error is that of
// [exec.Cmd.Run]; the result holds the output so far.
func Run(ctx context.Context, c Command) (Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	// The user configured the program and its arguments.
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...) //nolint:gosec
	cmd.Env = append([]string{}, c.Env...)                    // nil would inherit the environment
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

// buffer keeps a part of the written bytes. The bytes.Buffer is not embedded, because its ReadFrom would bypass the
// limit.
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
