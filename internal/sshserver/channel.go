package sshserver

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"confab/internal/format"
	"confab/internal/safego"
)

// Limits of what a client may send before its program begins.
const (
	maxVariables = 32
	maxVariable  = 256      // bytes
	maxCommand   = 64 << 10 // bytes
)

// refusalDelay is how long a client has to show a message before it hears of a refusal. OpenSSH's client ends at once
// when it does.
const refusalDelay = 100 * time.Millisecond

// filteredChannel is a session that a client asks for. Its requests are filtered once it is accepted.
type filteredChannel struct {
	gossh.NewChannel
	conn *conn
}

// Accept implements [gossh.NewChannel].
func (n filteredChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	raw, requests, err := n.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	l := n.conn.server.limits
	c := &channel{Channel: raw, conn: n.conn, resizes: make(chan Window, 1), signals: make(chan os.Signal, 2),
		closed: make(chan struct{}), input: rate.NewLimiter(rate.Limit(l.InputRate), l.InputBurst)}
	c.noteInput()
	passed := make(chan *gossh.Request)
	n.conn.channel.Store(c)
	safego.Go(n.conn.server.log, "requests of a session", func() {
		defer close(passed)
		defer close(c.closed)
		c.filterRequests(requests, passed)
	}, func(error) { n.conn.closeFor("fault") })
	return c, passed, nil
}

// channel is the session of a client as its program sees it: requests are filtered, input and output have limits.
type channel struct {
	gossh.Channel
	conn          *conn
	resizes       chan Window // the newest size, when it has changed
	signals       chan os.Signal
	closed        chan struct{}             // closed when the client has closed the channel
	input         *rate.Limiter             // of bytes
	lastInput     atomic.Pointer[time.Time] // when the user last typed something
	variableCount int
	hasTerminal   bool
}

// noteInput records that the user has typed something.
func (c *channel) noteInput() {
	now := time.Now()
	c.lastInput.Store(&now)
}

// Read implements [io.Reader]. It takes a flood of input only at the limited rate: then the window of the SSH channel
// is full and the client has to wait.
func (c *channel) Read(p []byte) (int, error) {
	n, err := c.Channel.Read(p[:min(len(p), 32<<10, c.input.Burst())])
	if n > 0 {
		c.noteInput()
		if wait := c.input.ReserveN(time.Now(), n).Delay(); wait > 0 {
			select {
			case <-time.After(wait):
			case <-c.closed:
			}
		}
	}
	return n, err
}

// Write implements [io.Writer]. It closes the connection of a client that stops reading.
func (c *channel) Write(p []byte) (int, error) { return c.write(c.Channel, p) }

// Stderr returns the error stream, whose writes have the same time limit.
func (c *channel) Stderr() io.ReadWriter { return stderrWriter{c, c.Channel.Stderr()} }

// stderrWriter is the error stream of a channel.
type stderrWriter struct {
	channel *channel
	io.ReadWriter
}

func (e stderrWriter) Write(p []byte) (int, error) { return e.channel.write(e.ReadWriter, p) }

// writePiece is how many bytes a client must read within WriteTimeout.
const writePiece = 16 << 10

func (c *channel) write(w io.Writer, p []byte) (done int, err error) {
	for {
		t := time.AfterFunc(c.conn.server.limits.WriteTimeout, func() { c.conn.closeFor("slow_reader") })
		n, err := w.Write(p[done:min(len(p), done+writePiece)])
		t.Stop()
		done += n
		if err != nil || done == len(p) {
			return done, err
		}
	}
}

// filterRequests passes on the requests that a session may make, with their values limited, and refuses all others. It
// waits only for the client.
func (c *channel) filterRequests(in <-chan *gossh.Request, out chan<- *gossh.Request) {
	perSecond := c.conn.server.limits.ResizesPerSecond
	resizes := rate.NewLimiter(rate.Limit(perSecond), perSecond)
	var newest Window
	var due <-chan time.Time // when the newest size is passed on; nil without one
	for {
		select {
		case <-due:
			c.sendResize(newest)
			due = nil
		case r, ok := <-in:
			if !ok {
				return
			}
			if r.Type != "window-change" {
				if c.acceptsRequest(r) {
					out <- r
				}
				continue
			}
			w, ok := c.parseWindow(r.Payload)
			_ = r.Reply(ok, nil)
			if !ok {
				continue
			}
			newest = w
			if due == nil {
				due = time.After(resizes.Reserve().Delay())
			}
		}
	}
}

// sendResize replaces the size that the program has not read yet.
func (c *channel) sendResize(w Window) {
	select {
	case <-c.resizes:
	default:
	}
	c.resizes <- w
}

// parseWindow reads a size and limits it.
func (c *channel) parseWindow(payload []byte) (Window, bool) {
	var w struct{ Columns, Rows, Width, Height uint32 }
	if err := gossh.Unmarshal(payload, &w); err != nil || w.Columns == 0 || w.Rows == 0 {
		return Window{}, false // clients that do not know the size send zero
	}
	l := c.conn.server.limits
	return Window{int(min(w.Columns, uint32(l.MaxColumns))), int(min(w.Rows, uint32(l.MaxRows)))}, true
}

// acceptsRequest reports whether a request is passed on. It has already replied to one that is not.
func (c *channel) acceptsRequest(r *gossh.Request) bool {
	switch r.Type {
	case "pty-req":
		if c.hasTerminal || !c.limitTerminal(r) {
			break
		}
		c.hasTerminal = true
		return true
	case "env":
		var v struct{ Name, Value string }
		if gossh.Unmarshal(r.Payload, &v) == nil && c.variableCount < maxVariables &&
			isAllowedVariable(v.Name, v.Value) {
			c.variableCount++
			return true
		}
	case "shell":
		return true
	case "exec":
		if len(r.Payload) <= maxCommand {
			return true
		}
		c.writeNotice("the command is too long")
	case "signal":
		c.forwardSignal(r.Payload)
	case "subsystem":
		var v struct{ Name string }
		_ = gossh.Unmarshal(r.Payload, &v) // whatever the name is, the subsystem is refused
		c.writeNotice("no files are served here: there is neither sftp nor scp")
		time.Sleep(refusalDelay)
		_ = r.Reply(false, nil)
		_ = c.Channel.Close()
		return false
	case "auth-agent-req@openssh.com":
		c.writeNotice("your agent is not forwarded: nothing here would use it")
	case "x11-req":
		c.writeNotice("X11 is not forwarded")
	}
	_ = r.Reply(false, nil)
	return false
}

// writeNotice writes a message to the user on the error stream.
func (c *channel) writeNotice(text string) {
	_, _ = fmt.Fprintf(c.Stderr(), "confab: %s\r\n", format.EndSentence(text)) // the client may have gone
}

// limitTerminal limits the values of a terminal request and reports whether it is valid.
func (c *channel) limitTerminal(r *gossh.Request) bool {
	var v struct {
		Term                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}
	// The name of the terminal is looked up among the files of terminfo; it is neither a path nor an escape sequence.
	isName := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`).MatchString
	if gossh.Unmarshal(r.Payload, &v) != nil || !isName(v.Term) {
		return false
	}
	l := c.conn.server.limits
	clamp := func(n uint32, or, most int) uint32 {
		if n == 0 {
			n = uint32(or)
		}
		return min(n, uint32(most))
	}
	v.Columns, v.Rows = clamp(v.Columns, 80, l.MaxColumns), clamp(v.Rows, 24, l.MaxRows)
	v.Modes = "" // modes are for a line discipline, which this terminal does not have
	r.Payload = gossh.Marshal(&v)
	return true
}

// isAllowedVariable reports whether a variable of the client's environment is passed on: only those that say how to
// draw.
func isAllowedVariable(name, value string) bool {
	known := []string{"COLORTERM", "COLORFGBG", "NO_COLOR", "LANG", "TERM_PROGRAM", "TERM_PROGRAM_VERSION"}
	if !slices.Contains(known, name) && !regexp.MustCompile(`^LC_[A-Z_]{1,30}$`).MatchString(name) {
		return false
	}
	return len(value) <= maxVariable && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
}

// forwardSignal passes on the signal that a client sends to its command.
func (c *channel) forwardSignal(payload []byte) {
	var v struct{ Name string }
	if gossh.Unmarshal(payload, &v) != nil {
		return
	}
	known := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}
	if sig := known[v.Name]; sig != nil {
		select {
		case c.signals <- sig:
		default: // two signals are waiting already
		}
	}
}
