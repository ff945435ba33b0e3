package api_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/internal/testserver"
	"confab/service/api"
)

func TestNewClientJudgesTheAddress(t *testing.T) {
	for _, tt := range []struct {
		base  string
		plain bool
		key   string
		code  api.Code
		says  string
		host  string
	}{
		{"https://service.example", false, "k", "", "", "service.example"},
		{"https://service.example:8443/a/b/", false, "k", "", "", "service.example:8443"},
		{" https://service.example\n", false, "k", "", "", "service.example"},
		{"http://127.0.0.1:80", false, "k", "", "", "127.0.0.1:80"},
		{"http://localhost/x", false, "k", "", "", "localhost"},
		{"http://[::1]:80", false, "k", "", "", "[::1]:80"},
		{"http://service.example", true, "k", "", "", "service.example"},
		{"http://service.example", false, "k", api.CodeConfig, "use https", ""},
		{"http://127.0.0.1.evil.example", false, "k", api.CodeConfig, "use https", ""},
		{"http://10.0.0.1", false, "k", api.CodeConfig, "use https", ""},
		{"http://[::ffff:10.0.0.1]", false, "k", api.CodeConfig, "use https", ""},
		{"", false, "k", api.CodeConfig, "no base_url", ""},
		{"service.example", false, "k", api.CodeConfig, "begin with https://", ""},
		{"ftp://service.example", false, "k", api.CodeConfig, "begin with https://", ""},
		{"https://", false, "k", api.CodeConfig, "no host", ""},
		{"https://:443", false, "k", api.CodeConfig, "no host", ""},
		{"https://a:b@service.example", false, "k", api.CodeConfig, "password", ""},
		{"https://service.example/?key=1", false, "k", api.CodeConfig, "?", ""},
		{"https://service.example/#x", false, "k", api.CodeConfig, "#", ""},
		{"https://serv\x1b[2Jice.example", false, "k", api.CodeConfig, "cannot be read", ""},
		{"https://service.example", false, "", api.CodeConfig, "no API key", ""},
	} {
		t.Run(tt.base, func(t *testing.T) {
			c, err := api.NewClient(api.Options{BaseURL: tt.base, APIKey: tt.key, AllowsPlainHTTP: tt.plain})
			if api.CodeOf(err) != tt.code || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("got %v, want %q %q", err, tt.code, tt.says)
			}
			if err != nil {
				judgeSentence(t, err.(*api.Error).Message)
				return
			}
			if c.Host() != tt.host {
				t.Errorf("got host %q, want %q", c.Host(), tt.host)
			}
		})
	}
}

func TestRequestIsWhatTheContractSays(t *testing.T) {
	s := testserver.New(t)
	for _, tt := range []struct {
		base, want string
		request    api.Request
	}{
		{s.URL, "/api/llm/ok", textTo("ok")},
		{s.URL + "/", "/api/llm/ok", textTo("ok")},
		{s.URL + "/v1/x", "/v1/x/api/generative/ok", imageTo("ok")},
		{s.URL + "/v1/x//", "/v1/x/api/generative/ok",
			api.Request{Model: api.Model{Slug: "ok", Kind: api.Edit}, Prompt: "p", ImageURL: "u"}},
	} {
		s.Forget()
		_, exchange, err := newClient(t, tt.base, nil).Do(t.Context(), tt.request, nil)
		if err != nil {
			t.Fatalf("do: %v", err)
		}
		seen := s.Seen()[0]
		want, _ := tt.request.Body(testKey)
		if seen.Path != tt.want || seen.Body != string(want) || seen.Method != "POST" || seen.Proto != "HTTP/1.1" {
			t.Errorf("got %s %s %s, want %s %s", seen.Method, seen.Path, seen.Body, tt.want, want)
		}
		if h := seen.Header; h.Get("Content-Type") != "application/json" || h.Get("Accept-Encoding") != "" ||
			h.Get("User-Agent") != "confab" || h.Get("Content-Length") != fmt.Sprint(len(want)) {
			t.Errorf("got header %v", h)
		}
		if !strings.HasPrefix(exchange.RequestBody, `{"apikey":"••••","prompt":"`) || exchange.URL != s.URL+tt.want ||
			exchange.Method != "POST" || exchange.Status != 200 || exchange.Proto != "HTTP/1.1" {
			t.Errorf("got exchange %+v", exchange)
		}
		if exchange.Attempts != 1 || exchange.Received == 0 || exchange.Total <= 0 || exchange.FirstByte <= 0 ||
			exchange.FirstByte > exchange.Total || exchange.Connect <= 0 {
			t.Errorf("got exchange %+v", exchange)
		}
	}
}

func TestEveryCallHasAConnectionOfItsOwn(t *testing.T) {
	s := testserver.New(t)
	c := newClient(t, s.URL, nil)
	for range 3 {
		if _, _, err := c.Do(t.Context(), textTo("keepalive"), nil); err != nil {
			t.Fatalf("do: %v", err)
		}
	}
	if s.Connections() != 3 || len(s.Seen()) != 3 {
		t.Errorf("got %d connections for %d requests", s.Connections(), len(s.Seen()))
	}
	if !s.Await(time.Second, func() bool { return s.Open() == 0 }) {
		t.Errorf("%d connections are still open", s.Open())
	}
}

func TestALargePromptRefusedEarlyIsABadRequest(t *testing.T) {
	s := testserver.New(t)
	r := textTo("early-413")
	r.Prompt = strings.Repeat("long ", 1<<20)
	for range 5 {
		_, _, err := newClient(t, s.URL, nil).Do(t.Context(), r, nil)
		if api.CodeOf(err) != api.CodeBadRequest || !strings.Contains(err.Error(), "413") {
			t.Fatalf("got %v, want bad_request", err)
		}
	}
	if len(s.Seen()) != 5 {
		t.Errorf("the service saw %d requests", len(s.Seen()))
	}
}

func TestCancellingClosesTheConnectionAtOnce(t *testing.T) {
	for _, name := range []string{"hang", "stall-start", "stall-body", "late", "accept-stall", "slow-header",
		"slow-body",
		"endless-chunked", "stall-error"} {
		t.Run(name, func(t *testing.T) {
			s := testserver.New(t)
			if name == "accept-stall" {
				s.SetBehaviour(name)
			}
			c := newClient(t, s.URL, func(o *api.Options) { o.Limits.JSON = 1 << 40 })
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				_, exchange, err := c.Do(ctx, textTo(name), nil)
				judgeKey(t, exchange, err)
				ended <- err
			}()
			if !s.Await(5*time.Second,
				func() bool { return len(s.Seen()) == 1 || name == "accept-stall" && s.Open() == 1 }) {
				t.Fatal("no request came")
			}
			cancel()
			if !s.Await(500*time.Millisecond, func() bool { return s.Open() == 0 }) {
				t.Error("the service did not see the connection close within 500 ms")
			}
			err := <-ended
			if api.CodeOf(err) != api.CodeCancelled || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want cancelled", err)
			}
		})
	}
}

func TestCertificatesAreVerified(t *testing.T) {
	for _, tt := range []struct {
		name, certificate string
		trusted           bool
		code              api.Code
		says              string
	}{
		{"right", "127.0.0.1", true, "", ""},
		{"unknown issuer", "127.0.0.1", false, api.CodeNetwork, "was issued by someone this machine does not know"},
		{"wrong name", "elsewhere.example", true, api.CodeNetwork, "is for another name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := testserver.New(t)
			base, trust := s.StartTLS(t, tt.certificate)
			if !tt.trusted {
				trust = nil
			}
			c := newClient(t, base, func(o *api.Options) { o.TLS = trust })
			_, exchange, err := c.Do(t.Context(), textTo("ok"), nil)
			if api.CodeOf(err) != tt.code || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %q %q", err, tt.code, tt.says)
			}
			if err != nil {
				judgeSentence(t, err.(*api.Error).Message)
				if s.Connections() != 1 || len(s.Seen()) != 0 {
					t.Errorf("%d connections, %d requests", s.Connections(), len(s.Seen()))
				}
			}
			judgeKey(t, exchange, err)
		})
	}
}

func TestTLSIsAsHostile(t *testing.T) {
	s := testserver.New(t)
	base, trust := s.StartTLS(t, "127.0.0.1")
	for name, code := range map[string]api.Code{
		"redirect-308-http": api.CodeBadResponse, "close": api.CodeNetwork, "garbage": api.CodeBadResponse,
		"truncate-cl": api.CodeNetwork,
		"early-413":   api.CodeBadRequest, "header-flood": api.CodeBadResponse, "ok": "",
	} {
		s.Forget()
		_, _, err := newClient(t, base, func(o *api.Options) { o.TLS = trust }).Do(t.Context(), textTo(name), nil)
		if api.CodeOf(err) != code {
			t.Errorf("%s: got %v, want %q", name, err, code)
		}
		for _, seen := range s.Seen() {
			if !seen.TLS {
				t.Errorf("%s: the plain listener saw %s", name, seen.Path)
			}
		}
		if s.Connections() != 1 {
			t.Errorf("%s: got %d connections, want 1", name, s.Connections())
		}
	}
}

func TestWrongSchemes(t *testing.T) {
	s := testserver.New(t)
	secure, _ := s.StartTLS(t, "127.0.0.1")
	for base, code := range map[string]api.Code{
		strings.Replace(s.URL, "http:", "https:", 1):  api.CodeNetwork,
		strings.Replace(secure, "https:", "http:", 1): api.CodeNetwork,
	} {
		_, _, err := newClient(t, base, nil).Do(t.Context(), textTo("ok"), nil)
		if api.CodeOf(err) != code {
			t.Errorf("%s: got %v, want %q", base, err, code)
			continue
		}
		judgeSentence(t, err.(*api.Error).Message)
	}
}

func TestProxies(t *testing.T) {
	s := testserver.New(t)
	proxy, _ := url.Parse(s.URL)
	through := func(o *api.Options) {
		o.AllowsPlainHTTP = true
		o.Proxy = http.ProxyURL(proxy)
	}
	if _, _, err := newClient(t, "http://service.example/x", through).Do(t.Context(), textTo("ok"), nil); err != nil {
		t.Errorf("through a proxy: %v", err)
	}
	if seen := s.Seen(); len(seen) != 1 || seen[0].Path != "/x/api/llm/ok" {
		t.Errorf("the proxy saw %+v", seen)
	}
	connects := make(chan string, 1)
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		connects <- fmt.Sprint(r.Method, " ", r.Host, r.Header, string(body))
		w.WriteHeader(http.StatusProxyAuthRequired)
	}))
	defer refusing.Close()
	proxy, _ = url.Parse(refusing.URL)
	_, _, err := newClient(t, "https://service.example", through).Do(t.Context(), textTo("ok"), nil)
	if api.CodeOf(err) != api.CodeNetwork ||
		!strings.Contains(err.Error(), "The proxy refused to connect to service.example") {
		t.Errorf("refusing proxy: got %v", err)
	}
	if seen := <-connects; !strings.HasPrefix(seen, "CONNECT service.example:443") || strings.Contains(seen, testKey) {
		t.Errorf("the proxy saw %s", seen)
	}
}

func TestNothingListens(t *testing.T) {
	s := testserver.New(t)
	s.Close()
	var attempts []int
	var waits []api.Code
	_, exchange, err := newClient(t, s.URL, nil).Do(t.Context(), textTo("ok"), func(p api.Progress) {
		if p.RetryAt.IsZero() {
			attempts = append(attempts, p.Attempt)
		} else {
			waits = append(waits, p.Failure)
		}
	})
	if !slices.Equal(waits, []api.Code{api.CodeNetwork, api.CodeNetwork}) {
		t.Errorf("waits after the failures %v", waits)
	}
	if api.CodeOf(err) != api.CodeNetwork || !strings.Contains(err.Error(), "Nothing answers at 127.0.0.1:") {
		t.Errorf("got %v", err)
	}
	if fmt.Sprint(attempts) != "[1 2 3]" || exchange.Attempts != 3 || exchange.Status != 0 {
		t.Errorf("got attempts %v, exchange %+v", attempts, exchange)
	}
}

func TestTheKeyIsNotPrinted(t *testing.T) {
	o := api.Options{BaseURL: "https://service.example", APIKey: testKey, TLS: &tls.Config{}}
	c, err := api.NewClient(o)
	judgeKey(t, c, *c, o, &o, err)
}

func TestImageUnreachable(t *testing.T) {
	s := testserver.New(t)
	r := api.Request{Model: api.Model{Slug: "image-unreachable", Kind: api.Edit}, Prompt: "p",
		ImageURL: "http://x.example/1.png"}
	_, _, err := newClient(t, s.URL, nil).Do(t.Context(), r, nil)
	if api.CodeOf(err) != api.CodeImageUnreachable {
		t.Errorf("got %v", err)
	}
	_, _, err = newClient(t, s.URL, nil).Do(t.Context(), textTo("image-unreachable"), nil)
	if api.CodeOf(err) != api.CodeBadRequest {
		t.Errorf("a text: got %v", err)
	}
}

func TestCachedIsTold(t *testing.T) {
	s := testserver.New(t)
	c := newClient(t, s.URL, nil)
	for name, want := range map[string]bool{"ok": false, "cached": true} {
		if r, _, err := c.Do(t.Context(), imageTo(name), nil); err != nil || r.IsCached != want {
			t.Errorf("%s: got %v, %v", name, r.IsCached, err)
		}
	}
}

func TestProgressCountsBytes(t *testing.T) {
	s := testserver.New(t)
	var last api.Progress
	r, exchange, err := newClient(t, s.URL, nil).Do(t.Context(), textTo("slow-body"), func(p api.Progress) {
		if p.Received < last.Received || p.Attempt != 1 {
			t.Errorf("got %+v after %+v", p, last)
		}
		last = p
	})
	if err != nil || last.Received != exchange.Received || r.Text != "An answer." {
		t.Errorf("got %+v, %d received, %v", last, exchange.Received, err)
	}
}

// TestABrokenOffHeadDoesNotHoldHalfAKey asks for an echo that lies across the
// cut of what is kept.
func TestABrokenOffHeadDoesNotHoldHalfAKey(t *testing.T) {
	s := testserver.New(t)
	_, exchange, err := newClient(t, s.URL, nil).Do(t.Context(), textTo("echo-key-late"), nil)
	if err == nil || strings.Contains(exchange.Head, "sk-") {
		t.Errorf("got %v, head ends with %q", err, exchange.Head[len(exchange.Head)-40:])
	}
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
