package cli

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"confab/internal/safego"
	"confab/internal/termtext"
)

// newAccessLog returns the log of requests and a function that writes what is still buffered, to be called at the end.
func (a *app) newAccessLog() (log *slog.Logger, closeLog func()) {
	if a.flags.quiet || a.cfg.Serve.Log == "off" {
		return slog.New(slog.DiscardHandler), func() {}
	}
	l := newLogWriter(a.err, func(line string) string { return a.secrets.masker().String(termtext.Line(line)) })
	if a.cfg.Serve.Log == "json" {
		return slog.New(slog.NewJSONHandler(l, nil)), l.close
	}
	return slog.New(slog.NewTextHandler(l, nil)), l.close
}

const (
	logGatherTime   = 20 * time.Millisecond // for lines that come right after one another
	maxLogWaiting   = 4 << 20               // bytes of lines that wait for an output that is blocked
	logCloseTimeout = 2 * time.Second       // how long closing waits for a blocked output
)

// logWriter writes the lines of a log in the background, several at once, so that no request waits for the output: a
// terminal may be stopped with ctrl+s. Lines beyond maxLogWaiting are dropped and counted. A crash loses the lines of
// the last logGatherTime; close loses none.
type logWriter struct {
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

func newLogWriter(out io.Writer, clean func(string) string) *logWriter {
	describe := func(lines int) string {
		return fmt.Sprintf("confab: %d lines of the log were left out here, as nothing took them", lines)
	}
	return &logWriter{out: out, clean: clean, describeDropped: describe, writing: make(chan struct{}, 1)}
}

// Write implements [io.Writer]; each write is a whole line.
func (l *logWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting)+len(line) <= maxLogWaiting {
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
		time.AfterFunc(logGatherTime, l.flush)
	}
	return len(line), nil
}

// flush writes the lines that wait.
func (l *logWriter) flush() {
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
	_, _ = l.out.Write(b.Bytes()) // there is nowhere to report a failure
}

// close writes the lines that wait. It does not wait for a blocked output.
func (l *logWriter) close() {
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
	case <-time.After(logCloseTimeout):
	}
}
