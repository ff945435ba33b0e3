package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// from is the address of the client. What a trusted proxy says of it is
// believed, back to the first address that is no trusted proxy's.
func (s *Server) from(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	at := peer.Addr().Unmap()
	if !s.trusted(at) {
		return peer.String()
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
	return at.String()
}

func (s *Server) trusted(a netip.Addr) bool {
	return slices.ContainsFunc(s.proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}
