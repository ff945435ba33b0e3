//go:build !windows

package acceptance

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const holdBody = `{"apikey":%q,"prompt":"hold"}`

// residentMemory returns the memory of the server in bytes.
func (s *runningServer) residentMemory(t testing.TB) int {
	t.Helper()
	return processMemory(t, s.cmd.Process.Pid, "VmRSS:")
}

// processMemory returns a figure of a process's memory in bytes: VmRSS for now, VmHWM for the highest so far.
func processMemory(t testing.TB, pid int, figure string) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("memory is not told here:", err)
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == figure {
			kb, err := strconv.Atoi(f[1])
			must(t, err)
			return kb << 10
		}
	}
	t.Fatal("no", figure)
	return 0
}

// upstreamState returns how many requests the upstream holds, and how many were cancelled.
func upstreamState(t testing.TB, upstream string) (open, gone int) {
	t.Helper()
	res, err := http.Get("http://" + upstream + "/state")
	must(t, err)
	defer res.Body.Close()
	must(t, errorOf(fmt.Fscan(res.Body, &open, &gone)))
	return open, gone
}

// TestManySlowRequests holds many requests open at once, sees all of them
// leave, holds as many again and has all answered. CONFAB_HELD says how many.
// Each takes two of the server's files.
func TestManySlowRequests(t *testing.T) {
	n := 200
	if s := os.Getenv("CONFAB_HELD"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	up := startHelper(t, "upstream", "")
	h := newHome(t)
	s := h.startServe(up, "")
	holdRequests(t, h, s, up, n, func(ctx context.Context, done *sync.WaitGroup, fine *atomic.Int64) {
		ask := request(s.addr, "/api/llm/oss-20b", fmt.Sprintf(holdBody, s.key))
		for range n {
			one, err := dialRaw(s.addr)
			must(t, err)
			context.AfterFunc(ctx, func() { _ = one.conn.Close() })
			done.Go(func() {
				if one.ask(ask) == nil {
					fine.Add(1)
				}
				_ = one.conn.Close()
			})
		}
	})
}

// holdRequests calls begin twice, which sends n requests each time.
func holdRequests(t *testing.T, h *home, s *runningServer, up string, n int,
	begin func(ctx context.Context, done *sync.WaitGroup, fine *atomic.Int64)) {
	t.Helper()
	idle, began := s.residentMemory(t), time.Now()
	var done sync.WaitGroup
	var fine atomic.Int64
	held := func(want, left int) {
		h.await(fmt.Sprintf("%d requests at the upstream, %d gone", want, left), func() bool {
			open, gone := upstreamState(t, up)
			return open == want && gone == left
		})
	}
	ctx, leave := context.WithCancel(t.Context())
	begin(ctx, &done, &fine)
	held(n, 0)
	full, rss := time.Since(began), s.residentMemory(t)
	leave()
	held(0, n)
	done.Wait()
	left := time.Since(began) - full
	if fine.Load() != 0 {
		t.Errorf("%d were answered, though all had left", fine.Load())
	}
	begin(t.Context(), &done, &fine)
	held(n, n)
	res, err := http.Get("http://" + up + "/release")
	must(t, err)
	_ = res.Body.Close()
	done.Wait()
	if fine.Load() != int64(n) {
		said, _ := os.ReadFile(s.said)
		t.Errorf("%d of %d were answered; it said\n%.2000s", fine.Load(), n, said)
	}
	t.Logf("%d held after %v, all cancelled as far as the upstream in %v, as many again answered; %d KiB of the "+
		"server "+
		"for each, %d MiB in all", n,
		full.Round(time.Millisecond), left.Round(time.Millisecond), (rss-idle)/n>>10, rss>>20)
}

// BenchmarkServeMemory says what many requests leave behind. Run it with
// -benchtime 1x.
func BenchmarkServeMemory(b *testing.B) {
	up := startHelper(b, "upstream", "")
	s := newHome(b).startServe(up, "")
	ask := request(s.addr, "/api/llm/oss-20b", `{"apikey":"`+s.key+`","prompt":"`+strings.Repeat("p", 2000)+`"}`)
	const sides = 64
	for b.Loop() {
		idle := s.residentMemory(b)
		load(b, sides, time.Hour, 50_000/sides, s.addr, ask)
		before := s.residentMemory(b)
		_, took := load(b, sides, time.Hour, 200_000/sides, s.addr, ask)
		after := s.residentMemory(b)
		b.ReportMetric(float64(idle)/(1<<20), "idle-MiB")
		b.ReportMetric(float64(before)/(1<<20), "after-50k-MiB")
		b.ReportMetric(float64(after)/(1<<20), "after-250k-MiB")
		b.ReportMetric(float64(len(took)), "requests")
	}
	b.ReportMetric(0, "ns/op")
}
