//go:build unix

package sshserver

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestANamedPipeAmongTheKeysMakesNobodyWait(t *testing.T) {
	folder, keys := manyUsers(t, 1)
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	if _, ok := find(folder, "user0", keys[0].PublicKey()); !ok {
		t.Error("the others are not let in")
	}
	if s := newKeyIndex(pipe).refresh(time.Now()); s.err == nil {
		t.Error("a named pipe is a file of keys")
	}
}
