package server_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"confab/service/server"
)

// heldBody is a body that stops before its last bytes until it is released.
type heldBody struct {
	beginning io.Reader
	reached   chan struct{} // closed where the body stops
	release   <-chan struct{}
	end       io.Reader
	once      sync.Once
}

func (h *heldBody) Read(b []byte) (int, error) {
	if n, err := h.beginning.Read(b); err == nil {
		return n, nil
	}
	h.once.Do(func() { close(h.reached) })
	<-h.release
	return h.end.Read(b)
}

// send posts a body from a reader.
func send(h http.Handler, body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/api/llm/delta", body)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestFewStrangersAreReadAtATime holds long requests whose key comes last: four are read at a time, and callers whose
// key comes first are served meanwhile.
func TestFewStrangersAreReadAtATime(t *testing.T) {
	h := handler(t, server.Options{})
	long := strings.Repeat("x", 3<<20)
	last := func(key string) (beginning, end string) {
		return `{"prompt":"` + long + `"`, `,"apikey":"` + key + `"}`
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	release := make(chan struct{})
	codes := make(chan int)
	beginning, end := last("sk-wrong-0123456789")
	for range 4 {
		one := &heldBody{beginning: strings.NewReader(beginning), reached: make(chan struct{}), release: release,
			end: strings.NewReader(end)}
		go func() { codes <- send(h, one).Code }()
		<-one.reached
	}
	beginning, end = last(key)
	if w := send(h, strings.NewReader(beginning+end)); w.Code != 429 || w.Header().Get("Retry-After") == "" ||
		!strings.Contains(w.Body.String(), "rate_limited") {
		t.Errorf("one more: got %d %.200s", w.Code, w.Body)
	}
	if w := send(h, strings.NewReader(`{"apikey":"`+key+`","prompt":"`+long+`"}`)); w.Code != 200 {
		t.Errorf("with the key first: got %d %.200s", w.Code, w.Body)
	}
	if w := send(h, strings.NewReader(ask)); w.Code != 200 {
		t.Errorf("a short one: got %d %.200s", w.Code, w.Body)
	}
	runtime.GC()
	if runtime.ReadMemStats(&now); now.HeapAlloc > before.HeapAlloc+64<<20 {
		t.Errorf("%d MiB for four strangers", (now.HeapAlloc-before.HeapAlloc)>>20)
	}
	close(release)
	for range 4 {
		if code := <-codes; code != 401 {
			t.Errorf("a wrong key: got %d", code)
		}
	}
	if w := send(h, strings.NewReader(beginning+end)); w.Code != 200 {
		t.Errorf("when they have gone: got %d %.200s", w.Code, w.Body)
	}
}

// counted counts what is read of it.
type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += n
	return n, err
}

// TestAWrongKeyIsRefusedBeforeTheRestIsRead counts what is read of long requests.
func TestAWrongKeyIsRefusedBeforeTheRestIsRead(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	for _, tt := range []struct {
		name, body string
		code       int
		isRead     bool
	}{
		{"a wrong key first", `{"apikey":"sk-wrong-0123456789","prompt":"` + long + `"}`, 401, false},
		{"after a short prompt", `{"prompt":"p","params":{"stop":["}"]},"apikey":"sk-wrong-0123456789","x":"` + long + `"}`, 401,
			false},
		{"the right key first", `{"apikey":"` + key + `","prompt":"` + long + `"}`, 200, true},
		{"the right one, then a wrong one", `{"apikey":"` + key + `","prompt":"` + long + `","apikey":"sk-wrong-0123456789"}`,
			401, true},
		{"a key that is none", `{"apikey":7,"prompt":"` + long + `"}`, 400, true},
		{"no JSON", long, 400, true},
		{"in an object inside", `{"params":{"apikey":"` + key + `"},"prompt":"` + long + `"}`, 400, true},
		{"exactly the beginning", (`{"apikey":"` + key + `","prompt":"` + long)[:16<<10-2] + `"}`, 200, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &counted{Reader: strings.NewReader(tt.body)}
			w := send(handler(t, server.Options{}), c)
			if w.Code != tt.code || tt.isRead != (c.n == len(tt.body)) || !tt.isRead && c.n > 16<<10 ||
				!tt.isRead && w.Header().Get("Connection") != "close" {
				t.Errorf("got %d after %d bytes of %d, want %d: %.200s", w.Code, c.n, len(tt.body), tt.code, w.Body)
			}
		})
	}
}
