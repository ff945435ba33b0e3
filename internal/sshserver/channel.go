package sshserver

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/safego"
)

// Bounds of what a client may say before its program begins.
const (
	maxVariables = 32
	maxVariable  = 256      // bytes
	maxCommand   = 64 << 10 // bytes
)

// reading is what a client has to show a sentence before it hears of a refusal
// upon which OpenSSH's ends at once.
const reading = 100 * time.Millisecond

// newChannel is a session that a client asks for; what it accepts is watched.
type newChannel struct {
	gossh.NewChannel
	conn *conn
	got  func(*channel)
}

// Accept implements [gossh.NewChannel].
func (n newChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	raw, requests, err := n.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	l := n.conn.server.limits
	c := &channel{Channel: raw, conn: n.conn, windows: make(chan Window, 1), signals: make(chan os.Signal, 2), over: make(chan struct{})}
	c.input.fill(l.Burst, l.Rate)
	c.typed()
	passed := make(chan *gossh.Request)
	n.got(c)
	safego.Go(n.conn.server.log, "requests of a session", func() {
		defer close(passed)
		defer close(c.over)
		c.requests(requests, passed)
	}, func(error) { n.conn.end("fault") })
	return c, passed, nil
}

// channel is a session as the program sees it.
type channel struct {
	gossh.Channel
	conn    *conn
	windows chan Window // the newest size, when it has changed
	signals chan os.Signal
	over    chan struct{} // closed when the client has closed it
	input   meter
	last    clock // when something was typed
	vars    int
	sized   bool
}

// typed notes that somebody is there.
func (c *channel) typed() { c.last.set(time.Now()) }

// Read implements [io.Reader]. A flood of input is taken only as fast as the
// limits say; the client's window is full then and it has to wait.
func (c *channel) Read(p []byte) (int, error) {
	n, err := c.Channel.Read(p[:min(len(p), 32<<10)])
	if n > 0 {
		c.typed()
		c.conn.server.facts.keys.Add(float64(n))
		if wait := c.input.take(n, time.Now()); wait > 0 {
			t := time.NewTimer(wait)
			defer t.Stop()
			select {
			case <-t.C:
			case <-c.over:
			}
		}
	}
	return n, err
}

// Write implements [io.Writer] and gives up on a client that takes nothing.
func (c *channel) Write(p []byte) (int, error) { return c.write(c.Channel, p) }

// Stderr returns the channel of errors, with the same patience.
func (c *channel) Stderr() io.ReadWriter { return complaints{c, c.Channel.Stderr()} }

// complaints is a standard error; reading is of no use.
type complaints struct {
	c *channel
	io.ReadWriter
}

func (e complaints) Write(p []byte) (int, error) { return e.c.write(e.ReadWriter, p) }

// pieces is how much must be taken within the limit of time, in bytes.
const pieces = 16 << 10

func (c *channel) write(w io.Writer, p []byte) (done int, err error) {
	for first := true; first || len(p) > done; first = false {
		t := time.AfterFunc(c.conn.server.limits.Write, func() { c.conn.end("slow_reader") })
		n, err := w.Write(p[done:min(len(p), done+pieces)])
		t.Stop()
		done += n
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// requests passes on what a session may ask for, made harmless, and refuses
// everything else. It waits for nobody but the client.
func (c *channel) requests(in <-chan *gossh.Request, out chan<- *gossh.Request) {
	var later *Window // the newest size that came too soon
	var due <-chan time.Time
	var wait *time.Timer
	resizes := meter{}
	resizes.fill(c.conn.server.limits.Resizes, c.conn.server.limits.Resizes)
	for {
		select {
		case <-due:
			c.resize(*later)
			later, due = nil, nil
		case r, ok := <-in:
			if !ok {
				if wait != nil {
					wait.Stop()
				}
				return
			}
			if r.Type == "window-change" {
				w, ok := c.window(r.Payload)
				_ = r.Reply(ok, nil)
				switch {
				case !ok:
				case due != nil:
					later = &w
				default:
					later = &w
					if pause := resizes.take(1, time.Now()); pause > 0 {
						wait = time.NewTimer(pause)
						due = wait.C
						continue
					}
					c.resize(w)
				}
				continue
			}
			if c.judge(r) {
				out <- r
			}
		}
	}
}

// resize tells the newest size; one that nobody took yet is forgotten.
func (c *channel) resize(w Window) {
	select {
	case <-c.windows:
	default:
	}
	c.windows <- w
}

// window reads a size and brings it within bounds.
func (c *channel) window(payload []byte) (Window, bool) {
	var w struct{ Columns, Rows, Width, Height uint32 }
	if err := gossh.Unmarshal(payload, &w); err != nil || w.Columns == 0 || w.Rows == 0 {
		return Window{}, false // zero comes from clients that do not know
	}
	l := c.conn.server.limits
	return Window{int(min(w.Columns, uint32(l.Columns))), int(min(w.Rows, uint32(l.Rows)))}, true
}

// judge tells whether a request is passed on; one that is not has been
// answered.
func (c *channel) judge(r *gossh.Request) bool {
	switch r.Type {
	case "pty-req":
		if c.sized || !c.terminal(r) {
			break
		}
		c.sized = true
		return true
	case "env":
		var v struct{ Name, Value string }
		if gossh.Unmarshal(r.Payload, &v) == nil && c.vars < maxVariables && allowed(v.Name, v.Value) {
			c.vars++
			return true
		}
	case "shell":
		return true
	case "exec":
		if len(r.Payload) <= maxCommand {
			return true
		}
		c.tell("the command is too long")
	case "signal":
		c.signal(r.Payload)
	case "subsystem":
		var v struct{ Name string }
		_ = gossh.Unmarshal(r.Payload, &v) // an unknown name is refused like any
		c.tell("no files are served here: there is neither sftp nor scp")
		time.Sleep(reading)
		c.deny(r.Type)
		_ = r.Reply(false, nil)
		_ = c.Channel.Close()
		return false
	case "auth-agent-req@openssh.com":
		c.tell("your agent is not forwarded: nothing here would use it")
	case "x11-req":
		c.tell("X11 is not forwarded")
	}
	if r.Type != "signal" {
		c.deny(r.Type)
	}
	_ = r.Reply(false, nil)
	return false
}

// deny counts what was refused, by names from a bounded set.
func (c *channel) deny(request string) {
	if !slices.Contains([]string{"pty-req", "env", "exec", "subsystem", "auth-agent-req@openssh.com", "x11-req"}, request) {
		request = "other"
	}
	c.conn.server.facts.denied.Inc(request)
}

// tell says something to the user beside what is shown.
func (c *channel) tell(text string) {
	_, _ = fmt.Fprintf(c.Stderr(), "confab: %s.\r\n", text) // nobody else wants to know
}

// terminal brings a request for a terminal within bounds and tells whether it
// can be granted.
func (c *channel) terminal(r *gossh.Request) bool {
	var v struct {
		Term                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}
	if gossh.Unmarshal(r.Payload, &v) != nil || !terminalName(v.Term) {
		return false
	}
	l := c.conn.server.limits
	clamp := func(n uint32, or, most int) uint32 {
		if n == 0 {
			n = uint32(or)
		}
		return min(n, uint32(most))
	}
	v.Columns, v.Rows = clamp(v.Columns, 80, l.Columns), clamp(v.Rows, 24, l.Rows)
	v.Modes = "" // there is no line discipline that they could be for
	r.Payload = gossh.Marshal(&v)
	return true
}

// terminalName tells names of terminals from paths and escape sequences: it is
// looked up among files.
func terminalName(s string) bool {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`).MatchString(s)
}

// allowed tells whether a variable of the client's environment is let in: only
// what tells how to draw.
func allowed(name, value string) bool {
	known := []string{"COLORTERM", "COLORFGBG", "NO_COLOR", "LANG", "TERM_PROGRAM", "TERM_PROGRAM_VERSION"}
	if !slices.Contains(known, name) && !regexp.MustCompile(`^LC_[A-Z_]{1,30}$`).MatchString(name) {
		return false
	}
	return len(value) <= maxVariable && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
}

// signal passes on what a client sends to its command.
func (c *channel) signal(payload []byte) {
	var v struct{ Name string }
	if gossh.Unmarshal(payload, &v) != nil {
		return
	}
	known := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}
	if sig := known[v.Name]; sig != nil {
		select {
		case c.signals <- sig:
		default: // two are waiting
		}
	}
}
