// Package netaddr judges hosts and addresses of the network.
package netaddr

import (
	"net"
	"net/netip"
	"strings"
)

// IsLoopback reports whether a host is this machine by its name alone: "localhost" or a loopback address.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// NamesThisMachine reports whether a Host header, with a port or without, says localhost or a loopback address. A page
// in a browser that reaches the machine by DNS rebinding names its own host. Checks of HTTP/1.0 send no header.
func NamesThisMachine(header string) bool {
	host := header
	if name, _, err := net.SplitHostPort(header); err == nil {
		host = name
	}
	return host == "" || IsLoopback(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
}

// ClientNetwork returns what counts as one client of a server: an IPv4 address, or the 64 bits of IPv6 that one
// customer is given. It is the zero prefix for an address that is not valid.
func ClientNetwork(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := 32
	if a.Is6() {
		bits = 64
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}
