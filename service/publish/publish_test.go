package publish

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"confab/internal/secret"
	"confab/service/api"
)

const sentinel = "sk-sentinel-0123456789abcdef"

// TestMain makes this program the upload command of its own tests.
func TestMain(m *testing.M) {
	switch os.Getenv("CONFAB_TEST_UPLOAD") {
	case "":
		os.Exit(m.Run())
	case "ok":
		b, err := os.ReadFile(os.Args[len(os.Args)-1])
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString("uploading…\nhttps://up.example/" + string(b) + "?args=" + strings.Join(os.Args[1:len(os.Args)-1], "+") + "\n\n")
	case "environ":
		os.Stdout.WriteString("https://up.example/?" + strings.Join(os.Environ(), "&"))
	case "fail":
		os.Stderr.WriteString("first\nno room for " + sentinel + "\n")
		os.Exit(3)
	case "hang":
		select {}
	case "flood":
		os.Stdout.WriteString(strings.Repeat("x", 1<<20) + "\nhttps://up.example/flood\n")
	case "no url":
		os.Stdout.WriteString("file:///etc/passwd\n")
	}
}

func pictureFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b;$(x).png")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func command(t *testing.T, mode string, args ...string) *Command {
	t.Helper()
	c, err := NewCommand(CommandOptions{
		Args: append([]string{os.Args[0]}, args...), Timeout: 20 * time.Second,
		Environ: []string{"CONFAB_TEST_UPLOAD=" + mode, "CONFAB_API_KEY=" + sentinel, "OTHER=x" + sentinel, "PLAIN=yes"},
		Mask:    secret.NewMasker(sentinel),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCommand(t *testing.T) {
	path := pictureFile(t, "content")
	u, release, err := command(t, "ok", "-x", "a b").Publish(t.Context(), path)
	if err != nil || u != "https://up.example/content?args=-x+a b" {
		t.Fatalf("got %q, %v", u, err)
	}
	release()
	if u, _, err := command(t, "ok", "-x", "{file}").Publish(t.Context(), path); err != nil || u != "https://up.example/content?args=-x" {
		t.Errorf("with a placeholder: got %q, %v", u, err)
	}
	if u, _, err := command(t, "flood").Publish(t.Context(), path); err != nil || u != "https://up.example/flood" {
		t.Errorf("after much output: got %q, %v", u, err)
	}
	u, _, err = command(t, "environ").Publish(t.Context(), path)
	if err != nil || !strings.Contains(u, "PLAIN=yes") || strings.Contains(u, sentinel) || strings.Contains(u, "OTHER") || strings.Contains(u, "CONFAB_API_KEY") {
		t.Errorf("the program saw %q (%v)", u, err)
	}
	if plan := command(t, "ok").Plan(path); !strings.Contains(plan, filepath.Base(path)) || !strings.Contains(plan, filepath.Base(os.Args[0])) {
		t.Errorf("plan %q", plan)
	}
}

func TestCommandThatFails(t *testing.T) {
	path := pictureFile(t, "content")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	quick := command(t, "hang")
	quick.o.Timeout = 50 * time.Millisecond
	missing, err := NewCommand(CommandOptions{Args: []string{"/nowhere/at-all"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		ctx  context.Context
		c    *Command
		code api.Code
		says string
	}{
		"status":    {t.Context(), command(t, "fail"), api.CodeImageUnreachable, "status 3 and said: no room for "},
		"no url":    {t.Context(), command(t, "no url"), api.CodeImageUnreachable, "no http"},
		"time-out":  {t.Context(), quick, api.CodeTimeout, "longer than 50ms"},
		"cancelled": {over, command(t, "hang"), api.CodeCancelled, "cancelled"},
		"missing":   {t.Context(), missing, api.CodeConfig, "at-all"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := tt.c.Publish(tt.ctx, path)
			if api.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), sentinel) {
				t.Errorf("got %v, want %s with %q", err, tt.code, tt.says)
			}
		})
	}
	if _, err := NewCommand(CommandOptions{}); api.CodeOf(err) != api.CodeConfig {
		t.Errorf("without a program: %v", err)
	}
}

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
	s, err := NewServer(ServerOptions{PublicURL: "http://" + address + "/confab/", Listen: address})
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
	if one == two || !strings.HasPrefix(one, "http://"+address+"/confab/") || !strings.HasSuffix(one, ".jpg") || len(filepath.Base(one)) < 26 {
		t.Errorf("addresses %s and %s", one, two)
	}
	// What is served is what was chosen, whatever becomes of the file.
	if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, header, body := get(t, "GET", one)
	if status != 200 || string(body) != "\xff\xd8\xffone" || header.Get("Content-Type") != "image/jpeg" || header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %q %v", status, body, header)
	}
	for _, u := range []string{
		"http://" + address + "/", "http://" + address + "/confab/", "http://" + address + "/confab/..%2f..%2fetc%2fpasswd", one + "x", path,
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
	for _, o := range []ServerOptions{
		{PublicURL: "ftp://h", Listen: ":1"}, {PublicURL: "h.example", Listen: ":1"}, {PublicURL: "http://h.example"},
		{PublicURL: "http://me:x@h.example", Listen: ":1"}, {PublicURL: "http://h.example?x=1", Listen: ":1"},
	} {
		if _, err := NewServer(o); api.CodeOf(err) != api.CodeConfig {
			t.Errorf("%+v: got %v", o, err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, err := NewServer(ServerOptions{PublicURL: "http://h.example", Listen: l.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Publish(t.Context(), pictureFile(t, "x")); api.CodeOf(err) != api.CodeConfig {
		t.Errorf("a taken address: %v", err)
	}
	if _, _, err := s.Publish(t.Context(), "/nowhere.png"); api.CodeOf(err) != api.CodeUsage {
		t.Errorf("a missing file: %v", err)
	}
}

func TestServerTakesOnlySoManyConnections(t *testing.T) {
	address := freeAddress(t)
	s, err := NewServer(ServerOptions{PublicURL: "http://" + address, Listen: address})
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
	if status, _, _ := get(t, "GET", u); status != 0 {
		t.Errorf("one connection too many got %d", status)
	}
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
