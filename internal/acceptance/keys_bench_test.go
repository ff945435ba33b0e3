//go:build !windows

package acceptance

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// BenchmarkServedKeys says how long a key takes to be painted for one user, alone and beside others who type five keys
// a second and send a prompt every ten seconds.
func BenchmarkServedKeys(b *testing.B) {
	for _, others := range []int{0, 25, 100} {
		b.Run(fmt.Sprintf("beside/%d", others), func(b *testing.B) {
			measureKeys(b, others, startBusySSH(b, others+1))
		})
	}
}

// BenchmarkTeamKeys says the same for 100 others on two hosts, which have their histories in files or in one database:
// keys must not wait for it.
func BenchmarkTeamKeys(b *testing.B) {
	const others = 100
	serve := func(b *testing.B, environ ...string) {
		one := startBusySSH(b, others+1, environ...)
		two := serveSSH(b, b.TempDir(), filepath.Join(one.dir, "keys"), environ...)
		two.key = one.key
		measureKeys(b, others, one, two)
	}
	b.Run("sqlite", func(b *testing.B) { serve(b) })
	b.Run("postgres", func(b *testing.B) {
		d := startDatabase(b, append(slices.Clone(safely), "shared_buffers=256MB")...)
		serve(b, "CONFAB_HISTORY_URL="+d.url())
	})
}

// measureKeys lets others type on the hosts in turn, and measures the keys of one more user on the first one.
func measureKeys(b *testing.B, others int, hosts ...*busySSHServer) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var wg sync.WaitGroup
	for i := range others {
		s := hosts[i%len(hosts)].open(i)
		wg.Go(func() { s.keepTyping(ctx, uint64(i)) })
	}
	probe := hosts[0].open(others)
	r := mathRand(1)
	var took []time.Duration
	for i := range 300 {
		pause(time.Duration(40+r.IntN(60)) * time.Millisecond)
		probe.out.reset()
		began := time.Now()
		must(b, errorOf(io.WriteString(probe.in, string(rune('a'+i%26)))))
		select {
		case <-probe.out.told:
		case <-time.After(30 * time.Second):
			b.Fatalf("key %d is not painted", i)
		}
		took = append(took, time.Since(began))
	}
	cancel()
	wg.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}

// keepTyping types five keys a second and sends a prompt every ten seconds.
func (s *benchScreen) keepTyping(ctx context.Context, seed uint64) {
	r := mathRand(seed)
	tick := time.NewTicker(200*time.Millisecond + time.Duration(r.IntN(20))*time.Millisecond)
	defer tick.Stop()
	for k := r.IntN(50); ; k++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		key := "a"
		if k%50 == 49 {
			key = "\r"
		}
		s.out.reset()
		_, _ = io.WriteString(s.in, key) // the server may have ended
	}
}
