package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// from is the client as the log names it: with its port where no proxy stands between.
func (s *Server) from(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !s.trusted(peer.Addr().Unmap()) {
		return r.RemoteAddr
	}
	return s.clientAddr(r).String()
}

// clientAddr is the address of the client. What a trusted proxy says of it is believed, back to the first address that
// is no trusted proxy's. It is not valid where the connection has none.
func (s *Server) clientAddr(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	at := peer.Addr().Unmap()
	if !s.trusted(at) {
		return at
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		a, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		if at = a.Unmap().WithZone(""); !s.trusted(at) {
			break
		}
	}
	return at
}

func (s *Server) trusted(a netip.Addr) bool {
	return slices.ContainsFunc(s.proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}
