package cli

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"confab/internal/redact"
	"confab/internal/safego"
)

// maxLog is the size in bytes at which a new log is begun; one old log is kept.
const maxLog = 4 << 20

// newLog returns a log of a level; "off" discards. Loggers ignore errors of their handlers.
func newLog(level string, to io.Writer) *slog.Logger {
	var least slog.Level
	if level == "off" || least.UnmarshalText([]byte(level)) != nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: least}))
}

// logFile is a private file, created with its first line. It masks secrets in every line.
type logFile struct {
	path string
	mask *redact.Masker

	mu     sync.Mutex
	file   *os.File
	failed bool
}

func newLogFile(path string, mask *redact.Masker) *logFile { return &logFile{path: path, mask: mask} }

func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed {
		return len(line), nil
	}
	if l.file == nil {
		if err := l.open(); err != nil {
			l.failed = true // once is enough
			return 0, err
		}
	}
	masked, _ := l.mask.Bytes(line)
	if _, err := l.file.Write(masked); err != nil {
		return 0, fmt.Errorf("write the log: %w", err)
	}
	return len(line), nil
}

func (l *logFile) open() error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the log: %w", err)
	}
	if info, err := os.Stat(l.path); err == nil && info.Size() > maxLog {
		_ = os.Rename(l.path, l.path+".1") // at worst it goes on growing
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	l.file = f
	return nil
}

func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file, l.failed = nil, true
	return err
}

const (
	gatherTime   = 20 * time.Millisecond // for lines that come right after one another
	maxWaiting   = 4 << 20               // bytes of lines that wait for an output that is blocked
	closeTimeout = 2 * time.Second       // how long closing waits for a blocked output
)

// backgroundLog writes lines in the background, so that no request waits for an output that blocks, such as a
// terminal after ctrl+s. It drops and counts lines beyond maxWaiting.
type backgroundLog struct {
	out             io.Writer
	clean           func(line string) string
	describeDropped func(lines int) string

	mu           sync.Mutex
	waiting      []byte
	droppedLines int
	isScheduled  bool // a flush will come
	isClosed     bool
	writing      chan struct{} // holds one element while the output is written
}

// newBackgroundLog returns a log that writes lines as clean returns them, and a line of describeDropped for dropped
// ones.
func newBackgroundLog(out io.Writer, clean func(line string) string,
	describeDropped func(lines int) string) *backgroundLog {
	return &backgroundLog{out: out, clean: clean, describeDropped: describeDropped, writing: make(chan struct{}, 1)}
}

// Write implements [io.Writer]; each write is a whole line.
func (l *backgroundLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting)+len(line) <= maxWaiting {
		l.waiting = append(l.waiting, line...)
	} else {
		l.droppedLines++
	}
	switch {
	case l.isClosed: // a flush of its own could come too late
		l.mu.Unlock()
		l.flush()
		l.mu.Lock()
	case !l.isScheduled:
		l.isScheduled = true
		time.AfterFunc(gatherTime, l.flush)
	}
	return len(line), nil
}

func (l *backgroundLog) flush() {
	defer safego.Recover(nil, "access log", nil)
	l.writing <- struct{}{}
	defer func() { <-l.writing }()
	l.mu.Lock()
	lines, dropped := l.waiting, l.droppedLines
	l.waiting, l.droppedLines, l.isScheduled = nil, 0, false
	l.mu.Unlock()
	if len(lines) == 0 {
		return
	}
	var b bytes.Buffer
	b.Grow(len(lines) + 128)
	for line := range strings.Lines(string(lines)) {
		b.WriteString(l.clean(line))
		b.WriteByte('\n')
	}
	if dropped > 0 { // they came after the lines that waited, so they are reported here
		b.WriteString(l.describeDropped(dropped) + "\n")
	}
	_, _ = l.out.Write(b.Bytes()) // a failure cannot be reported anywhere
}

// Close writes the waiting lines. It does not wait for a blocked output.
func (l *backgroundLog) Close() {
	l.mu.Lock()
	l.isClosed = true
	l.mu.Unlock()
	flushed := make(chan struct{})
	safego.Go(nil, "access log", func() {
		defer close(flushed)
		l.flush()
	}, nil)
	select {
	case <-flushed:
	case <-time.After(closeTimeout):
	}
}
