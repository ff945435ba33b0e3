// Package clitest is test support for the commands: it runs the program in a home folder of its own, with services and
// terminals that the test controls.
package clitest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"confab/history/postgres/pgtest"
	"confab/internal/cli"
	"confab/service/engine/openai"
)

// Ask runs a call while a test looks at what was printed.
func (w *World) Ask(t *testing.T, args ...string) (out, err *Transcript, code func() int) {
	t.Helper()
	out, err = &Transcript{}, &Transcript{}
	ended := make(chan int, 1)
	go func() { ended <- cli.Run(t.Context(), append([]string{"ask"}, args...), w.Env(out, err)) }()
	return out, err, func() int { return <-ended }
}

// Configure writes the configuration file of a world.
func (w *World) Configure(text string) string {
	w.T.Helper()
	path := filepath.Join(w.Home, ".config", "confab", "config.toml")
	WriteFile(w.T, path, text, 0o600)
	return path
}

// World is a home folder and what a run has of the outside.
type World struct {
	T       *testing.T
	Home    string
	Environ []string
	Stdin   io.Reader
	Signals chan os.Signal
	Keyring func(service, user string) (string, error)
	Ports   []openai.LocalPort // none, unless a test says so
}

// NewWorld returns a world with an empty home folder.
func NewWorld(t *testing.T, environ ...string) *World {
	t.Helper()
	home := t.TempDir()
	return &World{
		T: t, Home: home,
		Environ: append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8"},
			environ...),
		Signals: make(chan os.Signal, 2),
		Keyring: func(string, string) (string, error) { t.Error("the keyring was asked"); return "", nil },
	}
}

// Result is how a run ended.
type Result struct {
	Code     int
	Out, Err string
}

// Env returns what a run has of the outside.
func (w *World) Env(out, err io.Writer) cli.Env {
	return cli.Env{Stdin: w.Stdin, Stdout: out, Stderr: err, Environ: w.Environ, Signals: w.Signals,
		Keyring: w.Keyring, Speed: math.Inf(1), Version: "test", Ports: append([]openai.LocalPort{}, w.Ports...)}
}

// Run carries out one call with output to pipes, as it were.
func (w *World) Run(args ...string) Result {
	w.T.Helper()
	var out, err bytes.Buffer
	code := cli.Run(w.T.Context(), args, w.Env(&out, &err))
	return Result{code, out.String(), err.String()}
}

// Must is run where the exit code is known.
func (w *World) Must(code int, args ...string) Result {
	w.T.Helper()
	r := w.Run(args...)
	if r.Code != code {
		w.T.Fatalf("confab %q ended with %d, want %d\nstdout: %s\nstderr: %s", args, r.Code, code, r.Out, r.Err)
	}
	return r
}

// OnTerminal carries out one call on a terminal of that width, into which
// typed is typed, and returns what the terminal got of both outputs.
func (w *World) OnTerminal(width int, typed string, args ...string) Result {
	w.T.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		w.T.Skip("no pseudo terminals here:", err)
	}
	defer master.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 40, Cols: uint16(width)}); err != nil {
		w.T.Fatal(err)
	}
	got := &Transcript{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(got, master) // ends with an error when the terminal is closed
	}()
	if typed != "" {
		if _, err := io.WriteString(master, typed); err != nil {
			w.T.Fatal(err)
		}
	}
	e := w.Env(tty, tty)
	e.Stdin = tty
	code := cli.Run(w.T.Context(), args, e)
	tty.Close()
	<-done
	return Result{Code: code, Out: strings.ReplaceAll(got.String(), "\r\n", "\n")}
}

// Transcript is what a terminal got.
type Transcript struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements [io.Writer].
func (t *Transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

// String returns all of it so far.
func (t *Transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// Pipe is a standard input that holds text and ends.
func Pipe(t *testing.T, text string) io.Reader {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return r
}

// Files returns the paths of all files below a folder.
func Files(t *testing.T, dir string) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(Contents(t, dir)))
}

// Contents returns what every file below a folder holds, by path. A file that vanishes meanwhile, as SQLite's "-shm"
// does when the last screen of a user closes, is left out.
func Contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var b []byte
			b, err = os.ReadFile(path)
			all[path] = string(b)
		}
		if path != dir && errors.Is(err, fs.ErrNotExist) {
			delete(all, path)
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Objects reads JSON objects, one per line.
func Objects(t *testing.T, out string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
		if line == "" {
			continue
		}
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%q is no JSON object: %v", line, err)
		}
		all = append(all, o)
	}
	return all
}

// Eventually waits for something that another goroutine does.
func Eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for !holds() {
		if ctx.Err() != nil {
			t.Fatal("waited in vain for", what)
		}
		runtime.Gosched()
	}
}

// WantTexts fails the test for each text that is not in another.
func WantTexts(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not in:\n%s", w, text)
		}
	}
}

// WantNoTexts fails the test for each text that is in another.
func WantNoTexts(t *testing.T, text string, unwanted ...string) {
	t.Helper()
	for _, u := range unwanted {
		if strings.Contains(text, u) {
			t.Errorf("%q is in:\n%s", u, text)
		}
	}
}

// InDatabase starts a PostgreSQL server, makes its tables with confab and returns what the environment needs for it.
func InDatabase(t *testing.T) []string {
	t.Helper()
	pgtest.SkipWithout(t)
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Remove)
	w := NewWorld(t)
	owner := server.URL(pgtest.Owner, "confab")
	r := w.Must(0, "history", "migrate", "--dry-run", "--url", owner)
	if !strings.HasPrefix(r.Out, "would run 0001_first.sql\n") {
		t.Errorf("dry run: %q", r.Out)
	}
	if r := w.Must(0, "history", "migrate", "--url", owner); !strings.HasPrefix(r.Out, "ran 0001_first.sql\n") {
		t.Errorf("migrate: %q", r.Out)
	}
	if r := w.Must(0, "history", "migrate", "--url", owner); r.Out != "the tables are up to date\n" {
		t.Errorf("again: %q", r.Out)
	}
	return []string{"CONFAB_HISTORY_URL=" + server.URL(pgtest.Program, "confab"),
		"CONFAB_HISTORY_PASSWORD=hunter2hunter2"}
}

// Sentinel is a key that looks different in every way of writing it.
const Sentinel = `sk-sen&tinel/"key"+0123456789<abc>`

// Suite writes a suite into the home folder and returns its path.
func (w *World) Suite(name, text string) string {
	w.T.Helper()
	path := filepath.Join(w.Home, name)
	WriteFile(w.T, path, text, 0o600)
	return path
}

// ReadFile returns what a file holds.
func ReadFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const Echoes = `
prompts: [{id: say, raw: 'say {{word}}'}]
providers: [llm:zeta, {id: 'llm:delta', label: second}]
tests:
  - vars: {word: [yes, no]}
    assert: [{type: contains, value: 'yes'}]
`

// WriteFile writes a file and the folders above it.
func WriteFile[T string | []byte](t *testing.T, path string, text T, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
