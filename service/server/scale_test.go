package server_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"confab/internal/netaddr"
	"confab/service/engine"
	"confab/service/engine/offline"
	"confab/service/engine/openai"
	"confab/service/server"
)

// upstream answers chat completions at once, as a server would that costs
// nothing: what is measured is what stands in front of it. A model named
// "hold" is held until release is closed.
func upstream(t testing.TB, release <-chan struct{}) (base string, open, gone *atomic.Int64) {
	t.Helper()
	h, open, gone := completions(release)
	return listen(t, h), open, gone
}

func completions(release <-chan struct{}) (h http.Handler, open, gone *atomic.Int64) {
	open, gone = new(atomic.Int64), new(atomic.Int64)
	answer := []byte(
		`{"id":"chatcmpl-1","object":"chat.completion","created":1741569952,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"` +
			strings.Repeat("An answer of the usual length. ",
				30) + `"},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":19,"completion_tokens":200,"total_tokens":219}}`)
	h = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if bytes.Contains(b, []byte(`"hold"`)) {
			open.Add(1)
			defer open.Add(-1)
			select {
			case <-release:
			case <-r.Context().Done():
				gone.Add(1)
				return
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer)
	})
	return h, open, gone
}

func listen(t testing.TB, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: h}
	go func() { _ = s.Serve(l) }() // ends when it is closed
	t.Cleanup(func() { _ = s.Close() })
	return "http://" + l.Addr().String()
}

// limitsWith returns the default limits with some of them changed.
func limitsWith(change func(*server.Limits)) server.Limits {
	l := server.DefaultLimits()
	change(&l)
	return l
}

// newRoutedServer is a server in front of an upstream.
func newRoutedServer(t testing.TB, base, model string, limits server.Limits, by ...http.RoundTripper) string {
	t.Helper()
	o := openai.Options{Name: "up", URL: base + "/v1"}
	if len(by) > 0 {
		o.Transport = by[0]
	}
	chat, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := engine.NewBackend(engine.BackendOptions{Name: "up", Kinds: []engine.ModelKind{engine.KindText},
		Engine: chat, Address: base})
	if err != nil {
		t.Fatal(err)
	}
	rest, err := engine.NewBackend(engine.BackendOptions{Name: "offline", Kinds: []engine.ModelKind{engine.KindImage},
		Engine: offline.New(offline.Options{Speed: math.Inf(1)})})
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.NewRouter(engine.RouterOptions{Unrouted: rest,
		Routes: []engine.Route{{Models: []string{"*"}, Backend: texts, Model: model, Timeout: 10 * time.Minute}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Engine: r, Access: server.Access{Keys: []string{key}}, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return listen(t, s.Handler())
}

// load sends requests from many sides for a while and returns how many were
// answered a second, and how long each took.
func load(t testing.TB, sides int, d time.Duration, url, body string) (perSecond float64, took []time.Duration) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: sides, DisableCompression: true}}
	defer client.CloseIdleConnections()
	one := func() error {
		res, err := client.Post(url, "application/json", strings.NewReader(body))
		if err != nil {
			return err
		}
		defer res.Body.Close()
		_, err = io.Copy(io.Discard, res.Body)
		if err == nil && res.StatusCode != 200 {
			err = fmt.Errorf("status %d", res.StatusCode)
		}
		return err
	}
	for range sides { // connections, before the clock runs
		if err := one(); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	times := make([][]time.Duration, sides)
	began := time.Now()
	var all sync.WaitGroup
	for i := range sides {
		all.Go(func() {
			for time.Since(began) < d {
				at := time.Now()
				if err := one(); err != nil {
					t.Error(err)
					return
				}
				times[i] = append(times[i], time.Since(at))
			}
		})
	}
	all.Wait()
	whole := time.Since(began)
	took = slices.Concat(times...)
	slices.Sort(took)
	return float64(len(took)) / whole.Seconds(), took
}

// inMemory serves a handler without a single file: the limit of open files is
// for the connections that are measured.
func inMemory(t *testing.T, h http.Handler) *http.Transport {
	t.Helper()
	l := netaddr.ListenPipe()
	s := &http.Server{Handler: h}
	go func() { _ = s.Serve(l) }() // ends when it is closed
	t.Cleanup(func() { _ = s.Close() })
	return &http.Transport{MaxIdleConnsPerHost: 1024, DialContext: l.Dial}
}

// TestManySlowRequests holds requests open at once, sees a share of them leave,
// and has the rest answered. internal/acceptance does it with 10,000.
func TestManySlowRequests(t *testing.T) {
	const n = 300
	release := make(chan struct{})
	h, open, gone := completions(release)
	limits := limitsWith(func(l *server.Limits) { l.Texts, l.Connections = n, n+10 })
	front := newRoutedServer(t, "http://127.0.0.1:9", "hold", limits, inMemory(t,
		h))
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	before := memory()
	began := time.Now()
	ctx, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var fine, left atomic.Int64
	for i := range n {
		all.Go(func() {
			own := t.Context()
			if i%10 == 0 {
				own = ctx
			}
			r, err := http.NewRequestWithContext(own, http.MethodPost, front+"/api/llm/oss-20b",
				strings.NewReader(body(map[string]any{"prompt": "p"})))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", "application/json")
			res, err := client.Do(r)
			if err != nil {
				left.Add(1)
				return
			}
			defer res.Body.Close()
			if _, err := io.Copy(io.Discard, res.Body); err == nil && res.StatusCode == 200 {
				fine.Add(1)
			} else {
				t.Errorf("status %d, %v", res.StatusCode, err)
			}
		})
	}
	wait(t, func() bool { return open.Load() == int64(n) })
	held, full := time.Since(began), memory()
	leave()
	wait(t, func() bool { return gone.Load() == int64((n+9)/10) })
	close(release)
	all.Wait()
	if fine.Load()+left.Load() != int64(n) || left.Load() != int64((n+9)/10) {
		t.Errorf("%d were answered and %d left, of %d", fine.Load(), left.Load(), n)
	}
	t.Logf("%d held open after %v, %d KiB each for client, server and upstream together; all answered after %v", n,
		held.Round(time.Millisecond), (full-before)/int64(n)/1024, time.Since(began).Round(time.Millisecond))
}

func wait(t *testing.T, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for !holds() {
		if ctx.Err() != nil {
			t.Fatal("waited in vain")
		}
		runtime.Gosched()
	}
}

// memory is what is held of the system, in bytes.
func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// TestMemoryStaysFlat answers many requests and looks at what is left.
func TestMemoryStaysFlat(t *testing.T) {
	base, _, _ := upstream(t, nil)
	front := newRoutedServer(t, base, "m", server.DefaultLimits()) + "/api/llm/oss-20b"
	ask := body(map[string]any{"prompt": strings.Repeat("p", 2000)})
	load(t, 8, 300*time.Millisecond, front, ask)
	before := memory()
	_, took := load(t, 8, time.Second, front, ask)
	if grown := memory() - before; grown > 4<<20 {
		t.Errorf("%d requests left %d KiB behind", len(took), grown>>10)
	}
}
