package server

import (
	"context"
	"errors"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"golang.org/x/sync/semaphore"

	"confab/internal/fetch"
	"confab/service/engine"
	"confab/service/engine/enginetest"
	"confab/service/engine/offline"
)

// lookup knows a host with a public address and one with a private.
func lookup(_ context.Context, host string) ([]netip.Addr, error) {
	switch host {
	case "good.example":
		return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
	case "inward.example":
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// unlimitedReservation is a reservation that is never refused.
func unlimitedReservation() *reservation { return &reservation{memory: semaphore.NewWeighted(1 << 40)} }

// TestSourcesAreBoundedTogether edits a picture while other requests hold the memory for sources.
func TestSourcesAreBoundedTogether(t *testing.T) {
	picture := enginetest.Source(t, 12, 8, false)
	var local LocalPictures
	url, _ := local.Add(func(context.Context) ([]byte, error) { return picture, nil })
	s, err := New(Options{Engine: offline.New(offline.Options{Speed: math.Inf(1)}), Access: Access{IsOwnerOnly: true},
		LocalPictures: &local})
	if err != nil {
		t.Fatal(err)
	}
	edit := func() int {
		r := httptest.NewRequest(http.MethodPost, "/api/generative/imageedit",
			strings.NewReader(`{"apikey":"k","prompt":"grey","imageUrl":"`+url+`"}`))
		r.Host = "localhost"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w.Code
	}
	others := int64(sourceMemory - len(picture) + 1)
	if !s.memory.TryAcquire(others) {
		t.Fatal("the memory is not free")
	}
	if got := edit(); got != 429 {
		t.Errorf("with a byte less than it takes: %d", got)
	}
	s.memory.Release(1)
	for range 2 { // it gives back what it took
		if got := edit(); got != 200 {
			t.Errorf("with as much as it takes: %d", got)
		}
	}
	s.memory.Release(others - 1)
	if got := edit(); got != 200 {
		t.Errorf("with all of it: %d", got)
	}
	if !s.memory.TryAcquire(sourceMemory) {
		t.Error("an edit that has ended holds memory")
	}
}

func TestRefusedAndDeadLookTheSame(t *testing.T) {
	s := &Server{fetcher: fetch.New(fetch.Options{Lookup: lookup,
		Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("dead") }})}
	var said string
	for _, raw := range []string{"http://127.0.0.1/", "http://10.0.0.1/", "http://inward.example/",
		"file:///etc/passwd", "", "http://good.example:22/", "http://good.example/", "http://unknown.example/"} {
		_, err := s.source(t.Context(), raw, unlimitedReservation())
		var r *engine.Error
		if !errors.As(err, &r) || r.Status != 422 || r.Code != "image_unreachable" {
			t.Errorf("%q: %v", raw, err)
			continue
		}
		if said == "" {
			said = r.Message
		}
		if r.Message != said {
			t.Errorf("%q is told %q, others %q", raw, r.Message, said)
		}
	}
}

// loopbackDial connects to a test server whatever public address is asked.
func loopbackDial(to string, dialled *[]string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, address string) (net.Conn, error) {
		*dialled = append(*dialled, address)
		return (&net.Dialer{}).DialContext(ctx, "tcp", to)
	}
}

func TestFetchedSources(t *testing.T) {
	picture := enginetest.Source(t, 12, 8, false)
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the inner server was asked")
	}))
	defer inner.Close()
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ok.png":
			_, _ = w.Write(picture)
		case "/page":
			_, _ = w.Write([]byte("<html>"))
		case "/away":
			http.Redirect(w, r, inner.URL, http.StatusFound)
		case "/huge":
			w.Header().Set("Content-Length", "68719476736")
			_, _ = w.Write(picture)
		case "/endless":
			_, _ = w.Write(make([]byte, maxPicture+1))
		default:
			http.NotFound(w, r)
		}
	}))
	defer outer.Close()
	for _, c := range []struct{ name, url, code string }{
		{"a picture", "http://good.example/ok.png", ""},
		{"at its own port", "http://good.example:80/ok.png", ""},
		{"a page", "http://good.example/page", "bad_image"},
		{"a redirect inwards", "http://good.example/away", "image_unreachable"},
		{"not there", "http://good.example/none", "image_unreachable"},
		{"a giant", "http://good.example/huge", "too_large"},
		{"a giant that does not say so", "http://good.example/endless", "too_large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var dialled []string
			s := &Server{fetcher: fetch.New(fetch.Options{Lookup: lookup,
				Dial: loopbackDial(outer.Listener.Addr().String(), &dialled)})}
			b, err := s.source(t.Context(), c.url, unlimitedReservation())
			var r *engine.Error
			switch {
			case c.code == "" && (err != nil || string(b) != string(picture)):
				t.Errorf("got %d bytes, %v", len(b), err)
			case c.code != "" && (!errors.As(err, &r) || r.Code != c.code):
				t.Errorf("got %v, want %s", err, c.code)
			}
			if len(dialled) != 1 || dialled[0] != "93.184.216.34:80" {
				t.Errorf("dialled %v", dialled)
			}
		})
	}
}
