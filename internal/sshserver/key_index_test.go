package sshserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"confab/internal/sshserver"

	gossh "golang.org/x/crypto/ssh"
)

// age makes files look as if they had been written long ago: those just written are read once more, as they may be
// written again within the same tick of the clock.
func age(t testing.TB, paths ...string) {
	t.Helper()
	long := time.Now().Add(-time.Hour)
	for _, p := range paths {
		must(t, os.Chtimes(p, long, long))
	}
}

// manyUsers makes a folder with one key for each user.
func manyUsers(t testing.TB, users int) (folder string, keys []gossh.Signer) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "keys")
	must(t, os.Mkdir(folder, 0o700))
	for i := range users {
		key := newKey(t)
		path := filepath.Join(folder, fmt.Sprintf("user%d", i))
		must(t, os.WriteFile(path, []byte(line(key, "")), 0o600))
		age(t, path)
		keys = append(keys, key)
	}
	age(t, folder)
	return folder, keys
}

// replaceUnseen replaces the key in a file, with its length and times as they were.
func replaceUnseen(t testing.TB, path string, key gossh.Signer) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	write(t, path, line(key, ""))
	must(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
}

func TestALoginReadsOnlyFilesThatHaveChanged(t *testing.T) {
	folder, keys := manyUsers(t, 6)
	s := newSite(t, keys[0], func(o *sshserver.Options) { o.Keys = folder }).serve()
	path := func(i int) string { return filepath.Join(folder, fmt.Sprintf("user%d", i)) }
	want := func(i int, key gossh.Signer, want string) {
		t.Helper()
		if got := s.userOf(fmt.Sprintf("user%d", i), key); got != want {
			t.Errorf("user %d is %q, want %q", i, got, want)
		}
	}
	unseen, replaced := newKey(t), newKey(t)
	replaceUnseen(t, path(0), unseen) // so that only reading would tell
	want(0, keys[0], "user0")
	want(0, unseen, "")
	want(5, newKey(t), "")
	// A key that is taken away lets nobody in from then on, and a new one lets in at once.
	write(t, path(1), line(replaced, ""))
	must(t, os.Chtimes(path(1), time.Now(), time.Now().Add(-time.Minute)))
	want(1, replaced, "user1")
	want(1, keys[1], "")
	must(t, os.Remove(path(2)))
	want(2, keys[2], "")
	must(t, os.Rename(path(3), path(2)))
	want(2, keys[3], "user2")
	must(t, os.Chmod(path(4), 0o666))
	want(4, keys[4], "") // which looks at its rights again
}

func TestAFileThatWasJustWrittenIsReadOnceMore(t *testing.T) {
	folder, keys := manyUsers(t, 1)
	path := filepath.Join(folder, "user0")
	write(t, path, line(keys[0], "")) // now
	s := newSite(t, keys[0], func(o *sshserver.Options) { o.Keys = folder }).serve()
	next := newKey(t)
	replaceUnseen(t, path, next)
	if got := s.userOf("user0", next); got != "user0" {
		t.Errorf("the new key is %q's", got)
	}
}

// BenchmarkLogin is a whole login over loopback, of one user among so many.
func BenchmarkLogin(b *testing.B) {
	for _, users := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			folder, keys := manyUsers(b, users)
			s := newSite(b, keys[0], func(o *sshserver.Options) {
				o.Keys = folder
				o.Limits.MaxPerAddress = 1 << 30
			}).serve()
			for i := 0; b.Loop(); i++ {
				s.client("x", keys[i%users]).Close()
			}
		})
	}
}
