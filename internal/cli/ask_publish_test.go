package cli_test

import (
	"bytes"
	"context"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"testing"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
	"confab/service/pictures"
)

// fetchedFiles is what somebody outside got, by path.
type fetchedFiles struct {
	mu  sync.Mutex
	got map[string][]byte
}

func (s *fetchedFiles) add(path string, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.got == nil {
		s.got = map[string][]byte{}
	}
	s.got[path] = b
}

// only returns the one thing that was got.
func (s *fetchedFiles) only(t *testing.T) (path string, b []byte) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.got) != 1 {
		t.Fatalf("%d things were got, want 1", len(s.got))
	}
	for path, b = range s.got {
	}
	return path, b
}

var guessless = regexp.MustCompile(`^/pics/[a-z2-7]{26}\.png$`)

// newEditWorld is a world whose service is another confab, with a picture that
// confab made and that carries the words it was made from.
func newEditWorld(t *testing.T) (w *clitest.World, picture string) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	there := clitest.NewWorld(t)
	var said clitest.Transcript
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Run(ctx, []string{"serve", "--addr", "127.0.0.1:0"}, there.Env(io.Discard, &said))
	}()
	t.Cleanup(func() { stop(); <-ended })
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	clitest.Eventually(t, "the address", func() bool { return address.MatchString(said.String()) })

	w = clitest.NewWorld(t, "CONFAB_BASE_URL="+address.FindString(said.String()), "CONFAB_API_KEY=key-for-tests-0001")
	r := w.Must(0, "ask", "-m", "sim-image", "--json", "my private words")
	picture = clitest.Objects(t, r.Out)[0]["file"].(string)
	if b, err := os.ReadFile(picture); err != nil || !bytes.Contains(b, []byte("private words")) {
		t.Fatal("the file carries no words", err)
	}
	return w, picture
}

// isGreyOf wants the picture of the answer to be the source in grey, which only
// who has fetched it can make.
func isGreyOf(t *testing.T, r clitest.Result, source string) {
	t.Helper()
	j := clitest.Objects(t, r.Out)[0]
	if j["state"] != "done" || j["kind"] != "edit" {
		t.Fatalf("got %v\n%s", j, r.Err)
	}
	sizes := map[string][2]int{}
	for _, path := range []string{j["file"].(string), source} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		size := img.Bounds().Size()
		sizes[path] = [2]int{size.X, size.Y}
		if red, green, blue, _ := img.At(size.X/2, size.Y/2).RGBA(); path != source && (red != green || green != blue) {
			t.Errorf("the middle is %d %d %d, not grey", red, green, blue)
		}
	}
	if sizes[source] != sizes[j["file"].(string)] {
		t.Errorf("sizes %v", sizes)
	}
}

// A whole edit of a local picture by another machine's service, with a command of the user's that uploads, and one
// that takes back.
func TestEditThroughAnUploadCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are shell scripts")
	}
	w, picture := newEditWorld(t)
	dir, bin := t.TempDir(), t.TempDir()
	var outside fetchedFiles
	public := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		b, err := os.ReadFile(filepath.Join(dir, filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(rw, r)
			return
		}
		outside.add(r.URL.Path, b)
		_, _ = rw.Write(b)
	}))
	defer public.Close()
	script := func(name, text string) string {
		t.Helper()
		path := filepath.Join(bin, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\nset -e\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	up := script("up", `cp "$1" `+dir+`/; echo uploading; echo `+public.URL+`/pics/$(basename "$1")`)
	down := script("down", `rm `+dir+`/$(basename "$1")`)
	w.Environ = append(w.Environ, "CONFAB_SERVICE_UPLOAD_COMMAND="+up)
	ask := []string{"ask", "-m", "imageedit", "--image", picture, "--json", "make it grey"}

	clitest.WantTexts(t, w.Must(2, ask...).Err, "will be uploaded by your command up", "until you remove it there",
		"--yes")
	if left := clitest.Files(t, dir); len(left) > 0 {
		t.Fatalf("uploaded before it was allowed: %v", left)
	}
	isGreyOf(t, w.Must(0, append(ask, "--yes")...), picture)
	path, b := outside.only(t)
	wantAsReceived(t, picture, b)
	if !guessless.MatchString(path) {
		t.Errorf("it was uploaded as %s", path)
	}
	if left := clitest.Files(t, dir); len(left) != 1 {
		t.Errorf("there is %v", left)
	}

	w.Environ = append(w.Environ, "CONFAB_SERVICE_WITHDRAW_COMMAND="+down)
	r := w.Must(0, append(ask, "--yes")...)
	isGreyOf(t, r, picture)
	clitest.WantTexts(t, r.Err, "until your command down removes it there, right after the request")
	if left := clitest.Files(t, dir); len(left) != 1 || len(outside.got) != 2 {
		t.Errorf("there is %v, %d pictures were fetched", left, len(outside.got))
	}
	nothingTemporary(t)
}

// wantAsReceived wants what left to be the picture without confab's words.
func wantAsReceived(t *testing.T, picture string, got []byte) {
	t.Helper()
	b, err := os.ReadFile(picture)
	if err != nil || !bytes.Equal(got, pictures.CleanCopy(b)) || bytes.Contains(got, []byte("private words")) {
		t.Errorf("what left (%d bytes) is not the picture as received (%d bytes, %v)", len(got), len(b), err)
	}
}

// nothingTemporary wants no copy of a picture left behind.
func nothingTemporary(t *testing.T) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "confab-of-*", "*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
