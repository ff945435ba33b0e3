package pictures

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"confab/internal/fileio"
)

// each is the number of pictures per process.
const each = 40

// TestMain runs the other processes of the tests: with a folder in the environment it saves pictures there under one
// name.
func TestMain(m *testing.M) {
	if runsAsUploadCommand() {
		return
	}
	if path := os.Getenv("CONFAB_TEST_HALF"); path != "" {
		writeHalf(path)
	}
	dir := os.Getenv("CONFAB_TEST_STORE")
	if dir == "" {
		os.Exit(m.Run())
	}
	for n := range each {
		if _, err := keepMarked(dir, fmt.Sprintf("%d-%d", os.Getpid(), n)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		path := filepath.Join(dir, "new.txt")
		if _, err := fileio.WriteNew(path, true, func(out io.Writer, _ string) error {
			_, err := fmt.Fprintf(out, "%d-%d", os.Getpid(), n)
			return err
		}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// keepMarked saves a picture with a mark in the file and in its provenance.
func keepMarked(dir, mark string) (savedPicture, error) {
	return folder{dir, "same"}.save(newPicture{
		image: []byte(mark), ext: ".jpg", describe: func(savedPicture) ([]byte, error) { return []byte(mark), nil },
	})
}

// Two processes that write the same names never overwrite each other's files, and no picture gets the provenance of
// another.
func TestProcessesNeverWriteOverEachOther(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "same-7.jpg")
	must(t, os.WriteFile(mine, []byte("a person's own"), 0o600))
	program, err := os.Executable()
	must(t, err)
	ended := make(chan error, 2)
	for range cap(ended) {
		go func() {
			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), "CONFAB_TEST_STORE="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			ended <- err
		}()
	}
	must(t, errors.Join(<-ended, <-ended))
	seen := map[string]bool{}
	pictures, texts := 0, 0
	for _, name := range names(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		switch ext := filepath.Ext(name); {
		case strings.HasPrefix(name, "."):
			t.Errorf("left %s", name)
		case name == filepath.Base(mine):
			if string(b) != "a person's own" {
				t.Errorf("%s was written over: %q", name, b)
			}
		case ext == ".jpg":
			pictures++
			facts, err := os.ReadFile(filepath.Join(dir, provenanceName(name)))
			if err != nil || string(facts) != string(b) || seen[string(b)] {
				t.Errorf("%s holds %q, its facts %q (%v)", name, b, facts, err)
			}
			seen[string(b)] = true
		case ext == ".txt":
			texts++
			if seen["text "+string(b)] {
				t.Errorf("%q is there twice", b)
			}
			seen["text "+string(b)] = true
		}
	}
	if pictures != 2*each || texts != 2*each || len(seen) != 4*each {
		t.Errorf("%d pictures, %d texts and %d marks, want %d, %d and %d", pictures, texts, len(seen), 2*each, 2*each,
			4*each)
	}
}

// writeHalf writes half of a file, prints a line, and waits until it is killed.
func writeHalf(path string) {
	_, err := fileio.WriteNew(path, false, func(out io.Writer, _ string) error {
		if _, err := io.WriteString(out, strings.Repeat("half", 1<<18)); err != nil {
			return err
		}
		fmt.Println("half")
		time.Sleep(time.Hour) // until killed; without C, "select {}" is reported as a deadlock
		return nil
	})
	fmt.Println(err)
	os.Exit(1)
}

// A process killed while it writes to a person's folder leaves nothing, or only what the next one removes.
func TestKilledWhileItWrites(t *testing.T) {
	dir := t.TempDir()
	program, err := os.Executable()
	must(t, err)
	c := exec.CommandContext(t.Context(), program)
	c.Env = append(os.Environ(), "CONFAB_TEST_HALF="+filepath.Join(dir, "export.md"))
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	said := make([]byte, 5)
	if _, err := io.ReadFull(out, said); err != nil || string(said) != "half\n" {
		t.Fatalf("it said %q, %v", said, err)
	}
	must(t, c.Process.Kill())
	_ = c.Wait() // it was killed
	if runtime.GOOS == "linux" {
		if left := names(t, dir); len(left) > 0 {
			t.Errorf("left %q", left)
		}
	}
}
