//go:build !windows

package acceptance

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// runningServer is a running confab serve.
type runningServer struct {
	addr, key string
	cmd       *exec.Cmd
	said      string // the file of what it says, its log of requests with it
}

var servesOn = regexp.MustCompile(`on https?://(\S+);`)

// startServe starts confab serve in front of an upstream, as an operator would:
// with a key that has limits, with metrics, and with its log in a file.
func (h *home) startServe(upstream, more string) *runningServer {
	h.t.Helper()
	h.configure("[engines.up]\nurl = 'http://" + upstream +
		"/v1'\n[[routes]]\nmodels = ['oss-20b']\nengine = 'up'\nmodel = 'm'\ntimeout = '10m'\n[serve]\n" + more)
	out, err := h.command("serve", "keys", "add", "load", "--rate", "1000000000").Output()
	must(h.t, err)
	s := &runningServer{key: strings.TrimSpace(string(out)), said: filepath.Join(h.dir, "said")}
	f, err := os.Create(s.said)
	must(h.t, err)
	defer f.Close()
	s.cmd = h.command("serve", "--addr", "127.0.0.1:0")
	if program := os.Getenv("CONFAB_SERVE_PROGRAM"); program != "" { // another build, to profile or to compare with
		s.cmd.Path = program
	}
	s.cmd.Stderr = f
	must(h.t, s.cmd.Start())
	h.t.Cleanup(func() {
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		_ = s.cmd.Wait()
	})
	h.await("confab serve to begin", func() bool {
		b, _ := os.ReadFile(s.said)
		if m := servesOn.FindSubmatch(b); m != nil {
			s.addr = string(m[1])
		}
		return s.addr != ""
	})
	return s
}

// request is a whole request as it goes over the wire, so that sending it
// costs next to nothing.
func request(addr, path, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: "+
		"%d\r\n\r\n%s", path, addr, len(body), body)
}

// rawClient is a client with one connection.
type rawClient struct {
	conn net.Conn
	in   *bufio.Reader
}

func dialRaw(addr string) (*rawClient, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &rawClient{c, bufio.NewReaderSize(c, 8<<10)}, nil
}

// ask sends a request and reads the answer over.
func (s *rawClient) ask(request []byte) error {
	if _, err := s.conn.Write(request); err != nil {
		return err
	}
	length, status := -1, []byte(nil)
	for {
		line, err := s.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if status == nil {
			status = bytes.Clone(line)
		}
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			break
		}
		if v, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(v)); err != nil {
				return err
			}
		}
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) || length < 0 {
		return fmt.Errorf("answered %q, length %d", status, length)
	}
	_, err := s.in.Discard(length)
	return err
}

// load has so many sides ask for a while, or until so many requests are sent,
// each as soon as its last was answered. It returns how many were answered a
// second, and how long each took.
func load(t testing.TB, sides int, d time.Duration, most int, addr string, request []byte) (perSecond float64,
	took []time.Duration) {
	t.Helper()
	all := make([]*rawClient, sides)
	for i := range all { // connections, before the clock runs
		var err error
		if all[i], err = dialRaw(addr); err == nil {
			err = all[i].ask(request)
		}
		must(t, err)
		defer all[i].conn.Close()
	}
	runtime.GC()
	times := make([][]time.Duration, sides)
	for i := range times {
		times[i] = make([]time.Duration, 0, 1<<12)
	}
	began := time.Now()
	var running sync.WaitGroup
	for i, s := range all {
		running.Go(func() {
			for at := time.Now(); at.Sub(began) < d && len(times[i]) < most; {
				if err := s.ask(request); err != nil {
					t.Error(err)
					return
				}
				now := time.Now()
				times[i] = append(times[i], now.Sub(at))
				at = now
			}
		})
	}
	running.Wait()
	whole := time.Since(began)
	took = slices.Concat(times...)
	slices.Sort(took)
	return float64(len(took)) / whole.Seconds(), took
}

// BenchmarkInFront compares confab serve with the upstream itself and with a
// bare reverse proxy: every part in a process of its own, in turn and in the
// same run, as medians of the ratios of each round. Run it with -benchtime 1x.
func BenchmarkInFront(b *testing.B) {
	up := startHelper(b, "upstream", "")
	proxy := startHelper(b, "proxy", "http://"+up)
	s := newHome(b).startServe(up, "")
	const chat = `{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Explain a CRDT to a baker."}]}`
	ways := []struct {
		name, addr string
		request    []byte
	}{
		{"direct", up, request(up, "/v1/chat/completions", chat)},
		{"proxy", proxy, request(proxy, "/v1/chat/completions", chat)},
		{"confab", s.addr,
			request(s.addr, "/api/llm/oss-20b",
				`{"apikey":"`+s.key+`","systemprompt":"Be brief.","prompt":"Explain a CRDT to a baker."}`)},
	}
	for _, sides := range []int{1, 16, 64, 512} {
		b.Run(strconv.Itoa(sides), func(b *testing.B) {
			seen := map[string][]float64{}
			note := func(name string, v float64) { seen[name] = append(seen[name], v) }
			for b.Loop() {
				for range 9 {
					rate, p50, p99 := map[string]float64{}, map[string]float64{}, map[string]float64{}
					for _, w := range ways {
						r, took := load(b, sides, 500*time.Millisecond, 1<<30, w.addr, w.request)
						rate[w.name], p50[w.name], p99[w.name] = r, took[len(took)/2].Seconds()*1e6, took[len(
							took,
						)*99/100].Seconds()*1e6
						note(w.name+"/s", r)
						note(w.name+"-p50-µs", p50[w.name])
						note(w.name+"-p99-µs", p99[w.name])
					}
					note("rate÷proxy", rate["confab"]/rate["proxy"])
					note("added-p50÷proxy", (p50["confab"]-p50["direct"])/(p50["proxy"]-p50["direct"]))
					note("added-p99÷proxy", (p99["confab"]-p99["direct"])/(p99["proxy"]-p99["direct"]))
				}
			}
			for name, values := range seen {
				b.ReportMetric(median(values), name)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median[T cmp.Ordered](v []T) T { slices.Sort(v); return v[len(v)/2] }
