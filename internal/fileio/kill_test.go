package fileio_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"confab/internal/fileio"
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
		must(t, fileio.Write(filepath.Join(folder, "key.json"), content, 0o600))
	}
}

// A process that is killed while it writes leaves a temporary file. The next write into the folder removes it once it
// is old, and leaves alone what another process just writes and what has another name.
func TestStaleFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	stale := killWriter(t, folder)
	old := time.Now().Add(-2 * time.Hour)
	foreign := filepath.Join(folder, "notes.tmp")
	must(t, os.WriteFile(foreign, nil, 0o600))
	write := func() {
		t.Helper()
		must(t, fileio.Write(filepath.Join(folder, "other.json"), []byte("x"), 0o600))
	}
	write()
	if _, err := os.Lstat(stale); err != nil {
		t.Errorf("a file that may still be written was removed: %v", err)
	}
	journal := stale + "-journal" // beside a database
	must(t, os.WriteFile(journal, nil, 0o600))
	for _, path := range []string{stale, foreign, journal} {
		must(t, os.Chtimes(path, old, old))
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
		must(t, child.Start())
		for started := time.Now(); len(temporaryFiles(t, folder)) == 0 && time.Since(started) < 10*time.Second; {
			time.Sleep(time.Millisecond)
		}
		must(t, child.Process.Kill())
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
	must(t, err)
	return found
}
