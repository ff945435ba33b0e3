package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/testserver"
	"confab/service/api"
)

// script is what a service in memory does with its requests, one after another;
// the last holds for all that follow.
type script []func(c net.Conn)

// dialler serves a script over pipes and counts the requests it read. They must be of the contract, but for the
// extensions offered.
func (s script) dialler(
	t testing.TB, requests *atomic.Int64, offered ...string,
) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			defer func() { _ = far.Close() }()
			r, err := http.ReadRequest(bufio.NewReader(far))
			if err != nil {
				return
			}
			body, _ := io.ReadAll(r.Body)
			if err := testserver.CheckRequest(r, body, offered); err != nil {
				t.Errorf("the service was sent %v", err)
			}
			n := int(requests.Add(1))
			s[min(n, len(s))-1](far)
		}()
		return near, nil
	}
}

func answer(status int, header, body string) func(net.Conn) {
	return func(c net.Conn) {
		_, _ = fmt.Fprintf(c, "HTTP/1.1 %d X\r\n%sContent-Length: %d\r\n\r\n%s", status, header, len(body), body)
	}
}

const good = `{"status":200,"data":{"text":"x","model":"m"}}`

func after(d time.Duration, then func(net.Conn)) func(net.Conn) {
	return func(c net.Conn) { time.Sleep(d); then(c) } // inside the bubble this takes no time
}

// sendHalf sends half an answer and is silent.
func sendHalf(c net.Conn) {
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"status\"")
	_, _ = io.Copy(io.Discard, c)
}

func sendNothing(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// sendSlowly sends a byte every d, for ever.
func sendSlowly(start string, d time.Duration) func(net.Conn) {
	return func(c net.Conn) {
		_, err := io.WriteString(c, start)
		for err == nil {
			time.Sleep(d)
			_, err = io.WriteString(c, "x")
		}
	}
}

// TestWaiting holds the times: of limits, which are those of DefaultLimits, and
// between tries.
func TestWaiting(t *testing.T) {
	for _, tt := range []struct {
		name     string
		script   script
		slow     bool
		code     api.Code
		took     time.Duration
		slack    time.Duration // of the jitter
		requests int
	}{
		{"late by a minute", script{after(time.Minute, answer(200, "", good))}, false, "", time.Minute, 0, 1},
		{"late by four minutes", script{after(4*time.Minute, answer(200, "", good))}, false, api.CodeTimeout,
			2 * time.Minute,
			0, 1},
		{"a slow model may be", script{after(4*time.Minute, answer(200, "", good))}, true, "", 4 * time.Minute, 0, 1},
		{"silent", script{sendNothing}, false, api.CodeTimeout, 2 * time.Minute, 0, 1},
		{"silent, a slow model", script{sendNothing}, true, api.CodeTimeout, 5 * time.Minute, 0, 1},
		{"a header for ever", script{sendSlowly("HTTP/1.1 200 OK\r\nX: ", time.Second)}, false, api.CodeTimeout,
			2 * time.Minute, 0,
			1},
		{"a body for ever", script{sendSlowly("HTTP/1.1 200 OK\r\n\r\n", time.Second)}, false, api.CodeTimeout,
			5 * time.Minute, 0,
			1},
		{"half a body", script{sendHalf}, false, api.CodeTimeout, 2 * time.Minute, 0, 1},
		{"half a refusal", script{sendSlowly("HTTP/1.1 500 X\r\n\r\n", time.Second)}, false, api.CodeService,
			5 * time.Second,
			0,
			1},
		{"asked to wait", script{answer(429, "Retry-After: 30\r\n", ""), answer(200, "", good)}, false, "",
			30 * time.Second,
			0, 2},
		{"asked to wait for a date",
			script{answer(503, "Retry-After: Sat, 01 Jan 2000 00:00:20 GMT\r\n", ""),
				answer(200, "", good)}, false, "", 20 * time.Second, 0, 2},
		{"asked to wait twice, too long in all", script{answer(429, "Retry-After: 40\r\n", "")}, false,
			api.CodeRateLimited,
			40 * time.Second, 0, 2},
		{"asked to wait twice, a minute in all", script{answer(503, "Retry-After: 30\r\n", "")}, false, api.CodeService,
			time.Minute, 0, 3},
		{"asked to wait too long", script{answer(503, "Retry-After: 61\r\n", "")}, false, api.CodeService, 0, 0, 1},
		{"not told how long", script{answer(503, "", "")}, false, api.CodeService, 3 * time.Second, time.Second, 3},
		{"told nonsense", script{answer(429, "Retry-After: soon\r\n", ""), answer(200, "", good)}, false, "",
			time.Second,
			time.Second / 4, 2},
		{"told a negative number", script{answer(429, "Retry-After: -5\r\n", ""), answer(200, "", good)}, false, "",
			time.Second, time.Second / 4, 2},
		{"no other status is tried again", script{answer(500, "Retry-After: 1\r\n", "")}, false, api.CodeService, 0, 0,
			1},
		{"nor a lost connection", script{func(net.Conn) {}}, false, api.CodeNetwork, 0, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var requests atomic.Int64
				c, err := api.NewClient(api.Options{BaseURL: "http://127.0.0.1:1", APIKey: testKey,
					Dial: tt.script.dialler(t, &requests)})
				must(t, err)
				r := textTo("m")
				r.Model.IsSlow = tt.slow
				begun := time.Now()
				var until time.Time
				_, exchange, err := c.Do(t.Context(), r, func(p api.Progress) {
					if !p.RetryAt.IsZero() {
						until = p.RetryAt
					} else if !until.IsZero() && p.Attempt > 1 && p.Received == 0 && time.Now().Before(until) {
						t.Errorf("try %d began %v early", p.Attempt, time.Until(until))
					}
				})
				took := time.Since(begun)
				if api.CodeOf(err) != tt.code {
					t.Errorf("got %v, want %q", err, tt.code)
				}
				if took < tt.took || took > tt.took+tt.slack {
					t.Errorf("took %v, want %v to %v", took, tt.took, tt.took+tt.slack)
				}
				if n := int(requests.Load()); n != tt.requests || exchange.Attempts != tt.requests ||
					!until.IsZero() != (tt.requests > 1) {
					t.Errorf("got %d requests, %d attempts, a wait until %v; want %d", n, exchange.Attempts, until,
						tt.requests)
				}
				if err != nil {
					judgeSentence(t, err.(*api.Error).Message)
				}
				time.Sleep(10 * time.Minute) // the service notices that nobody waits
			})
		})
	}
}

func TestAWaitCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var requests atomic.Int64
		c, err := api.NewClient(api.Options{BaseURL: "http://127.0.0.1:1", APIKey: testKey,
			Dial: script{answer(429, "Retry-After: 50\r\n", "")}.dialler(t, &requests)})
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		begun := time.Now()
		time.AfterFunc(10*time.Second, cancel)
		_, _, err = c.Do(ctx, textTo("m"), nil)
		if api.CodeOf(err) != api.CodeCancelled || time.Since(begun) != 10*time.Second || requests.Load() != 1 {
			t.Errorf("got %v after %v and %d requests", err, time.Since(begun), requests.Load())
		}
	})
}

func TestACallersDeadlineIsATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var requests atomic.Int64
		c, err := api.NewClient(api.Options{BaseURL: "http://127.0.0.1:1", APIKey: testKey,
			Dial: script{sendNothing}.dialler(t, &requests)})
		must(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		begun := time.Now()
		_, _, err = c.Do(ctx, textTo("m"), nil)
		if api.CodeOf(err) != api.CodeTimeout || time.Since(begun) != 3*time.Second {
			t.Errorf("got %v after %v", err, time.Since(begun))
		}
		judgeSentence(t, err.(*api.Error).Message)
	})
}

func TestAConnectionThatDoesNotStandIsATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int64
		c, err := api.NewClient(api.Options{BaseURL: "https://service.example", APIKey: testKey,
			Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				dials.Add(1)
				<-ctx.Done()
				return nil, ctx.Err()
			}})
		must(t, err)
		begun := time.Now()
		_, _, err = c.Do(t.Context(), textTo("m"), nil)
		if api.CodeOf(err) != api.CodeTimeout || time.Since(begun) != 10*time.Second || dials.Load() != 1 {
			t.Errorf("got %v after %v and %d dials", err, time.Since(begun), dials.Load())
		}
		judgeSentence(t, err.(*api.Error).Message)
	})
}

func TestAHandshakeThatStallsIsATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := api.NewClient(api.Options{BaseURL: "https://service.example", APIKey: testKey,
			Dial: func(context.Context, string, string) (net.Conn, error) {
				near, far := net.Pipe()
				go sendNothing(far)
				return near, nil
			}})
		must(t, err)
		begun := time.Now()
		_, _, err = c.Do(t.Context(), textTo("m"), nil)
		if api.CodeOf(err) != api.CodeTimeout || time.Since(begun) != 10*time.Second {
			t.Errorf("got %v after %v", err, time.Since(begun))
		}
	})
}

// remoteConn is a connection that says that it leads to another machine.
type remoteConn struct{ net.Conn }

func (remoteConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} }

func TestPlainHTTPDoesNotLeaveTheMachineWhateverALocalNameLeadsTo(t *testing.T) {
	for _, allowed := range []bool{false, true} {
		var requests atomic.Int64
		dial := script{answer(200, "", good)}.dialler(t, &requests)
		c, err := api.NewClient(api.Options{BaseURL: "http://localhost:1", APIKey: testKey, AllowsPlainHTTP: allowed,
			Dial: func(ctx context.Context, n, a string) (net.Conn, error) {
				c, err := dial(ctx, n, a)
				return remoteConn{c}, err
			}})
		must(t, err)
		_, _, err = c.Do(t.Context(), textTo("m"), nil)
		switch {
		case allowed && err != nil:
			t.Errorf("allowed: got %v", err)
		case !allowed && (api.CodeOf(err) != api.CodeConfig || requests.Load() != 0):
			t.Errorf("got %v and %d requests, want none", err, requests.Load())
		}
	}
}

// TestOfARefusalOnlyTheBeginningIsRead has a service refuse with a body that never ends.
func TestOfARefusalOnlyTheBeginningIsRead(t *testing.T) {
	var requests, sent atomic.Int64
	endless := func(c net.Conn) {
		n, err := io.WriteString(c, "HTTP/1.1 500 X\r\n\r\n")
		for piece := make([]byte, 4<<10); err == nil; n, err = c.Write(piece) {
			sent.Add(int64(n))
		}
	}
	c := newClient(t, "http://127.0.0.1:1", func(o *api.Options) { o.Dial = script{endless}.dialler(t, &requests) })
	if _, _, err := c.Do(t.Context(), textTo("delta"), nil); api.CodeOf(err) != api.CodeService {
		t.Errorf("the call ends with %v", err)
	}
	if sent.Load() > 256<<10 {
		t.Errorf("%d bytes of the refusal were read", sent.Load())
	}
}
