//go:build unix

package cli

import (
	"bufio"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"confab/internal/safego"
)

// drainTime bounds the wait for the last lines, because a child process may hold the pipe open.
const drainTime = 100 * time.Millisecond

// captureStderr sends what libraries write to standard error to a log until release is called. Crashes still go to
// the terminal. It does nothing unless stderr is the process's and a terminal.
func captureStderr(log *slog.Logger, stderr io.Writer) (release func()) {
	file, ok := stderr.(*os.File)
	if !ok || file != os.Stderr || !term.IsTerminal(file.Fd()) {
		return func() {}
	}
	number := int(file.Fd())
	saved, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return func() {}
	}
	terminal := os.NewFile(uintptr(saved), file.Name())
	lines, pipe, err := os.Pipe()
	if err == nil {
		err = unix.Dup2(int(pipe.Fd()), number)
		_ = pipe.Close() // standard error is the same pipe
	}
	if err != nil {
		_ = terminal.Close()
		return func() {}
	}
	_ = debug.SetCrashOutput(terminal, debug.CrashOptions{}) // without it a crash tells nothing
	drained := make(chan struct{})
	safego.Go(log, "standard error", func() {
		defer close(drained)
		logLines(log, lines)
	}, nil)
	return sync.OnceFunc(func() {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		_ = unix.Dup2(saved, number) // it was open on that terminal before
		_ = terminal.Close()
		select {
		case <-drained:
		case <-time.After(drainTime):
		}
		_ = lines.Close()
	})
}

func logLines(log *slog.Logger, from io.Reader) {
	for lines := bufio.NewReader(from); ; {
		line, _, err := lines.ReadLine() // one that is too long comes in parts
		if err != nil {
			return
		}
		log.Warn("Written to standard error", "line", string(line))
	}
}
