//go:build !windows

package acceptance

import (
	"confab/internal/testflags"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// The soak: so many logins (CONFAB_LOGINS says another number), so many of them
// side by side, and after how many the server is taken to have made what it
// makes once.
const (
	soakLogins = 300
	soakAtOnce = 8
	soakWarm   = 100
	soakUsers  = 16
	soakGrowth = 1.2 // RELIABILITY X
)

// Until the memory is only what is in use: the screens' timers run out, some
// logins let the collector run, and it gives back what it has found.
const (
	soakRest    = 6 * time.Second
	soakGentle  = 5
	soakCollect = "GOGC=10"
	soakSettles = 16 // readings, four a second, of which the least counts
	soakSpare   = 6  // goroutines that may be more; they do not become more with more logins
)

// TestManyLoginsLeaveNothingBehind opens and closes screens as people do:
// most leave, some lose their line, some ask something first, some run a command.
func TestManyLoginsLeaveNothingBehind(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("hundreds of logins take half a minute")
	}
	logins := soakLogins
	if n, err := strconv.Atoi(os.Getenv("CONFAB_LOGINS")); err == nil {
		logins = max(n, soakWarm+1)
	}
	h := startBusySSH(t, soakUsers, "CONFAB_SSH_COMMANDS=ask", "CONFAB_SSH_PER_USER=100",
		"CONFAB_SSH_METRICS_LISTEN=127.0.0.1:0", soakCollect)
	var next atomic.Int64
	visit := func(upTo int64) {
		var wg sync.WaitGroup
		for range soakAtOnce {
			wg.Go(func() {
				for {
					i := next.Add(1)
					if i > upTo {
						next.Add(-1)
						return
					}
					if t.Failed() {
						return
					}
					h.loginOnce(int(i))
				}
			})
		}
		wg.Wait()
	}
	visit(soakWarm)
	memory, goroutines := h.settledMemory()
	t.Logf("after %d logins: %.1f MB, %d goroutines", soakWarm, memory/1e6, goroutines)
	visit(int64(logins))
	memory2, goroutines2 := h.settledMemory()
	t.Logf("after %d logins: %.1f MB, %d goroutines", logins, memory2/1e6, goroutines2)
	if memory2 > memory*soakGrowth {
		t.Errorf("the server has grown from %.1f to %.1f MB", memory/1e6, memory2/1e6)
	}
	if goroutines2 > goroutines+soakSpare {
		t.Errorf("%d goroutines have become %d", goroutines, goroutines2)
	}
}

// loginOnce is one login, of a kind that depends on its number. It may be called
// from many goroutines.
func (h *busySSHServer) loginOnce(i int) {
	c, err := ssh.Dial("tcp", h.addr,
		&ssh.ClientConfig{User: "x", Auth: []ssh.AuthMethod{ssh.PublicKeys(h.key[i%len(h.key)])},
			HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err != nil {
		h.b.Error(err)
		return
	}
	defer c.Close()
	sess, err := c.NewSession()
	if err != nil {
		h.b.Error(err)
		return
	}
	if i%10 == 9 {
		if out, err := sess.CombinedOutput("ask -m phi-2 hello"); err != nil {
			h.b.Errorf("ask: %v, %s", err, out)
		}
		return
	}
	out := &outputBuffer{told: make(chan struct{}, 1)}
	sess.Stdout = out
	in, err := sess.StdinPipe()
	if err == nil {
		err = sess.RequestPty("xterm-256color", 30+i%20, 90+i%60, nil)
	}
	if err == nil {
		err = sess.Shell()
	}
	if err == nil {
		err = out.waitForError("Write a prompt")
	}
	if err == nil && i%10 < 3 {
		out.reset()
		if _, err = io.WriteString(in, "What is a CRDT?\r"); err == nil {
			err = out.waitForError("imulated")
		}
	}
	if err != nil {
		h.b.Error(err)
		return
	}
	if i%10 < 6 {
		_, _ = io.WriteString(in, "\x11") // ctrl+q
		_ = sess.Wait()
	}
	// Everybody else loses their line.
}

var (
	facts   = regexp.MustCompile(`http://(\S+)/metrics`)
	screens = regexp.MustCompile(`(?m)^confab_ssh_screens (\d+)$`)
	threads = regexp.MustCompile(`(?m)^confab_goroutines (\d+)$`)
)

// settledMemory waits until nobody is logged in and returns the server's memory in
// bytes, without what is only waiting to be collected, and its goroutines.
func (h *busySSHServer) settledMemory() (memory float64, goroutines int) {
	h.b.Helper()
	at := facts.FindStringSubmatch(h.said.String())
	if at == nil {
		h.b.Fatalf("no metrics in %q", h.said.String())
	}
	read := func() string {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at[1]+"/metrics", nil)
		if err != nil {
			h.b.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			h.b.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			h.b.Fatal(err)
		}
		return string(b)
	}
	number := func(r *regexp.Regexp, page string) int {
		m := r.FindStringSubmatch(page)
		if m == nil {
			h.b.Fatalf("%s is not in\n%s", r, page)
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			h.b.Fatal(err)
		}
		return n
	}
	empty := func() {
		h.b.Helper()
		end := time.Now().Add(30 * time.Second)
		for number(screens, read()) > 0 {
			if time.Now().After(end) {
				h.b.Fatal("screens stay open")
			}
			pause(100 * time.Millisecond)
		}
	}
	empty()
	pause(soakRest)
	for i := range soakGentle {
		h.loginOnce(i)
	}
	empty()
	memory, goroutines = h.residentMemory(), number(threads, read())
	for range soakSettles {
		pause(250 * time.Millisecond)
		memory, goroutines = min(memory, h.residentMemory()), min(goroutines, number(threads, read()))
	}
	return memory, goroutines
}
