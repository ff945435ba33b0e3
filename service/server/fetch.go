package server

import (
	"context"
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
	"golang.org/x/sync/semaphore"

	"confab/internal/netaddr"
	"confab/service/api"
)

// maxSourcePixels is the size of the largest source that is decoded.
const maxSourcePixels = 40_000_000

// Fetch says how the sources of edits are fetched. The zero value fetches from public addresses only, over http and
// https on their own ports.
type Fetch struct {
	// AllowsLoopback lets a literal loopback address and "localhost" be fetched from, on any port: for a server that
	// only its owner can reach.
	AllowsLoopback bool

	// Lookup resolves a name; nil asks the system.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)

	// Dial connects to an address that was judged; nil is the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// errRefused is why an address was not asked. Those who sent the URL are told nothing of it.
var errRefused = errors.New("address refused")

// fetcher gets pictures from elsewhere without being led to where its own machine alone may go: the address is judged
// when it is dialled.
type fetcher struct {
	Fetch
	client *http.Client
	memory *semaphore.Weighted // for the sources of all requests together
}

// sourceMemory is the number of bytes of sources that all requests together may hold, while they arrive and until they
// are edited.
const sourceMemory = 256 << 20

// reservation is the part of the memory for sources that one request holds.
type reservation struct {
	memory *semaphore.Weighted
	held   int64
}

// read reads the bytes of a source, at most [maxPicture], and takes memory for them. It does not wait for memory: those
// who wait would hold what others wait for.
func (r *reservation) read(from io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(reservedReader{from, r}, maxPicture+1))
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	if len(b) > maxPicture {
		return nil, errTooLarge
	}
	return b, nil
}

// reservedReader takes memory for everything it reads.
type reservedReader struct {
	io.Reader
	reservation *reservation
}

// Read implements [io.Reader].
func (r reservedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if !r.reservation.memory.TryAcquire(int64(n)) {
		return 0, errBusy
	}
	r.reservation.held += int64(n)
	return n, err
}

// release gives the memory back.
func (r *reservation) release() { r.memory.Release(r.held) }

// Why a source was not read to its end.
var (
	errBusy     = errors.New("no memory for the source")
	errTooLarge = errors.New("larger than the limit")
)

func newFetcher(o Fetch) *fetcher {
	const within = 5 * time.Second
	f := &fetcher{Fetch: o, memory: semaphore.NewWeighted(sourceMemory)}
	if f.Lookup == nil {
		f.Lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if f.Dial == nil {
		f.Dial = (&net.Dialer{Timeout: within, ControlContext: f.control}).DialContext
	}
	f.client = &http.Client{
		Timeout:       within,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  nil, // the guard would see the proxy's address
			DialContext:            f.connect,
			DisableKeepAlives:      true,
			DisableCompression:     true, // what is counted is what arrives
			TLSHandshakeTimeout:    within,
			ResponseHeaderTimeout:  within,
			MaxResponseHeaderBytes: 64 << 10,
		},
	}
	return f
}

// source returns the picture that an edit starts from, judged. It takes memory from the reservation.
func (s *Server) source(r *http.Request, raw string, memory *reservation) ([]byte, error) {
	const status = http.StatusUnprocessableEntity
	ctx := r.Context()
	b, err := s.ownPicture(r, raw, memory)
	if errors.Is(err, errNotOwn) {
		b, err = s.fetch.get(ctx, raw, memory)
	}
	switch {
	case errors.Is(err, errBusy):
		return nil, busy()
	case errors.Is(err, errTooLarge):
		return nil, refuse(status, api.CodeTooLarge, "The source picture is larger than 64 MiB.")
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil: // the same answer for a refused address and for a dead one
		return nil, refuseBecause(err, status, api.CodeImageUnreachable, "The imageUrl could not be fetched.")
	}
	err = judgeSource(ctx, b)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, errTooLarge):
		return nil, refuse(status, api.CodeTooLarge, "The source picture has more than 40 megapixels.")
	case err != nil:
		return nil, refuseBecause(err, status, api.CodeBadImage, "The imageUrl is not a whole PNG or JPEG picture.")
	}
	return b, nil
}

// judgeSource judges a picture that a client sent or named. The error is errTooLarge for one with more than
// [maxSourcePixels].
func judgeSource(ctx context.Context, b []byte) error {
	facts, err := api.JudgeImage(ctx, b, maxSourcePixels)
	if err == nil && facts.IsTooLarge || api.CodeOf(err) == api.CodeTooLarge {
		return errTooLarge
	}
	return err
}

var errNotOwn = errors.New("not a picture of this server")

// ownPicture reads a picture that this very server publishes from the disk, so that a loopback address needs no
// permission for it.
func (s *Server) ownPicture(r *http.Request, raw string, memory *reservation) ([]byte, error) {
	u, err := url.Parse(raw)
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if err != nil || local == nil || s.Files == nil || u.Scheme != "http" {
		return nil, errNotOwn
	}
	name, ok := strings.CutPrefix(u.Path, picturesPath)
	_, port, err := net.SplitHostPort(local.String())
	if !ok || err != nil || u.Port() != port || !netaddr.IsLoopback(u.Hostname()) {
		return nil, errNotOwn
	}
	return s.Files.read(name, memory)
}

// get fetches the bytes behind a URL.
func (f *fetcher) get(ctx context.Context, raw string, memory *reservation) ([]byte, error) {
	u, err := judgeURL(raw, f.AllowsLoopback)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("fetch source: %w", err)
	}
	req.Header.Set("User-Agent", "confab")
	req.Header.Set("Accept", "image/png, image/jpeg")
	res, err := f.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch source: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // what was needed of it was read
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetch source: status %d", res.StatusCode)
	}
	if res.ContentLength > maxPicture {
		return nil, errTooLarge
	}
	return memory.read(res.Body)
}

// judgeURL refuses what needs no look-up to be refused: another scheme, another port, no host, a user, a host that only
// looks like a name.
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
	// Go maps ①②⑦ and 。 to what they look like before it dials, so a name is judged as it will be dialled.
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
		return nil, errRefused // 127.1, 0x7f000001, 2130706433 are addresses to some resolvers
	}
	return u, nil
}

// connect looks the host up itself, refuses it whole when any of its addresses is not public, and dials what was
// judged: a second look-up cannot flip it.
func (f *fetcher) connect(ctx context.Context, network, address string) (net.Conn, error) {
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
	own := f.AllowsLoopback && netaddr.IsLoopback(host)
	for _, a := range addresses {
		if !f.isAllowed(netip.AddrPortFrom(a, uint16(n)), own) {
			return nil, errRefused
		}
	}
	err = errRefused
	for _, a := range addresses {
		var conn net.Conn
		if conn, err = f.Dial(ctx, network, netip.AddrPortFrom(a, uint16(n)).String()); err == nil {
			return conn, nil
		}
	}
	return nil, fmt.Errorf("connect to source: %w", err)
}

// resolve returns the addresses of a host.
func (f *fetcher) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	found, err := f.Lookup(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("look up source: %w", err)
	}
	for i := range found {
		found[i] = found[i].Unmap()
	}
	return found, nil
}

// isAllowed judges an address and port. isOwn says that the owner named loopback itself.
func (f *fetcher) isAllowed(a netip.AddrPort, isOwn bool) bool {
	if isOwn {
		return a.Addr().Unmap().IsLoopback()
	}
	return (a.Port() == 80 || a.Port() == 443) && isPublic(a.Addr())
}

// isOwnAddress tells whether an address is one of this machine's: services that a firewall hides from others answer it.
func isOwnAddress(a netip.Addr) bool {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return false // then it is judged as any other
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

// control judges once more, at the moment of connecting, whatever led there.
func (f *fetcher) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return errRefused
	}
	if f.isAllowed(a, false) && !isOwnAddress(a.Addr()) || f.AllowsLoopback && a.Addr().Unmap().IsLoopback() {
		return nil
	}
	return errRefused
}
