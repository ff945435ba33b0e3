package openai

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/option"
)

// Options say which server is asked, and how. Name and URL are required.
type Options struct {
	Name string // of the engine, for messages
	URL  string // up to and with the version: http://127.0.0.1:11434/v1

	// Key returns the server's key; nil or "" sends none. It is asked for
	// before every request and should remember.
	Key  func(ctx context.Context) (string, error)
	Mask func(string) string // takes keys out of what the server says; nil masks nothing

	Stream bool // take texts piece by piece, for servers or proxies that end silent requests

	Sizes    []string // "<w>x<h>" that pictures can have; none: the model's own, or any
	Pixels   int      // about how many, where any size can be had; 0 is a megapixel
	Seed     bool     // the server takes a seed: the nonce becomes one
	Format   string   // response_format of pictures; "none" sends none, "" what the model needs
	Headers  map[string]string
	Insecure bool // allow plain http to other machines

	Transport http.RoundTripper // nil: one of its own
}

// Sizes of what a server may answer, in bytes.
const (
	maxText    = 8 << 20
	maxPicture = 64 << 20
	maxError   = 64 << 10
)

// server is the part that [Chat] and [Images] share.
type server struct {
	o    Options
	base string
	http *http.Client

	always []option.RequestOption
}

func newServer(o Options, most int64) (*server, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("engine %s: its url must be an address such as http://127.0.0.1:11434/v1", o.Name)
	}
	if u.Scheme == "http" && !loopback(u.Hostname()) && !o.Insecure {
		return nil, fmt.Errorf("engine %s: its url names another machine by http, by which prompts and the key travel readable; use https, or set allow_plain_http", o.Name)
	}
	if o.Mask == nil {
		o.Mask = func(s string) string { return s }
	}
	t := o.Transport
	if t == nil {
		t = newTransport()
	}
	all := &server{o: o, base: strings.TrimRight(o.URL, "/") + "/", http: &http.Client{
		Transport: bounded{t, most},
		// A redirect would carry prompt and key elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	all.always = append(all.always, option.WithBaseURL(all.base), option.WithHTTPClient(direct{all.http.Transport}),
		option.WithMaxRetries(0), // what may have been carried out is not repeated
		option.WithHeader("User-Agent", "confab"))
	for name, value := range o.Headers {
		all.always = append(all.always, option.WithHeader(name, value))
	}
	return all, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// newTransport returns one that keeps connections, a little shorter than such
// servers do (uvicorn 5 s), so that a request seldom meets a closing one. Where
// one does, Go sends a POST again only if not a byte of it was written, or the
// server said by HTTP/2 that it did not look at it: nothing is carried out
// twice, as no request has an Idempotency-Key. The rest is told as broken off.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    1 << 20, // as many as were used at once: a new one for each request costs more than they do
		IdleConnTimeout:        4 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // what is counted is what arrives
	}
}

// options returns what every call of the client gets.
func (s *server) options(ctx context.Context) ([]option.RequestOption, error) {
	key, err := s.key(ctx)
	if err != nil || key == "" {
		return s.always, err
	}
	return append(s.always[:len(s.always):len(s.always)], option.WithAPIKey(key)), nil
}

func (s *server) key(ctx context.Context) (string, error) {
	if s.o.Key == nil {
		return "", nil
	}
	return s.o.Key(ctx)
}

// direct is all that is needed of an [http.Client]: it follows no redirect, keeps
// no cookies and copies no header for either.
type direct struct{ http.RoundTripper }

// Do implements the client's interface.
func (d direct) Do(r *http.Request) (*http.Response, error) { return d.RoundTrip(r) } //nolint:wrapcheck // judged by the caller

var errTooMuch = errors.New("the answer is larger than the limit")

// bounded limits the bodies that a transport brings, and leaves out what the
// client would tell of this machine.
type bounded struct {
	http.RoundTripper
	most int64
}

// RoundTrip implements [http.RoundTripper].
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	for name := range r.Header { // made for this request alone
		if strings.HasPrefix(name, "X-Stainless-") {
			delete(r.Header, name)
		}
	}
	// The client wraps the body, by which the transport no longer sees that it is
	// in memory and would send the header before it in a packet of its own.
	if r.Body != nil && r.GetBody != nil {
		plain, err := r.GetBody()
		if err != nil {
			return nil, fmt.Errorf("begin the body: %w", err)
		}
		_ = r.Body.Close() // nothing was read of it
		r.Body = plain
	}
	res, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client above wraps it
	}
	most := b.most
	if res.StatusCode >= 400 {
		most = maxError
	}
	res.Body = &limit{res.Body, most}
	return res, nil
}

type limit struct {
	rest interface {
		Read([]byte) (int, error)
		Close() error
	}
	left int64
}

// Read fails once more than the limit has come.
func (l *limit) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.rest.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n, errTooMuch
	}
	return n, err //nolint:wrapcheck // io.EOF must stay itself
}

// Close implements [io.Closer].
func (l *limit) Close() error { return l.rest.Close() } //nolint:wrapcheck
