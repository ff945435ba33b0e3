package sshserver

import (
	"log/slog"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// What screens used goes back to the system some seconds after they ended, all at once.
func TestMemoryOfScreensGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{log: slog.New(slog.DiscardHandler)}
		func() {
			used := make([]byte, 64<<20)
			for i := 0; i < len(used); i += 4096 {
				used[i] = 1
			}
			runtime.KeepAlive(used)
		}()
		kept := func() uint64 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapSys - m.HeapReleased
		}
		before := kept()
		s.returnMemory()
		s.returnMemory()
		time.Sleep(returnDelay - time.Second)
		if now := kept(); now+32<<20 < before {
			t.Errorf("%d MB went back at once", (before-now)>>20)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if now := kept(); now+48<<20 > before {
			t.Errorf("%d MB are kept, %d MB were", now>>20, before>>20)
		}
	})
}
