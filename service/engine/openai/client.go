package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	sdk "github.com/sashabaranov/go-openai"

	"confab/internal/netaddr"
)

// Options configure an engine. Name and URL are required.
type Options struct {
	Name string // the engine's name in the configuration, used in messages
	URL  string // the server's base URL with its version, such as http://127.0.0.1:11434/v1

	// Key returns the server's API key; nil or "" sends none. It is called before every request, so it should cache.
	Key  func(ctx context.Context) (string, error)
	Mask func(string) string // removes keys from what the server says; nil removes nothing

	Streams bool // requests texts as a stream, so that they are emitted as they are written

	Sizes           []string // the picture sizes "<w>x<h>" the server can make; none means the model's own, or any
	Pixels          int      // the approximate number of pixels where any size is possible; 0 means one megapixel
	TakesSeed       bool     // the server takes a seed, which is computed from the nonce
	Format          string   // response_format of pictures; "none" sends none, "" what the model needs
	AllowsPlainHTTP bool     // allows plain http to other machines

	Transport http.RoundTripper // nil means one of the engine's own
}

// Limits of a response body, in bytes.
const (
	maxTextBytes    = 8 << 20
	maxStreamBytes  = 512 << 20 // an event takes 200 to 600 bytes for a few of text
	maxPictureBytes = 64 << 20
	maxErrorBytes   = 64 << 10
)

// client holds what [Chat] and [Images] share: the checked options and the transport.
type client struct {
	options Options
	baseURL string // ends in a slash
	http    *http.Client
}

func newClient(o Options, maxBody int64) (*client, error) {
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
		t = newTransport()
	}
	return &client{options: o, baseURL: strings.TrimRight(o.URL, "/") + "/", http: &http.Client{
		Transport:     limitTransport{t, maxBody},
		CheckRedirect: refuseRedirect,
	}}, nil
}

// Name returns the engine's name in the configuration.
func (c *client) Name() string { return c.options.Name }

// refuseRedirect keeps a prompt and a key with the server they were meant for.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// newTransport returns a transport that keeps idle connections for less time than such servers do (uvicorn: 5 s), so
// that a request seldom meets a closing connection. Where it does, Go repeats a POST only if no byte of it was written
// or the server refused it by HTTP/2; no request carries an Idempotency-Key, so nothing is carried out twice.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    1 << 20, // keeping every used connection is cheaper than opening one per request
		IdleConnTimeout:        4 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // so that the limit counts the decoded bytes
	}
}

// sdkTransport is the HTTP client of one call of the SDK. It sends what the SDK's request types cannot express and
// judges the response's status before the SDK sees it, because the SDK does not understand every server's errors.
type sdkTransport struct {
	client *client
	model  string
	fields map[string]any // added to the request body, replacing fields of the same name
	head   bytes.Buffer   // the first maxErrorBytes of the response body
}

// begin returns an SDK client for one call. The error is an [engine.Error] or the context's cause.
func (c *client) begin(ctx context.Context, model string, fields map[string]any) (*sdk.Client, *sdkTransport, error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	key, err := c.options.Key(ctx)
	if err != nil {
		return nil, nil, c.failure(ctx, err)
	}
	one := &sdkTransport{client: c, model: model, fields: fields}
	config := sdk.DefaultConfig(key)
	config.BaseURL, config.HTTPClient = c.baseURL, one
	return sdk.NewClientWithConfig(config), one, nil
}

// Do implements the SDK's HTTPDoer.
func (c *sdkTransport) Do(r *http.Request) (*http.Response, error) {
	if err := c.addFields(r); err != nil {
		return nil, err
	}
	isChat := strings.HasPrefix(r.Header.Get("Accept"), "text/event-stream")
	if isChat {
		r.Header.Set("Accept", "text/event-stream, application/json")
	}
	r.Header.Set("User-Agent", "confab")
	res, err := c.client.http.Transport.RoundTrip(r) // an http.Client would copy headers for redirects it never follows
	if err != nil {
		return nil, err //nolint:wrapcheck // judged by client.failure
	}
	if res.StatusCode >= 300 {
		defer func() { _ = res.Body.Close() }() // it is read below
		body, _ := io.ReadAll(res.Body)         // at most maxErrorBytes; a cut body is judged by its status
		return nil, c.client.refused(res.StatusCode, res.Header, body, c.model)
	}
	if isChat {
		res.Body = newEventBody(res.Body)
	} else {
		res.Body = teeBody{io.TeeReader(res.Body, &headWriter{&c.head}), res.Body}
	}
	return res, nil
}

// addFields merges the call's fields into the body of r.
func (c *sdkTransport) addFields(r *http.Request) error {
	if len(c.fields) == 0 {
		return nil
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("read the request's type: %w", err)
	}
	var body []byte
	if kind == "multipart/form-data" {
		body, kind, err = mergeForm(r.Body, params["boundary"], c.fields)
		r.Header.Set("Content-Type", kind)
	} else {
		body, err = mergeJSON(r.Body, c.fields)
	}
	if err != nil {
		return fmt.Errorf("write the request: %w", err)
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return nil
}

func mergeJSON(body io.Reader, fields map[string]any) ([]byte, error) {
	var raw map[string]json.RawMessage
	if err := json.NewDecoder(body).Decode(&raw); err != nil {
		return nil, fmt.Errorf("decode the body: %w", err)
	}
	all := make(map[string]any, len(raw)+len(fields))
	for name, value := range raw {
		all[name] = value
	}
	maps.Copy(all, fields)
	return json.Marshal(all) //nolint:wrapcheck // wrapped by addFields
}

// mergeForm rewrites a multipart form: the SDK leaves out the model and sends empty fields, which servers refuse.
func mergeForm(body io.Reader, boundary string, fields map[string]any) (merged []byte, contentType string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for form := multipart.NewReader(body, boundary); ; {
		part, err := form.NextRawPart()
		if err == io.EOF { //nolint:errorlint // multipart returns it unwrapped
			break
		}
		if err != nil {
			return nil, "", fmt.Errorf("read the form: %w", err)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, "", fmt.Errorf("read the form: %w", err)
		}
		if _, replaced := fields[part.FormName()]; replaced || len(value) == 0 {
			continue
		}
		copied, err := w.CreatePart(part.Header)
		if err == nil {
			_, err = copied.Write(value)
		}
		if err != nil {
			return nil, "", fmt.Errorf("write the form: %w", err)
		}
	}
	for name, value := range fields {
		if err := w.WriteField(name, formValue(value)); err != nil {
			return nil, "", fmt.Errorf("write the form: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", fmt.Errorf("write the form: %w", err)
	}
	return b.Bytes(), w.FormDataContentType(), nil
}

// formValue writes a parameter as a form field: a string as it is, everything else as JSON.
func formValue(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
