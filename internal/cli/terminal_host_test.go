package cli

import (
	"testing"
	"testing/fstest"
)

func TestMoshIsSeenAboveUs(t *testing.T) {
	proc := fstest.MapFS{}
	for path, stat := range map[string]string{
		"30/stat": "30 (confab) S 20 30 20 0",
		"20/stat": "20 (a) b (c) S 10 20 20 0", // a name may hold brackets and blanks
		"10/stat": "10 (mosh-server) S 1 10 10 0",
		"31/stat": "31 (bash) S 11 31 31 0",
		"11/stat": "11 (sshd) S 1 11 11 0",
		"40/stat": "40 (loop) S 40 1 1 0",
		"41/stat": "41 (cut",
		"42/stat": "42 (cut) S",
	} {
		proc[path] = &fstest.MapFile{Data: []byte(stat)}
	}
	for pid, want := range map[int]bool{30: true, 10: true, 31: false, 40: false, 41: false, 42: false, 50: false} {
		if got := hasMoshAncestor(proc, pid); got != want {
			t.Errorf("of process %d: %t", pid, got)
		}
	}
}
