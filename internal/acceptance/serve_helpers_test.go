//go:build !windows

package acceptance

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// The test program also is the upstream and the proxy of a benchmark, each in a process of its own, so that garbage
// collection and scheduling of one do not slow another.
const (
	roleVar   = "CONFAB_TEST_ROLE"
	targetVar = "CONFAB_TEST_TARGET"
)

// runHelper runs the server of a role until standard input ends, and prints its address.
func runHelper(role string) int {
	var h http.Handler
	switch role {
	case "upstream":
		h = newUpstream()
	case "proxy":
		target, err := url.Parse(os.Getenv(targetVar))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		p := httputil.NewSingleHostReverseProxy(target)
		// As many connections are kept as confab keeps: the default of two would be a poor rival.
		p.Transport = &http.Transport{MaxIdleConnsPerHost: 1024, DisableCompression: true}
		h = p
	default:
		fmt.Fprintln(os.Stderr, "no such part:", role)
		return 1
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(l.Addr())
	s := &http.Server{Handler: h}
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); _ = s.Close() }()
	_ = s.Serve(l)
	return 0
}

// upstream answers chat completions at once, as a server would that costs
// nothing. A prompt that says hold is held until /release is asked; /state
// tells how many are held and how many left.
type upstream struct {
	answer     []byte
	open, gone atomic.Int64
	release    chan struct{}
}

func newUpstream() *upstream {
	return &upstream{release: make(chan struct{}),
		answer: []byte(
			`{"id":"chatcmpl-1","object":"chat.completion","created":1741569952,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"` +
				strings.Repeat("An answer of the usual length. ",
					30) + `"},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":19,"completion_tokens":200,"total_tokens":219}}`)}
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	switch r.URL.Path {
	case "/state":
		fmt.Fprintln(w, u.open.Load(), u.gone.Load())
		return
	case "/release":
		close(u.release)
		return
	case "/v1/models":
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"m"}]}`)
		return
	}
	if bytes.Contains(b, []byte(`"hold"`)) {
		u.open.Add(1)
		defer u.open.Add(-1)
		select {
		case <-u.release:
		case <-r.Context().Done():
			u.gone.Add(1)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(u.answer)))
	_, _ = w.Write(u.answer)
}

// startHelper starts the server of a role in a process and returns its address.
func startHelper(t testing.TB, role, target string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVar+"="+role, targetVar+"="+target)
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(role, "did not start:", err)
	}
	return strings.TrimSpace(line)
}
