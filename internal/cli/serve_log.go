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

// accessLog returns where the line of each request goes, and what to call at
// the end so that none is lost.
func (a *app) accessLog(quiet bool) (log *slog.Logger, end func()) {
	if quiet || a.cfg.Serve.Log == "off" {
		return slog.New(slog.DiscardHandler), func() {}
	}
	l := newLogLines(a.err, func(line string) string { return a.secrets.masker().String(termtext.Line(line)) })
	if a.cfg.Serve.Log == "json" {
		return slog.New(slog.NewJSONHandler(l, nil)), l.close
	}
	return slog.New(slog.NewTextHandler(l, nil)), l.close
}

const (
	logGather     = 20 * time.Millisecond // for lines that come right after one another
	maxLogWaiting = 4 << 20               // bytes of lines that wait for an output that takes none
	logPatience   = 2 * time.Second       // with such an output at the end
)

// logLines writes the lines of a log in a goroutine of its own, all that came
// within a moment at once: no request waits for the output, be it a terminal on
// which somebody stopped it. Lines beyond what may wait are left out, and
// counted. A crash loses the lines of that moment, an end none.
type logLines struct {
	out   io.Writer
	clean func(line string) string
	wake  chan struct{}
	stop  chan struct{}
	over  chan struct{}

	mu      sync.Mutex
	waiting []byte
	leftOut int
	ended   bool
}

func newLogLines(out io.Writer, clean func(string) string) *logLines {
	l := &logLines{out: out, clean: clean, wake: make(chan struct{}, 1), stop: make(chan struct{}), over: make(chan struct{})}
	safego.Go(nil, "access log", func() {
		defer close(l.over)
		gather := time.NewTimer(logGather)
		defer gather.Stop()
		for {
			select {
			case <-l.wake:
				gather.Reset(logGather)
				select {
				case <-gather.C:
				case <-l.stop:
				}
				l.flush()
			case <-l.stop:
				l.flush()
				return
			}
		}
	}, nil)
	return l
}

// Write implements [io.Writer]; each write is a whole line.
func (l *logLines) Write(line []byte) (int, error) {
	l.mu.Lock()
	ended := l.ended
	if len(l.waiting)+len(line) <= maxLogWaiting {
		l.waiting = append(l.waiting, line...)
	} else {
		l.leftOut++
	}
	l.mu.Unlock()
	if ended { // nobody else would write it
		l.flush()
		return len(line), nil
	}
	select {
	case l.wake <- struct{}{}:
	default: // it is told already
	}
	return len(line), nil
}

// flush writes what waits.
func (l *logLines) flush() {
	l.mu.Lock()
	lines, leftOut := l.waiting, l.leftOut
	l.waiting, l.leftOut = nil, 0
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
	if leftOut > 0 { // the last of what waited is in place, so this is where they would stand
		fmt.Fprintf(&b, "confab: %d lines of the log were left out here, as nothing took them\n", leftOut)
	}
	_, _ = l.out.Write(b.Bytes()) // there is nowhere to tell of a failure
}

// close writes what waits and ends. An output that takes nothing is not waited
// for.
func (l *logLines) close() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	close(l.stop)
	select {
	case <-l.over:
	case <-time.After(logPatience):
	}
}

// maskedWriter writes lines of a log to standard error, each at once.
type maskedWriter struct{ a *app }

// Write implements [io.Writer]; each write is a whole line.
func (w maskedWriter) Write(line []byte) (int, error) {
	w.a.say(termtext.Line(string(line)))
	return len(line), nil
}
