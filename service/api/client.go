package api

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"confab/internal/netaddr"
	"confab/internal/redact"
)

// Response headers that a service may send; none is part of the contract.
const (
	// HeaderCache says that an earlier picture was reused: its value then begins with HIT.
	HeaderCache  = "X-Cache"
	HeaderEngine = "X-Confab-Engine" // who answered, by its name at the service
	HeaderModel  = "X-Confab-Model"  // what that engine calls the model
	HeaderNote   = "X-Confab-Note"   // how the answer differs from what was asked
	// HeaderExtensions names the [Extensions] that the service offers for the model, between commas.
	HeaderExtensions = "X-Confab-Extensions"
)

// Options say which service a [Client] talks to, and how patiently. BaseURL and APIKey are required.
type Options struct {
	BaseURL         string // may have a path and end with a slash
	APIKey          string
	AllowsPlainHTTP bool   // also to a host that is not this machine
	Limits          Limits // the zero value stands for [DefaultLimits]

	// Dial opens connections instead of the operating system, for tests.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Proxy names the proxy of a request; nil is the environment's.
	Proxy func(*http.Request) (*url.URL, error)
	// TLS is what connections are verified against; nil is the system's certificates.
	TLS *tls.Config
	Now func() time.Time // nil is time.Now
}

// LogValue leaves the key out.
func (o Options) LogValue() slog.Value { return slog.StringValue(o.String()) }

// String leaves everything out: the address may hold a password.
func (o Options) String() string { return "api.Options{…}" }

// GoString leaves the key out.
func (o Options) GoString() string { return o.String() }

// Limits bound a call. Sizes are bytes and are counted after decompression. Change those of [DefaultLimits]: a zero
// here is a limit of zero.
type Limits struct {
	Connect   time.Duration // until the connection stands, TLS included
	FirstByte time.Duration // until the header is whole
	Silence   time.Duration // the longest inside a body
	Whole     time.Duration // one attempt, from its start to the last byte

	SlowFirstByte time.Duration // the same for models marked slow
	SlowWhole     time.Duration

	Header int64 // the response header
	JSON   int64 // a text answer
	Image  int64 // a picture
	Pixels int   // of a picture that is decoded; a larger one is accepted as IsTooLarge

	Attempts int           // tries in all, the first among them
	Backoff  time.Duration // before the second try when the service names no time; doubles
	MaxWait  time.Duration // waiting between tries in all
}

// DefaultLimits returns the limits of a client that sets none. The program sets its own from the configuration.
func DefaultLimits() Limits {
	return Limits{
		Connect:       10 * time.Second,
		FirstByte:     2 * time.Minute,
		Silence:       2 * time.Minute,
		Whole:         5 * time.Minute,
		SlowFirstByte: 5 * time.Minute,
		SlowWhole:     10 * time.Minute,
		Header:        64 << 10,
		JSON:          8 << 20,
		Image:         64 << 20,
		Pixels:        40e6,
		Attempts:      3,
		Backoff:       time.Second,
		MaxWait:       time.Minute,
	}
}

// forModel returns the limits that hold for a model: the times are the slow ones where it is slow.
func (l Limits) forModel(m Model) Limits {
	if m.IsSlow {
		l.FirstByte, l.Whole = max(l.FirstByte, l.SlowFirstByte), max(l.Whole, l.SlowWhole)
		l.Silence = max(l.Silence, l.SlowFirstByte)
	}
	return l
}

// Client calls one service with one key. It is safe for concurrent use, keeps no connection between calls, and has
// nothing to close.
type Client struct {
	base            *url.URL
	key             func() string // not a string: printing a Client must not print the key
	mask            *redact.Masker
	limits          Limits
	allowsPlainHTTP bool // allowed to leave this machine
	now             func() time.Time
	transport       *http.Transport
}

// NewClient returns a [Client]. The error is an [Error] of code config for an address that cannot be used, plain http
// to another machine unless allowed, and an empty key.
func NewClient(o Options) (*Client, error) {
	base, err := baseURL(o.BaseURL, o.AllowsPlainHTTP)
	if err != nil {
		return nil, err
	}
	if o.APIKey == "" {
		return nil, configError("There is no API key: set %s, or api_key_command in the configuration.", keyVariable)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	return &Client{
		base:            base,
		key:             func() string { return o.APIKey },
		mask:            redact.NewEchoMasker(o.APIKey),
		limits:          o.Limits,
		allowsPlainHTTP: o.AllowsPlainHTTP,
		now:             o.Now,
		transport:       newTransport(o, o.Limits.Header),
	}, nil
}

// Host returns the service's host, with its port where one is given.
func (c *Client) Host() string { return c.base.Host }

// url returns the address that r is sent to.
func (c *Client) url(r Request) string { return c.base.JoinPath(r.path()...).String() }

// baseURL judges the configured address. What it says never repeats more of it than its host: a password may stand in
// the rest.
func baseURL(s string, allowsPlainHTTP bool) (*url.URL, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, configError("There is no base_url: set the address of the service.")
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, configError("The base_url cannot be read: write it like https://service.example/path.")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, configError("The base_url has to begin with https:// or http://.")
	case u.Hostname() == "":
		return nil, configError("The base_url names no host: write it like https://service.example/path.")
	case u.User != nil:
		return nil, configError("The base_url may not hold a user name or password: the key is all that the " +
			"service takes.")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, configError("The base_url may not hold a ? or a #: remove what follows the path.")
	case u.Scheme == "http" && !allowsPlainHTTP && !netaddr.IsLoopback(u.Hostname()):
		return nil, configError("Plain http to %s would send the key unprotected: use https, or allow it with "+
			"allow_plain_http.", quote(u.Hostname()))
	}
	return u, nil
}
