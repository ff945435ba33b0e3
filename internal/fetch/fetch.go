// Package fetch fetches pictures and texts from untrusted addresses without reaching addresses of the local network.
// It checks an address before the request, at every redirect, and again when it is dialled.
package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/idna"

	"confab/internal/netaddr"
)

// Options restrict what is fetched. The zero value allows only public addresses over http and https on their default
// ports.
type Options struct {
	// AllowsLoopback allows literal loopback addresses and "localhost" on any port, for a program that only its owner
	// can reach. A redirect may lead there only from there.
	AllowsLoopback bool

	// Lookup resolves a name; nil means the system's resolver.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)

	// Dial connects to a checked address; nil means the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	TLS     *tls.Config   // for verifying certificates; nil means the system's
	Timeout time.Duration // of the whole request; 0 means 5 s
	Accept  string        // types to ask for; empty means pictures
}

// ErrTooLarge is the error for a body whose declared length exceeds the limit.
var ErrTooLarge = errors.New("larger than the limit")

// errRefused means that an address is not allowed.
var errRefused = errors.New("address refused")

// maxRedirects is the maximum number of redirects.
const maxRedirects = 5

// Fetcher fetches. It is safe for concurrent use.
type Fetcher struct {
	options Options
	client  *http.Client
}

// New returns a [Fetcher].
func New(o Options) *Fetcher {
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Second
	}
	f := &Fetcher{options: o}
	if o.Lookup == nil {
		f.options.Lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if o.Dial == nil {
		f.options.Dial = (&net.Dialer{Timeout: o.Timeout, ControlContext: f.control}).DialContext
	}
	f.client = &http.Client{
		Timeout:       o.Timeout,
		CheckRedirect: f.redirect,
		Transport: &http.Transport{
			Proxy:                  nil, // the guard would check the proxy's address
			DialContext:            f.connect,
			TLSClientConfig:        o.TLS,
			DisableKeepAlives:      true,
			DisableCompression:     true, // limits the transferred bytes
			TLSHandshakeTimeout:    o.Timeout,
			ResponseHeaderTimeout:  o.Timeout,
			MaxResponseHeaderBytes: 64 << 10,
		},
	}
	return f
}

// redirect checks the target of a redirect.
func (f *Fetcher) redirect(r *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return errTooManyRedirects
	}
	to, err := judgeURL(r.URL.String(), f.options.AllowsLoopback && netaddr.IsLoopback(via[0].URL.Hostname()))
	if err != nil {
		return err
	}
	r.URL = to
	r.Header.Del("Referer") // the previous address may be secret
	return nil
}

// Get fetches the resource at an address and calls read with its body. A declared length above maxBytes is
// [ErrTooLarge]. Other errors are an [*Error], or those of read or ctx.
func (f *Fetcher) Get(
	ctx context.Context, raw string, maxBytes int64, read func(io.Reader) ([]byte, error),
) ([]byte, error) {
	u, err := judgeURL(raw, f.options.AllowsLoopback)
	if err != nil {
		return nil, f.failure(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, f.failure(err)
	}
	req.Header.Set("User-Agent", "confab")
	req.Header.Set("Accept", cmp.Or(f.options.Accept, "image/png, image/jpeg"))
	res, err := f.client.Do(req)
	if err != nil {
		return nil, f.failure(err)
	}
	defer func() { _ = res.Body.Close() }() // the needed part was read
	if res.StatusCode != http.StatusOK {
		return nil, statusFailure(res)
	}
	if res.ContentLength > maxBytes {
		return nil, ErrTooLarge
	}
	body := &bodyReader{Reader: res.Body}
	b, err := read(body)
	if body.err != nil {
		return nil, f.bodyFailure(body.err, int64(len(b)))
	}
	return b, err
}

// bodyReader keeps the error that ended a body early.
type bodyReader struct {
	io.Reader
	err error
}

// Read implements [io.Reader].
func (b *bodyReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err //nolint:wrapcheck // a reader's error
}

// judgeURL refuses an address without a look-up: another scheme or port, no host, a user, or a host in the form of an
// address that looks like a name.
func judgeURL(raw string, allowsLoopback bool) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("parse source URL: %w", err)
	}
	host := u.Hostname()
	if u.Scheme != "http" && u.Scheme != "https" || host == "" || u.User != nil || u.Opaque != "" {
		return nil, errRefused
	}
	if allowsLoopback && netaddr.IsLoopback(host) {
		return u, nil
	}
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		return nil, errRefused
	}
	if a, err := netip.ParseAddr(host); err == nil {
		if !isPublic(a) {
			return nil, errRefused
		}
		return u, nil
	}
	// Go maps ①②⑦ and 。 to ASCII before dialling, so check the mapped name.
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return nil, errRefused
	}
	if _, err := netip.ParseAddr(ascii); err == nil {
		return nil, errRefused
	}
	if host = ascii; u.Port() != "" {
		u.Host = net.JoinHostPort(host, u.Port())
	} else {
		u.Host = host
	}
	last := strings.TrimSuffix(host, ".")
	last = strings.ToLower(last[strings.LastIndexByte(last, '.')+1:])
	if last == "" || last == "localhost" || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return nil, errRefused // some resolvers treat 127.1, 0x7f000001 and 2130706433 as addresses
	}
	return u, nil
}

// connect resolves the host, refuses it if any of its addresses is not public, and dials the checked addresses, so
// that a second look-up cannot change them.
func (f *Fetcher) connect(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("split address: %w", err)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("parse port: %w", err)
	}
	addresses, err := f.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	own := f.options.AllowsLoopback && netaddr.IsLoopback(host)
	for _, a := range addresses {
		if !f.isAllowed(netip.AddrPortFrom(a, uint16(n)), own) {
			return nil, errRefused
		}
	}
	err = errRefused
	for _, a := range addresses {
		var conn net.Conn
		if conn, err = f.options.Dial(ctx, network, netip.AddrPortFrom(a, uint16(n)).String()); err == nil {
			return conn, nil
		}
	}
	return nil, fmt.Errorf("connect to source: %w", err)
}

// resolve returns the addresses of a host.
func (f *Fetcher) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	found, err := f.options.Lookup(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("look up source: %w", err)
	}
	for i := range found {
		found[i] = found[i].Unmap()
	}
	return found, nil
}

// isAllowed checks an address and port. isOwn means that the owner named loopback.
func (f *Fetcher) isAllowed(a netip.AddrPort, isOwn bool) bool {
	if isOwn {
		return a.Addr().Unmap().IsLoopback()
	}
	return (a.Port() == 80 || a.Port() == 443) && isPublic(a.Addr())
}

// isOwnAddress reports whether this machine has the address: it reaches services that a firewall hides from others.
func isOwnAddress(a netip.Addr) bool {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return false // then the other rules apply
	}
	return slices.ContainsFunc(all, func(one net.Addr) bool {
		n, ok := one.(*net.IPNet)
		if !ok {
			return false
		}
		own, ok := netip.AddrFromSlice(n.IP)
		return ok && own.Unmap() == a.Unmap()
	})
}

// control checks the address again immediately before connecting.
func (f *Fetcher) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return errRefused
	}
	if f.isAllowed(a, false) && !isOwnAddress(a.Addr()) || f.options.AllowsLoopback && a.Addr().Unmap().IsLoopback() {
		return nil
	}
	return errRefused
}
