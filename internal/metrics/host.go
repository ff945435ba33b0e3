package metrics

import (
	"net"
	"net/netip"
	"strings"
)

// NamesThisMachine tells whether a Host header, with a port or without, says localhost or a loopback address. A page in
// a browser that reaches the machine by DNS rebinding names its own host. Checks of HTTP/1.0 send no header.
func NamesThisMachine(host string) bool {
	if host == "" {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}
