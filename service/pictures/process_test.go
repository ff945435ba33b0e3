package pictures_test

import (
	"encoding/json"
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
		mark := fmt.Sprintf("%d-%d", os.Getpid(), n)
		if _, err := save(dir, "same", mark, mark); err != nil {
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

// Two processes that write the same names never overwrite each other's files, and no picture gets the provenance of
// another.
func TestProcessesNeverWriteOverEachOther(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "same-1d616793-7.png")
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
	images, texts := 0, 0
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		name := e.Name()
		b, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		switch ext := filepath.Ext(name); {
		case strings.HasPrefix(name, "."):
			t.Errorf("left %s", name)
		case name == filepath.Base(mine):
			if string(b) != "a person's own" {
				t.Errorf("%s was written over: %q", name, b)
			}
		case ext == ".png":
			images++
			facts, err := os.ReadFile(filepath.Join(dir, strings.TrimSuffix(name, ext)+".json"))
			must(t, err)
			var provenance struct {
				SessionName string `json:"session_name"`
			}
			must(t, json.Unmarshal(facts, &provenance))
			if provenance.SessionName != string(b) || seen[string(b)] {
				t.Errorf("%s holds %q, its facts %q", name, b, facts)
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
	if images != 2*each || texts != 2*each || len(seen) != 4*each {
		t.Errorf("%d pictures, %d texts and %d marks, want %d, %d and %d", images, texts, len(seen), 2*each, 2*each,
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
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left %v, %v", left, err)
		}
	}
}
