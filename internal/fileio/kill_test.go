package fileio

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// childFolder tells a process of this test where to write.
const childFolder = "CONFAB_TEST_ATOMICFILE_FOLDER"

// TestWriteForever is what the killed process runs.
func TestWriteForever(t *testing.T) {
	folder := os.Getenv(childFolder)
	if folder == "" {
		t.Skip("only as a child of TestStaleFilesAreRemoved")
	}
	content := make([]byte, 8<<20) // takes long enough to be killed within
	for {
		if err := Write(filepath.Join(folder, "key.json"), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A process that is killed while it writes leaves a temporary file. The next write into the folder removes it once it
// is old, and leaves alone what another process just writes and what has another name.
func TestStaleFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	stale := killWriter(t, folder)
	old := time.Now().Add(-2 * time.Hour)
	foreign := filepath.Join(folder, "notes.tmp")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	write := func() {
		t.Helper()
		if err := Write(filepath.Join(folder, "other.json"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write()
	if _, err := os.Lstat(stale); err != nil {
		t.Errorf("a file that may still be written was removed: %v", err)
	}
	journal := stale + "-journal" // beside a database
	if err := os.WriteFile(journal, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{stale, foreign, journal} {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	write()
	for _, path := range []string{stale, journal} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is still there", filepath.Base(path))
		}
	}
	if _, err := os.Lstat(foreign); err != nil {
		t.Errorf("a foreign file was removed: %v", err)
	}
}

// killWriter kills a process that writes into the folder and returns the temporary file that it left.
func killWriter(t *testing.T, folder string) string {
	t.Helper()
	for range 100 {
		child := exec.Command(os.Args[0], "-test.run=^TestWriteForever$")
		child.Env = append(os.Environ(), childFolder+"="+folder)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		for started := time.Now(); len(temporaryFiles(t, folder)) == 0 && time.Since(started) < 10*time.Second; {
			time.Sleep(time.Millisecond)
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // it was killed
		if left := temporaryFiles(t, folder); len(left) > 0 {
			return left[0]
		}
	}
	t.Fatal("no process was killed while it wrote")
	return ""
}

func temporaryFiles(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "key.json.*.tmp"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}
