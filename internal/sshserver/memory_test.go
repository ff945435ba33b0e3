package sshserver_test

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/sshserver"

	gossh "golang.org/x/crypto/ssh"
)

// What screens used goes back to the system some seconds after they ended, all at once.
func TestMemoryOfScreensGoesBack(t *testing.T) {
	testWithFakeClock(t, sshserver.DefaultLimits(), func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		x := open(t, s.client("anna", anna), 80, 24)
		x.sees("hello anna")
		x.types("\x11")
		if err := <-x.over; err != nil {
			t.Error(err)
		}
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
		time.Sleep(8 * time.Second)
		if now := kept(); now+32<<20 < before {
			t.Errorf("%d MB went back at once", (before-now)>>20)
		}
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if now := kept(); now+48<<20 > before {
			t.Errorf("%d MB are kept, %d MB were", now>>20, before>>20)
		}
	})
}
