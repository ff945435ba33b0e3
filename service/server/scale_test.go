package server_test

import (
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"confab/service/server"
)

func listen(t testing.TB, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
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

// memory returns what the process holds of the system, in bytes.
func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// TestMemoryStaysFlat answers many requests and looks at what is left.
func TestMemoryStaysFlat(t *testing.T) {
	h := handler(t, server.Options{})
	ask := body(map[string]any{"prompt": strings.Repeat("p", 2000)})
	answer := func(n int) {
		for range n {
			if w := post(h, "/api/llm/oss-20b", ask); w.Code != 200 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
		}
	}
	answer(500)
	before := memory()
	answer(5000)
	if grown := memory() - before; grown > 2<<20 {
		t.Errorf("5000 requests left %d KiB behind", grown>>10)
	}
}
