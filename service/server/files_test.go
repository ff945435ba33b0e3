package server_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/service/engine/enginetest"
	"confab/service/server"
)

func write(t *testing.T, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func noDial(t *testing.T) func(context.Context, string, string) (net.Conn, error) {
	return func(_ context.Context, _, address string) (net.Conn, error) {
		t.Errorf("a connection to %s was opened", address)
		return nil, net.ErrClosed
	}
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w
}

func TestPublishedPictures(t *testing.T) {
	files := server.NewFiles()
	h := handler(t, server.Options{Files: files})
	source := enginetest.Source(t, 8, 8, true)
	path := write(t, "a.png", source) // the bytes decide, not the name
	one, release, err := files.Publish(path)
	if err != nil {
		t.Fatal(err)
	}
	two, releaseTwo, err := files.Publish(path)
	if err != nil {
		t.Fatal(err)
	}
	defer releaseTwo()
	if one == two || len(one) < len("/pictures/")+22 {
		t.Errorf("the names %q and %q can be guessed", one, two)
	}
	w := get(h, one)
	if w.Code != 200 || w.Header().Get("Content-Type") != "image/jpeg" || w.Body.String() != string(source) {
		t.Errorf("got %d %v, %d bytes", w.Code, w.Header(), w.Body.Len())
	}
	for _, other := range []string{"/pictures/", "/pictures/../" + path, "/pictures/" + filepath.Base(path),
		one + "/",
		one + "x", "/pictures/%2e%2e%2fetc%2fpasswd", strings.ToLower(one)} {
		if w := get(h, other); w.Code != 404 {
			t.Errorf("%s got %d", other, w.Code)
		}
	}
	if w := post(h, one, "{}"); w.Code != 405 || w.Header().Get("Allow") != "GET" {
		t.Errorf("POST got %d", w.Code)
	}
	release()
	release()
	if w := get(h, one); w.Code != 404 {
		t.Errorf("a released picture got %d", w.Code)
	}
	if w := get(h, two); w.Code != 200 {
		t.Errorf("releasing one name took the other: %d", w.Code)
	}
	if err := os.Rename(write(t, "b.png", source), path); err != nil {
		t.Fatal(err)
	}
	if w := get(h, two); w.Code != 404 {
		t.Errorf("another file in the place of the chosen one got %d", w.Code)
	}
}

func TestWhatIsNotPublished(t *testing.T) {
	files := server.NewFiles()
	for name, path := range map[string]string{
		"text": write(t, "a.png", []byte("no picture")), "empty": write(t, "b.png",
			nil), "folder": t.TempDir(), "missing": filepath.Join(t.TempDir(), "none.png"),
	} {
		if at, _, err := files.Publish(path); err == nil {
			t.Errorf("%s was published at %s", name, at)
		}
	}
}
