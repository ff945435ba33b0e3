package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"confab/internal/cli/console"
	"confab/internal/testserver"
	"confab/service/engine/openai"
)

// world is a home folder and what a run has of the outside.
type world struct {
	t       *testing.T
	home    string
	environ []string
	stdin   io.Reader
	signals chan os.Signal
	keyring func(service, user string) (string, error)
	ports   []openai.LocalPort // none, unless a test says so
}

func newWorld(t *testing.T, environ ...string) *world {
	t.Helper()
	home := t.TempDir()
	return &world{
		t: t, home: home,
		environ: append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8"},
			environ...),
		signals: make(chan os.Signal, 2),
		keyring: func(string, string) (string, error) { t.Error("the keyring was asked"); return "", nil },
	}
}

// result is how a run ended.
type result struct {
	code     int
	out, err string
}

func (w *world) env(out, err io.Writer) console.Env {
	return console.Env{Stdin: w.stdin, Stdout: out, Stderr: err, Environ: w.environ, Signals: w.signals,
		Keyring: w.keyring, Speed: math.Inf(1), Version: "test", Ports: append([]openai.LocalPort{}, w.ports...)}
}

// run carries out one call with output to pipes, as it were.
func (w *world) run(args ...string) result {
	w.t.Helper()
	var out, err bytes.Buffer
	code := Run(w.t.Context(), args, w.env(&out, &err))
	return result{code, out.String(), err.String()}
}

// must is run where the exit code is known.
func (w *world) must(code int, args ...string) result {
	w.t.Helper()
	r := w.run(args...)
	if r.code != code {
		w.t.Fatalf("confab %q ended with %d, want %d\nstdout: %s\nstderr: %s", args, r.code, code, r.out, r.err)
	}
	return r
}

// onTerminal carries out one call on a terminal of that width, into which
// typed is typed, and returns what the terminal got of both outputs.
func (w *world) onTerminal(width int, typed string, args ...string) result {
	w.t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		w.t.Skip("no pseudo terminals here:", err)
	}
	defer master.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 40, Cols: uint16(width)}); err != nil {
		w.t.Fatal(err)
	}
	got := &transcript{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(got, master) // ends with an error when the terminal is closed
	}()
	if typed != "" {
		if _, err := io.WriteString(master, typed); err != nil {
			w.t.Fatal(err)
		}
	}
	e := w.env(tty, tty)
	e.Stdin = tty
	code := Run(w.t.Context(), args, e)
	tty.Close()
	<-done
	return result{code: code, out: strings.ReplaceAll(got.String(), "\r\n", "\n")}
}

// transcript is what a terminal got.
type transcript struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

// pipe is a standard input that holds text and ends.
func pipe(t *testing.T, text string) io.Reader {
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

// fakeService is a service on loopback that answers as a function says, keeps the bodies it was sent, and takes nothing
// but the contract.
type fakeService struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []map[string]string
}

func newRemote(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, body map[string]string)) *fakeService {
	t.Helper()
	s := &fakeService{}
	s.Server = httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]string
		b, err := io.ReadAll(r.Body)
		if err == nil && len(b) > 0 {
			err = json.Unmarshal(b, &body)
		}
		if err != nil {
			t.Errorf("a body that is no JSON object of texts: %v", err)
		}
		s.mu.Lock()
		s.bodies = append(s.bodies, body)
		s.mu.Unlock()
		answer(w, r, body)
	})))
	t.Cleanup(s.Close)
	return s
}

// text answers with a text.
func text(w http.ResponseWriter, s string) {
	// texts always marshal
	b, _ := json.Marshal(map[string]any{"status": 200, "data": map[string]string{"text": s, "model": "m"}})
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b)
}

// echo answers with the prompt.
func echo(w http.ResponseWriter, _ *http.Request, body map[string]string) { text(w, body["prompt"]) }

func (s *fakeService) last(t *testing.T) map[string]string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.bodies) == 0 {
		t.Fatal("nothing was sent")
	}
	return s.bodies[len(s.bodies)-1]
}

// remoteWorld is a world whose service is the remote one.
func remoteWorld(t *testing.T, s *fakeService) *world {
	return newWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001")
}

// files returns the paths of all files below a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(contents(t, dir)))
}

// contents returns what every file below a folder holds, by path. A file that vanishes meanwhile, as SQLite's "-shm"
// does when the last screen of a user closes, is left out.
func contents(t *testing.T, dir string) map[string]string {
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

// objects reads JSON objects, one per line.
func objects(t *testing.T, out string) []map[string]any {
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

// eventually waits for something that another goroutine does.
func eventually(t *testing.T, what string, holds func() bool) {
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

func wantTexts(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not in:\n%s", w, text)
		}
	}
}

func wantNoTexts(t *testing.T, text string, unwanted ...string) {
	t.Helper()
	for _, u := range unwanted {
		if strings.Contains(text, u) {
			t.Errorf("%q is in:\n%s", u, text)
		}
	}
}
