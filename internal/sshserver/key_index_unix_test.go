//go:build unix

package sshserver_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"confab/internal/sshserver"
)

func TestANamedPipeAmongTheKeysMakesNobodyWait(t *testing.T) {
	folder, keys := manyUsers(t, 1)
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	s := newSite(t, keys[0], func(o *sshserver.Options) { o.Keys = folder }).serve()
	if got := s.userOf("user0", keys[0]); got != "user0" {
		t.Error("the others are not let in")
	}
	if report := sshserver.Check(sshserver.Options{Keys: pipe}); len(report.Problems) == 0 {
		t.Error("a named pipe is a file of keys")
	}
}
