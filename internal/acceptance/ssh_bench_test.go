//go:build !windows

package acceptance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// busySSHServer is a confab ssh that serves many users.
type busySSHServer struct {
	b    testing.TB
	cmd  *exec.Cmd
	said *outputBuffer
	dir  string // the operator's home
	addr string
	key  []ssh.Signer
}

// outputBuffer is what a program or a screen said, and when it last did.
type outputBuffer struct {
	mu   sync.Mutex
	b    bytes.Buffer
	told chan struct{}
}

func newOutputBuffer() *outputBuffer { return &outputBuffer{told: make(chan struct{}, 1)} }

func (o *outputBuffer) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.b.Write(p)
	select {
	case o.told <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (o *outputBuffer) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// reset forgets what was said.
func (o *outputBuffer) reset() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.b.Reset()
	select {
	case <-o.told:
	default:
	}
}

// waitFor waits until something was said.
func (o *outputBuffer) waitFor(b testing.TB, text string) {
	b.Helper()
	must(b, o.waitForError(text))
}

// waitForError waits until something was said, and may be called from any goroutine.
func (o *outputBuffer) waitForError(text string) error {
	end := time.After(60 * time.Second)
	for !strings.Contains(o.String(), text) {
		select {
		case <-o.told:
		case <-end:
			return fmt.Errorf("waited in vain for %q in %q", text, o.String())
		}
	}
	return nil
}

var listens = regexp.MustCompile(`by ssh on (\S+);`)

// startBusySSH starts a server for so many users, each with a store of their own.
func startBusySSH(b testing.TB, users int, environ ...string) *busySSHServer {
	b.Helper()
	dir := b.TempDir()
	var keys []ssh.Signer
	for i := range users {
		key := newKey(b)
		keys = append(keys, key)
		path := filepath.Join(dir, "keys", fmt.Sprintf("user%d", i))
		must(b, os.MkdirAll(filepath.Dir(path), 0o700))
		must(b, os.WriteFile(path, ssh.MarshalAuthorizedKey(key.PublicKey()), 0o600))
	}
	h := serveSSH(b, dir, filepath.Join(dir, "keys"), environ...)
	h.key = keys
	return h
}

// serveSSH starts a server that lets in the keys of a folder.
func serveSSH(b testing.TB, dir, keys string, environ ...string) *busySSHServer {
	b.Helper()
	h := &busySSHServer{b: b, dir: dir, said: newOutputBuffer()}
	h.cmd = exec.Command(binary, "ssh", "--listen", "127.0.0.1:0", "--authorized-keys", keys, "-q")
	h.cmd.Env = append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "GOMEMLIMIT=1600MiB",
		"CONFAB_SSH_CONNECTIONS=10000", "CONFAB_SSH_ANSWERS_A_DAY=1000000"}, environ...)
	h.cmd.Stderr = h.said
	must(b, h.cmd.Start())
	b.Cleanup(func() {
		_ = h.cmd.Process.Signal(syscall.SIGTERM)
		_ = h.cmd.Wait()
	})
	h.said.waitFor(b, "by ssh on")
	h.said.waitFor(b, ";")
	h.addr = listens.FindStringSubmatch(h.said.String())[1]
	return h
}

// benchScreen is an open screen.
type benchScreen struct {
	in  io.Writer
	out *outputBuffer
}

// logIn logs a user in.
func (h *busySSHServer) logIn(user int) (*ssh.Client, error) {
	return ssh.Dial("tcp", h.addr, &ssh.ClientConfig{User: "x", HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Auth: []ssh.AuthMethod{ssh.PublicKeys(h.key[user%len(h.key)])}})
}

// openShell opens a screen of a size on a connection.
func openShell(c *ssh.Client, columns, rows int) (*ssh.Session, io.WriteCloser, *outputBuffer, error) {
	s, err := c.NewSession()
	if err != nil {
		return nil, nil, nil, err
	}
	out := newOutputBuffer()
	s.Stdout, s.Stderr = out, out
	in, err := s.StdinPipe()
	return s, in, out, errors.Join(err, s.RequestPty("xterm-256color", rows, columns, nil), s.Shell())
}

// open opens the screen of a user and waits until keys are taken.
func (h *busySSHServer) open(user int) *benchScreen {
	h.b.Helper()
	c, err := h.logIn(user)
	must(h.b, err)
	h.b.Cleanup(func() { c.Close() })
	_, in, out, err := openShell(c, 120, 40)
	must(h.b, err)
	out.waitFor(h.b, "Write a prompt")
	return &benchScreen{in: in, out: out}
}

// residentMemory returns the server's memory in bytes.
func (h *busySSHServer) residentMemory() float64 {
	h.b.Helper()
	return float64(processMemory(h.b, h.cmd.Process.Pid, "VmRSS:"))
}

// BenchmarkServedMemory says what an idle screen and a busy one cost: how much
// the server grows by them, the garbage it has not collected included.
func BenchmarkServedMemory(b *testing.B) {
	for _, tried := range []struct {
		n    int
		busy bool
	}{{100, false}, {500, false}, {1000, false}, {100, true}} {
		n, busy := tried.n, tried.busy
		b.Run(fmt.Sprintf("%d/busy=%t", n, busy), func(b *testing.B) {
			h := startBusySSH(b, n+1, fmt.Sprintf("GOMEMLIMIT=%dMiB", 200+3*n))
			h.open(n) // what is made once for all
			before := h.residentMemory()
			var screens []*benchScreen
			for i := range n {
				screens = append(screens, h.open(i))
			}
			if busy {
				for _, s := range screens {
					s.out.reset()
					_, _ = io.WriteString(s.in, "What is a CRDT?\r")
				}
				for _, s := range screens {
					s.out.waitFor(b, "imulated")
				}
			}
			b.ReportMetric((h.residentMemory()-before)/float64(n)/1e6, "MB/session")
			b.ReportMetric(h.residentMemory()/1e6, "MB-in-all")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// mathRand returns chance that is the same every time.
func mathRand(seed uint64) *mathrand.Rand { return mathrand.New(mathrand.NewPCG(seed, 1)) }

// pause lets time pass, as a person does between keys.
func pause(d time.Duration) { <-time.After(d) }
