package openai_test

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/internal/fetch"
	"confab/internal/httpclient"
	"confab/internal/redact"
	"confab/service/engine"
	"confab/service/engine/enginetest"
	"confab/service/engine/openai"
)

func quiet(s *httptest.Server) *httptest.Server {
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	return s
}

// ask returns the error of an engine.
func ask(t *testing.T, o openai.Options) *engine.Error {
	t.Helper()
	o.Name = "local"
	_, err := newChat(t, o).Text(t.Context(), engine.TextRequest{Model: "m", Prompt: "p"})
	var e *engine.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	return e
}

// TestConnectionsAreToldApart lets connections fail in every way.
func TestConnectionsAreToldApart(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"Hello"}}]}`)
	})
	secure := quiet(httptest.NewUnstartedServer(handler))
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewServer(handler)
	defer plain.Close()
	reset := quiet(httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	})))
	reset.EnableHTTP2 = true
	reset.StartTLS()
	defer reset.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = silent.Close() }()
	alerting, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = alerting.Close() }()
	go func() { // ends with the listener
		for c, err := alerting.Accept(); err == nil; c, err = alerting.Accept() {
			_, _ = c.Read(make([]byte, 1<<10))
			_, _ = c.Write([]byte("\x15\x03\x01\x00\x02\x02\x46")) // OpenSSL's response to plain HTTP
			_ = c.Close()
		}
	}()
	trusted := caFile(t, secure)
	short := &http.Transport{TLSHandshakeTimeout: 50 * time.Millisecond}
	for name, c := range map[string]struct {
		o    openai.Options
		want string
	}{
		"an unknown issuer": {openai.Options{URL: secure.URL}, "issued by someone this machine does not know"},
		"its own issuer":    {openai.Options{URL: secure.URL, TLS: trusted}, ""},
		"another name": {openai.Options{URL: strings.Replace(secure.URL, "127.0.0.1", "localhost", 1), TLS: trusted},
			"for another name"},
		"http to TLS":   {openai.Options{URL: "http://" + secure.Listener.Addr().String()}, "begin with https://"},
		"http to alert": {openai.Options{URL: "http://" + alerting.Addr().String()}, "begin with https://"},
		"TLS to http":   {openai.Options{URL: "https://" + plain.Listener.Addr().String()}, "begin with http://"},
		"HTTP/2 reset":  {openai.Options{URL: reset.URL, TLS: caFile(t, reset)}, "reset the stream of HTTP/2"},
		"TLS timeout":   {openai.Options{URL: "https://" + silent.Addr().String(), Transport: short}, "TLS handshake"},
	} {
		t.Run(name, func(t *testing.T) {
			e := ask(t, c.o)
			if c.want == "" && e != nil || c.want != "" && (e == nil || !strings.Contains(e.Message, c.want)) {
				t.Errorf("got %v, want %q", e, c.want)
			}
		})
	}
}

// caFile returns a configuration that trusts a server's own certificate, read from a file.
func caFile(t *testing.T, s *httptest.Server) *tls.Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	b := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	must(t, os.WriteFile(path, b, 0o600))
	c, err := httpclient.TLS(path)
	must(t, err)
	if s.TLS.Certificates[0].Leaf == nil || len(s.Certificate().DNSNames) > 0 {
		c.ServerName = "" // httptest's certificate is for example.com and 127.0.0.1
	}
	return c
}

// TestTheOwnerReadsWhatTheEngineSays lets a server fail with a sentence.
func TestTheOwnerReadsWhatTheEngineSays(t *testing.T) {
	const memory = "model requires more system memory (5.6 GiB) than is available"
	const key = "sk-secret-0123456789"
	long := strings.Repeat("word ", 200)
	for name, c := range map[string]struct {
		status     int
		body, want string
	}{
		"500":          {500, `{"error":{"message":"` + memory + `"}}`, memory},
		"403":          {403, `{"error":{"message":"no access for ` + key + `"}}`, "no access for ●●●"},
		"a split key":  {403, `{"error":"for sk-secret-` + "\u200b" + `0123456789"}`, "for ●●●"},
		"402":          {402, `{"error":{"message":"Insufficient credits"}}`, "Insufficient credits"},
		"404":          {404, `{"error":{"message":"pull it first"}}`, "pull it first"},
		"429":          {429, `{"error":{"message":"slow down"}}`, "slow down"},
		"200":          {200, `{"error":{"message":"` + memory + `"}}`, memory},
		"200 with 429": {200, `{"error":{"code":429,"message":"slow down"}}`, "slow down"},
		"a page": {502, "<html><title>502 Bad\x1b[31m Gateway</title>",
			"a web page, titled “502 Bad[31m Gateway”"},
		"a page with 200": {200, "<html>\n<title>Sign in</title>", "a web page, titled “Sign in”"},
		"a text with 200": {200, "upstream is away", "upstream is away"},
		"a text":          {500, "Internal Server Error", "Internal Server Error"},
		"a list":          {503, `[{"error":{"message":"UNAVAILABLE"}}]`, "UNAVAILABLE"},
		"nested":          {500, `{"error":{"metadata":{},"message":"{\"detail\":\"deep\"}"}}`, "deep"},
		"a long one":      {500, `{"error":"` + long + `"}`, strings.TrimSpace(long[:299])},
		"only its type":   {500, `{"error":{"type":"overloaded_error"}}`, "overloaded_error"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}))
		e := ask(t, openai.Options{URL: s.URL, Mask: redact.NewEchoMasker(key).String})
		s.Close()
		if e == nil || !strings.HasPrefix(e.Detail, strings.ReplaceAll(c.want, "●●●", redact.Dots)) ||
			len([]rune(e.Detail)) > 300 || strings.Contains(e.Message, c.want) {
			t.Errorf("%s: %+v", name, e)
		}
		if !strings.Contains(e.OwnerMessage(), e.Detail[:4]) || !strings.HasSuffix(e.OwnerMessage(), ".") {
			t.Errorf("%s: the owner reads %q", name, e.OwnerMessage())
		}
		if name == "200 with 429" && (e.Status != 429 || e.Code != "rate_limited") {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// TestWaitsInAllForms parses how long a server asks to wait.
func TestWaitsInAllForms(t *testing.T) {
	for header, want := range map[[2]string]time.Duration{
		{"8s", ""}: 8 * time.Second, {"8", "soon"}: 8 * time.Second, {"8", "500"}: 500 * time.Millisecond,
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", header[0])
			if header[1] != "" {
				w.Header().Set("Retry-After-Ms", header[1])
			}
			w.WriteHeader(429)
		}))
		if e := ask(t, openai.Options{URL: s.URL}); e == nil || e.RetryAfter != want {
			t.Errorf("%q: %+v", header, e)
		}
		s.Close()
	}
}

// TestPicturesInAllForms lets a server return a picture in every form, and one from another host.
func TestPicturesInAllForms(t *testing.T) {
	picture := enginetest.Source(t, 8, 8, false)
	b64 := base64.StdEncoding.EncodeToString(picture)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the key went to another host")
		}
		_, _ = w.Write(picture)
	}))
	defer elsewhere.Close()
	var body, sent string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		sent = string(b)
		if strings.HasPrefix(body, "zip") {
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, body[3:])
			_ = z.Close()
			return
		}
		_, _ = io.WriteString(w, body)
	}))
	defer s.Close()
	guard := fetch.New(fetch.Options{
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
		},
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, elsewhere.Listener.Addr().String())
		},
	})
	e := images(t, openai.Options{Name: "x", URL: s.URL, Fetch: guard,
		Key: func(context.Context) (string, error) { return "sk-0123456789", nil }})
	split := b64[:20] + "\\n" + b64[20:]
	for _, body = range []string{
		`{"data":[{"b64_json":"` + b64 + `"}]}`, `{"data":[{"b64_json":"` + strings.TrimRight(b64, "=") + `"}]}`,
		`{"data":[{"b64_json":"` + strings.NewReplacer("+", "-", "/", "_").Replace(b64) + `"}]}`,
		`{"data":[{"b64_json":"` + split + `"}]}`, `{"data":[{"url":"data:image/png;base64,` + b64 + `"}]}`,
		`{"data":[{"url":"http://cdn.example/x.png"}]}`, `{"data":[{"b64_json":null,"url":"http://cdn.example/x.png"}]}`,
		`{"data":["` + b64 + `"]}`, `{"images":["` + b64 + `"]}`, `{"data":{"b64_json":"` + b64 + `"},"created":1.5}`,
		`{"images":[{"url":"http://cdn.example/x.png"}]}`, "\xef\xbb\xbf" + `{"image":"` + b64 + `"}`, string(picture),
		`{"choices":[{"message":{"images":[{"image_url":{"url":"data:image/png;base64,` + b64 + `"}}]}}]}`,
		`zip{"data":[{"b64_json":"` + b64 + `"}],"error":null}`,
	} {
		p, err := e.Image(t.Context(), engine.ImageRequest{Model: "openai/gpt-image-2", Prompt: "p", Aspect: "3:2"})
		if err != nil || string(p.Bytes) != string(picture) {
			t.Errorf("%.80s: %d bytes, %v", body, len(p.Bytes), err)
		}
		var fields map[string]any
		if json.Unmarshal([]byte(sent), &fields) != nil || fields["response_format"] != nil ||
			fields["size"] != "1536x1024" {
			t.Errorf("sent %s", sent)
		}
	}
	for _, body = range []string{`{"data":[{"url":"http://127.0.0.1:1/x.png"}]}`, `{"data":[{"url":"http://cdn.example:22/"}]}`,
		`{"data":[]}`, `{"data":[{"b64_json":"@@"}]}`, `[]`, ``, `{"error":{"message":"moderation_blocked"}}`,
		`{"data":[{"url":"file:///etc/passwd"}]}`} {
		if _, err := e.Image(t.Context(), engine.ImageRequest{Model: "m", Prompt: "p", Aspect: "1:1"}); err == nil {
			t.Errorf("%s was taken", body)
		}
	}
}
