package cli

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	"confab/internal/safego"
)

const (
	gatherTime   = 20 * time.Millisecond // for lines that come right after one another
	maxWaiting   = 4 << 20               // bytes of lines that wait for an output that is blocked
	closeTimeout = 2 * time.Second       // how long closing waits for a blocked output
)

// backgroundLog writes the lines of a log in the background, several at once, so that no request waits for the output:
// a terminal may be stopped with ctrl+s. Lines beyond maxWaiting are dropped and counted. A crash loses the lines of
// the last gatherTime; Close loses none.
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

// newBackgroundLog returns a log that writes to out: each line as clean returns it, and in place of lines that were
// dropped what describeDropped says of their number.
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

// flush writes the lines that wait.
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
	_, _ = l.out.Write(b.Bytes()) // there is nowhere to report a failure
}

// Close writes the lines that wait. It does not wait for a blocked output.
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
