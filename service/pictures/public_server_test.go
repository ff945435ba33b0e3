package pictures

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"confab/service/api"
)

// freeAddress returns an address nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func get(t *testing.T, method, url string) (int, http.Header, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	w, err := client.Do(r)
	if err != nil {
		return 0, nil, nil
	}
	defer w.Body.Close()
	b, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.StatusCode, w.Header, b
}

func TestServer(t *testing.T) {
	address := freeAddress(t)
	s, err := NewPublicServer(PublicServerOptions{PublicURL: "http://" + address + "/confab/", Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	path := pictureFile(t, "\xff\xd8\xffone")
	one, release, err := s.Publish(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	two, releaseTwo, err := s.Publish(t.Context(), pictureFile(t, "two"))
	if err != nil {
		t.Fatal(err)
	}
	if one == two || !strings.HasPrefix(one, "http://"+address+"/confab/") || !strings.HasSuffix(one, ".jpg") ||
		len(filepath.Base(one)) < 26 {
		t.Errorf("addresses %s and %s", one, two)
	}
	// What is served is what was chosen, whatever becomes of the file.
	if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, header, body := get(t, "GET", one)
	if status != 200 || string(body) != "\xff\xd8\xffone" || header.Get("Content-Type") != "image/jpeg" ||
		header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %q %v", status, body, header)
	}
	for _, u := range []string{
		"http://" + address + "/", "http://" + address + "/confab/", "http://" + address +
			"/confab/..%2f..%2fetc%2fpasswd", one + "x", path,
	} {
		if !strings.HasPrefix(u, "http") {
			u = "http://" + address + u
		}
		if status, _, body := get(t, "GET", u); status != 404 || bytes.Contains(body, []byte(address)) {
			t.Errorf("%s: got %d %q", u, status, body)
		}
	}
	if status, _, _ := get(t, "POST", one); status != 404 {
		t.Errorf("POST: got %d", status)
	}
	release()
	release()
	if status, _, _ := get(t, "GET", one); status != 404 {
		t.Errorf("after release: got %d", status)
	}
	if status, _, _ := get(t, "GET", two); status != 200 {
		t.Errorf("the other one: got %d", status)
	}
	releaseTwo()
	if status, _, _ := get(t, "GET", two); status != 0 {
		t.Errorf("with nothing published it answers %d", status)
	}
	three, release, err := s.Publish(t.Context(), pictureFile(t, "three"))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if status, _, body := get(t, "GET", three); status != 200 || string(body) != "three" {
		t.Errorf("published anew: got %d %q", status, body)
	}
}

func TestServerRefuses(t *testing.T) {
	for _, o := range []PublicServerOptions{
		{PublicURL: "ftp://h", Listen: ":1"}, {PublicURL: "h.example", Listen: ":1"}, {PublicURL: "http://h.example"},
		{PublicURL: "http://me:x@h.example", Listen: ":1"}, {PublicURL: "http://h.example?x=1", Listen: ":1"},
	} {
		if _, err := NewPublicServer(o); api.CodeOf(err) != api.CodeConfig {
			t.Errorf("%+v: got %v", o, err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, err := NewPublicServer(PublicServerOptions{PublicURL: "http://h.example", Listen: l.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Publish(t.Context(), pictureFile(t, "x")); api.CodeOf(err) != api.CodeConfig {
		t.Errorf("a taken address: %v", err)
	}
	if _, _, err := s.Publish(t.Context(), "/nowhere.png"); api.CodeOf(err) != api.CodeDisk {
		t.Errorf("a missing file: %v", err)
	}
}

func TestServerTakesOnlySoManyConnections(t *testing.T) {
	address := freeAddress(t)
	s, err := NewPublicServer(PublicServerOptions{PublicURL: "http://" + address, Listen: address})
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	u, release, err := s.Publish(t.Context(), pictureFile(t, "x"))
	if err != nil {
		t.Fatal(err)
	}
	var silent []net.Conn
	for range maxConns {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		silent = append(silent, c)
	}
	short := http.Client{Timeout: 100 * time.Millisecond}
	if r, err := short.Get(u); err == nil {
		r.Body.Close()
		t.Errorf("one connection too many got %d", r.StatusCode)
	}
	short.CloseIdleConnections()
	for _, c := range silent[:2] {
		c.Close()
	}
	for status := 0; status != 200; { // the server notices when it notices
		status, _, _ = get(t, "GET", u)
	}
	release()
	for runtime.NumGoroutine() > before+1 {
		runtime.Gosched()
	}
}
