package testserver

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"time"
)

// onAccept are the behaviours that do not wait for a request. They can only be
// chosen by [Server.SetBehaviour].
func onAccept() map[string]act {
	return map[string]act{
		"accept-close": func(c *conn) {},
		"accept-rst":   func(c *conn) { c.reset() },
		"accept-stall": func(c *conn) {
			for b := make([]byte, 4096); ; { // read so that the end is seen
				if _, err := c.Read(b); err != nil {
					return
				}
			}
		},
		"banner": func(c *conn) { c.raw("220 mail.example ESMTP ready\r\n"); _, _ = c.Read(make([]byte, 1)) },
	}
}

// drops are the behaviours that drop connections, are slow, or stop halfway.
func drops() map[string]act {
	return map[string]act{
		"close": func(c *conn) {},
		"rst":   func(c *conn) { c.reset() },
		"hang":  func(c *conn) { c.wait() },
		"slow-header": func(c *conn) {
			c.raw("HTTP/1.1 200 OK\r\nX-Slow: ")
			c.drip(strings.Repeat("s", 1<<16), 20*time.Millisecond)
		},
		"slow-body": func(c *conn) {
			kind, body := c.right()
			c.head(200, "Content-Type: "+kind, fmt.Sprintf("Content-Length: %d", len(body)))
			c.drip(body, 3*time.Millisecond)
		},
		"stall-start": func(c *conn) { c.head(200, "Content-Length: 500"); c.wait() },
		"stall-body": func(c *conn) {
			kind, body := c.right()
			c.head(200, "Content-Type: "+kind, fmt.Sprintf("Content-Length: %d", len(body)))
			c.raw(body[:len(body)/2])
			c.wait()
		},
		"stall-error":      func(c *conn) { c.head(500, "Content-Length: 500"); c.raw("{"); c.wait() },
		"truncate-cl":      func(c *conn) { c.half("Content-Length: 5000") },
		"truncate-chunked": func(c *conn) { c.head(200, "Transfer-Encoding: chunked"); c.raw("40\r\nabc") },
		"truncate-rst": func(c *conn) {
			c.half("Content-Length: 5000")
			time.Sleep(20 * time.Millisecond) // what was sent arrives before the reset
			c.reset()
		},
		"truncate-close": func(c *conn) { c.half("Connection: close") },
		"truncate-last": func(c *conn) {
			kind, body := c.right()
			c.head(200, "Content-Type: "+kind, "Connection: close")
			c.raw(body[:len(body)-1])
		},
	}
}

// floods are the behaviours that do not end.
func floods() map[string]act {
	return map[string]act{
		"endless-chunked": func(c *conn) {
			c.head(200, "Transfer-Encoding: chunked")
			for part := fmt.Sprintf("8000\r\n%s\r\n", strings.Repeat(" ", 0x8000)); c.raw(part); {
			}
		},
		"endless-cl": func(c *conn) {
			c.head(200, "Content-Length: 1099511627776")
			for part := strings.Repeat("x", 0x8000); c.raw(part); {
			}
		},
		"image-huge": func(c *conn) {
			c.head(200, "Content-Type: image/png", "Connection: close")
			c.raw(pngSignature)
			for part := strings.Repeat("x", 0x8000); c.raw(part); {
			}
		},
		"endless-error": func(c *conn) {
			c.head(500, "Connection: close")
			for part := strings.Repeat("oops ", 1000); c.raw(part); {
			}
		},
		"header-flood": func(c *conn) {
			c.raw("HTTP/1.1 200 OK\r\nX-Flood: ")
			for part := strings.Repeat("f", 4096); c.raw(part); {
			}
		},
		"header-many": func(c *conn) {
			c.raw("HTTP/1.1 200 OK\r\n")
			for part := strings.Repeat("X-Many: many\r\n", 500); c.raw(part); {
			}
		},
		"flood-1xx": func(c *conn) {
			for part := strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 100); c.raw(part); {
			}
		},
	}
}

// framing are the behaviours that break the rules of HTTP, or test them.
func framing() map[string]act {
	return map[string]act{
		"keepalive-close": func(c *conn) { // promises to keep the connection, and does not
			kind, body := c.right()
			c.head(200, "Content-Type: "+kind, fmt.Sprintf("Content-Length: %d", len(body)), "Connection: keep-alive")
			c.raw(body)
		},
		"keepalive": func(c *conn) {
			kind, body := c.right()
			c.head(200, "Content-Type: "+kind, fmt.Sprintf("Content-Length: %d", len(body)))
			c.raw(body)
		},
		"garbage":      func(c *conn) { c.raw("\x00\x01\x02garbage\xff\xfe\r\n\r\n\x80\r\n") },
		"garbage-line": func(c *conn) { c.raw("no end of line here") },
		"garbage-rst": func(c *conn) {
			c.raw("no end of line")
			time.Sleep(20 * time.Millisecond)
			c.reset()
		},
		"garbage-flood": func(c *conn) {
			for part := strings.Repeat("garbage ", 500); c.raw(part); {
			}
		},
		"garbage-header": func(c *conn) { c.raw("HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}") },
		"garbage-status": func(c *conn) { c.raw("HTTP/1.1 OK 200\r\n\r\n") },
		"garbage-esc":    func(c *conn) { c.raw("\x1b]0;PWNED\x07\x1b[2J\x1b[31mBEGIN\x9b31mEND\r\n\r\n") },
		"http09":         func(c *conn) { c.raw("<html><body>hello</body></html>") },
		"cl-two":         func(c *conn) { c.head(200, "Content-Length: 5", "Content-Length: 6"); c.raw("hello!") },
		"cl-negative":    func(c *conn) { c.head(200, "Content-Length: -5"); c.raw("hello") },
		"chunk-bad": func(c *conn) {
			c.head(200, "Transfer-Encoding: chunked")
			c.raw("zz\r\nhello\r\n0\r\n\r\n")
		},
		"switch-101":     func(c *conn) { c.head(101, "Upgrade: websocket", "Connection: Upgrade"); c.wait() },
		"no-content-204": func(c *conn) { c.head(204) },
		"body-empty":     func(c *conn) { c.reply(200, "", "") },
		"early-413": func(c *conn) {
			c.reply(413, "text/plain", "too much") // and closes on what it has not read: a reset
		},
		"early-413-stall": func(c *conn) { c.reply(413, "", ""); time.Sleep(200 * time.Millisecond) },
		"late":            func(c *conn) { c.after(c.server.Late) },
		"late-60":         func(c *conn) { c.after(time.Minute) },
	}
}

// encodings are the behaviours that compress, or say so.
func encodings() map[string]act {
	return map[string]act{
		"gzip-ok": func(c *conn) {
			kind, body := c.right()
			c.reply(200, kind, zipped([]byte(body)), "Content-Encoding: gzip")
		},
		"gzip-cut": func(c *conn) {
			kind, body := c.right()
			z := zipped([]byte(body))
			c.reply(200, kind, z[:len(z)-12], "Content-Encoding: gzip")
		},
		"gzip-bomb": func(c *conn) { // 64 members of 16 MiB each
			c.reply(200, "application/json", strings.Repeat(zipped(make([]byte, 16<<20)), 64), "Content-Encoding: gzip")
		},
		"gzip-lie": func(c *conn) { kind, body := c.right(); c.reply(200, kind, body, "Content-Encoding: gzip") },
		"br-lie":   func(c *conn) { kind, body := c.right(); c.reply(200, kind, body, "Content-Encoding: br") },
	}
}

// half sends the first half of a right answer.
func (c *conn) half(line string) {
	kind, body := c.right()
	c.head(200, "Content-Type: "+kind, line)
	c.raw(body[:len(body)/2])
}

// after answers rightly when d is over, unless the client goes away.
func (c *conn) after(d time.Duration) {
	done := make(chan struct{})
	timer := time.AfterFunc(d, func() { close(done); _ = c.SetReadDeadline(time.Now()) })
	defer timer.Stop()
	_, _ = c.in.Peek(1)
	select {
	case <-done:
		kind, body := c.right()
		c.reply(200, kind, body)
	default:
		c.wait()
	}
}

func zipped(b []byte) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.String()
}
