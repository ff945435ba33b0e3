package openai

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"confab/internal/fetch"
	"confab/internal/httpclient"
	"confab/internal/netaddr"
	"confab/service/engine"
)

// Options configure an engine. Name and URL are required.
type Options struct {
	Name string // the engine's name in the configuration, used in messages
	URL  string // the server's base URL with its version, such as http://127.0.0.1:11434/v1

	// Key returns the server's API key; nil or "" sends none. It is called for every request, so it should cache.
	Key  func(ctx context.Context) (string, error)
	Mask func(string) string // masks keys in the server's messages; nil masks nothing

	Streams bool // requests texts as streams and emits them as they arrive

	Sizes           []string // supported sizes "<w>x<h>"; none means the model's own, or any
	Pixels          int      // approximate number of pixels if any size is possible; 0 means a megapixel
	TakesSeed       bool     // the server takes a seed, computed from the nonce
	Format          string   // response_format of pictures; "none" omits it, "" selects it by model
	AllowsPlainHTTP bool     // allows plain http to other machines

	ReasoningTags []engine.ReasoningTags // of the reasoning in texts, in addition to known ones

	TLS       *tls.Config       // how the server's certificate is verified; nil means by the system's certificates
	Fetch     *fetch.Fetcher    // fetches pictures at addresses of other servers; nil fetches none
	Transport http.RoundTripper // nil means the engine's own
}

// Limits of a response body, in bytes.
const (
	maxTextBytes    = 8 << 20
	maxStreamBytes  = 512 << 20 // an event of 200 to 600 bytes carries a few bytes of text
	maxPictureBytes = 64 << 20
	maxErrorBytes   = 64 << 10
	maxEventBytes   = maxPictureBytes*4/3 + maxTextBytes // base64 is a third larger
)

// client is the common part of [Chat] and [Images]: the checked options and the transport.
type client struct {
	options Options
	baseURL string // ends in a slash
	http    *http.Client
	details modelDetails
}

func newClient(o Options) (*client, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("engine %s: its url must be an address such as http://127.0.0.1:11434/v1", o.Name)
	}
	if u.Scheme == "http" && !netaddr.IsLoopback(u.Hostname()) && !o.AllowsPlainHTTP {
		return nil, fmt.Errorf("engine %s: its url names another machine by http, by which prompts and the key "+
			"travel readable; use https, or set allow_plain_http", o.Name)
	}
	if o.Key == nil {
		o.Key = func(context.Context) (string, error) { return "", nil }
	}
	if o.Mask == nil {
		o.Mask = func(s string) string { return s }
	}
	t := o.Transport
	if t == nil {
		t = newTransport(o.TLS)
	}
	return &client{options: o, baseURL: strings.TrimRight(o.URL, "/") + "/", http: &http.Client{
		Transport:     limitTransport{t},
		CheckRedirect: refuseRedirect,
	}}, nil
}

func (c *client) Name() string { return c.options.Name }

// refuseRedirect keeps prompts and keys from other servers.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// newTransport returns a transport that closes idle connections earlier than common servers do (uvicorn: 5 s), so
// that a request rarely meets a closing connection. Go repeats such a POST only if no byte was written or the server
// refused it by HTTP/2; no request has an Idempotency-Key, so none is executed twice.
func newTransport(tlsConfig *tls.Config) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		TLSClientConfig:        tlsConfig,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    1 << 20, // keeping every used connection is cheaper than opening one per request
		IdleConnTimeout:        4 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // the limit applies to decoded bytes
	}
}

// postJSON sends fields as JSON. An unsuccessful status is an [engine.Error].
func (c *client) postJSON(ctx context.Context, path, accept string, fields map[string]any) (*http.Response, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	return c.post(ctx, path, accept, "application/json", body, modelOf(fields))
}

// post sends a request. The response body is decompressed and limited.
func (c *client) post(ctx context.Context, path, accept, contentType string, body []byte, model string) (
	*http.Response, error,
) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	key, err := c.options.Key(ctx)
	if err != nil {
		return nil, err
	}
	r, err := newRequest(ctx, http.MethodPost, c.baseURL+path, key, body)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("Content-Type", contentType)
	res, err := c.http.Do(r) // it follows no redirect
	if err != nil {
		return nil, err //nolint:wrapcheck // client.failure converts it
	}
	if res.StatusCode >= 300 {
		defer func() { _ = res.Body.Close() }() // it is read below
		body, _ := io.ReadAll(res.Body)         // at most maxErrorBytes; the status counts if it is cut
		return nil, c.refused(res.StatusCode, res.Header, body, model, "")
	}
	return res, nil
}

// newRequest returns a request with a key, which may be empty.
func newRequest(ctx context.Context, method, url, key string, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err //nolint:wrapcheck // the callers say what the request was for
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	r.Header.Set("User-Agent", "confab")
	return r, nil
}

// limitTransport decompresses and limits the response bodies of a transport.
type limitTransport struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t limitTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client above wraps it
	}
	limit := int64(maxEventBytes)
	switch {
	case res.StatusCode >= 400:
		limit = maxErrorBytes
	case strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream"):
		limit = maxStreamBytes
	}
	res.Body = http.MaxBytesReader(nil, httpclient.Decompress(res.Body), limit)
	return res, nil
}
