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
		if err := os.Chtimes(p, long, long); err != nil {
			t.Fatal(err)
		}
	}
}

// manyUsers makes a folder with one key for each user.
func manyUsers(t testing.TB, users int) (folder string, keys []gossh.Signer) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "keys")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range users {
		key := newKey(t)
		path := filepath.Join(folder, fmt.Sprintf("user%d", i))
		if err := os.WriteFile(path, []byte(line(key, "")), 0o600); err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, line(key, ""))
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
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
	if err := os.Chtimes(path(1), time.Now(), time.Now().Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	want(1, replaced, "user1")
	want(1, keys[1], "")
	if err := os.Remove(path(2)); err != nil {
		t.Fatal(err)
	}
	want(2, keys[2], "")
	if err := os.Rename(path(3), path(2)); err != nil {
		t.Fatal(err)
	}
	want(2, keys[3], "user2")
	if err := os.Chmod(path(4), 0o666); err != nil {
		t.Fatal(err)
	}
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
