package sshserver

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// countedIndex returns an index of a folder and how often it has opened a file.
func countedIndex(folder string) (x *keyIndex, opens *int) {
	x, opens = newKeyIndex(folder), new(int)
	open := x.openFile
	x.openFile = func(path string) (*os.File, error) {
		*opens++
		return open(path)
	}
	return x, opens
}

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

func TestALoginReadsNoFilesThatHaveNotChanged(t *testing.T) {
	const users = 200
	folder, keys := manyUsers(t, users)
	x, opens := countedIndex(folder)
	finds := func(i int, want bool, read int) {
		t.Helper()
		before := *opens
		u, ok := x.findUser(fmt.Sprintf("user%d", i), keys[i].PublicKey())
		if ok != want || ok && u.ID != fmt.Sprintf("user%d", i) || *opens-before != read {
			t.Errorf("user %d: %q, %v; %d files were opened, want %d", i, u.ID, ok, *opens-before, read)
		}
	}
	path := func(i int) string { return filepath.Join(folder, fmt.Sprintf("user%d", i)) }
	finds(0, true, users)
	for i := range users {
		finds(i, true, 0)
	}
	for range 10 { // strangers
		if _, ok := x.findUser("user5", newKey(t).PublicKey()); ok {
			t.Error("a stranger is let in")
		}
	}
	x.refresh(time.Now())
	if *opens != users {
		t.Errorf("%d files were opened for strangers and a check", *opens-users)
	}
	// A key that is taken away lets nobody in from then on, and a new one lets in at once.
	old := keys[1]
	keys[1] = newKey(t)
	write(t, path(1), line(keys[1], ""))
	age(t, path(1), folder)
	if err := os.Chtimes(path(1), time.Now(), time.Now().Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	finds(1, true, users)
	if _, ok := x.findUser("user1", old.PublicKey()); ok {
		t.Error("a key that was replaced lets in")
	}
	if err := os.Remove(path(2)); err != nil {
		t.Fatal(err)
	}
	finds(2, false, users-1)
	if err := os.Rename(path(3), path(2)); err != nil {
		t.Fatal(err)
	}
	keys[2] = keys[3]
	finds(2, true, users-1)
	if err := os.Chmod(path(4), 0o666); err != nil {
		t.Fatal(err)
	}
	finds(4, false, users-1) // which looks at its rights again
}

func TestAFileThatWasJustWrittenIsReadOnceMore(t *testing.T) {
	folder, _ := manyUsers(t, 2)
	x, opens := countedIndex(folder)
	first := x.refresh(time.Now())
	path := filepath.Join(folder, "user0")
	write(t, path, line(newKey(t), "")) // of the same length
	for round, want := range []int{4, 6} {
		if keys := x.refresh(time.Now()); keys.version != first.version+1 || *opens != want {
			t.Errorf("round %d: version %d after %d, %d files were opened, want "+
				"%d", round, keys.version, first.version, *opens, want)
		}
	}
	x.refresh(time.Now().Add(time.Minute))
	x.refresh(time.Now().Add(time.Minute))
	if *opens != 8 {
		t.Errorf("%d files were opened", *opens)
	}
}

// BenchmarkLogin is a whole login over loopback, of one user among so many.
func BenchmarkLogin(b *testing.B) {
	for _, users := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			folder, keys := manyUsers(b, users)
			s := newSite(b, keys[0], func(o *Options) {
				o.Keys = folder
				o.Limits.MaxPerMinute, o.Limits.MaxPerAddress = 1<<30, 1<<30
			}).serve()
			for i := 0; b.Loop(); i++ {
				s.client("x", keys[i%users]).Close()
			}
		})
	}
}

// BenchmarkFindKey is what of a login depends on the number of users.
func BenchmarkFindKey(b *testing.B) {
	for _, users := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			folder, keys := manyUsers(b, users)
			x, _ := countedIndex(folder)
			x.refresh(time.Now())
			for i := 0; b.Loop(); i++ {
				if _, ok := x.findUser("x", keys[i%users].PublicKey()); !ok {
					b.Fatal("not found")
				}
			}
		})
	}
}
