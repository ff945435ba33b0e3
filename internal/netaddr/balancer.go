package netaddr

import (
	"errors"
	"net"
	"net/netip"
	"slices"

	"github.com/pires/go-proxyproto"
)

// Networks returns the networks that texts name: prefixes, or single addresses. Any other text is a network without an
// address; the configuration has none.
func Networks(texts []string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range texts {
		network, _ := netip.ParsePrefix(text)
		if address, err := netip.ParseAddr(text); err == nil {
			address = address.Unmap().WithZone("") // Contains takes no other
			network = netip.PrefixFrom(address, address.BitLen())
		}
		all = append(all, network)
	}
	return all
}

// BehindBalancers returns a listener whose connections have the addresses of clients where they come through a load
// balancer. A connection from one of the networks of balancers has to begin with a header of the PROXY protocol; until
// the header has come, which takes ten seconds at most, asking for an address of the connection waits, and without a
// right header all reads and writes fail. Connections from elsewhere stay as they are.
func BehindBalancers(l net.Listener, balancers []netip.Prefix) net.Listener {
	if len(balancers) == 0 {
		return l
	}
	return &proxyproto.Listener{
		Listener: l,
		ConnPolicy: func(o proxyproto.ConnPolicyOptions) (proxyproto.Policy, error) {
			at, _ := netip.ParseAddrPort(o.Upstream.String()) // the zero address is in no network
			client := at.Addr().Unmap().WithZone("")
			if slices.ContainsFunc(balancers, func(n netip.Prefix) bool { return n.Contains(client) }) {
				return proxyproto.REQUIRE, nil
			}
			return proxyproto.SKIP, nil
		},
		ValidateHeader: func(h *proxyproto.Header) error {
			if _, _, isTCP := h.TCPAddrs(); !isTCP && !h.Command.IsLocal() {
				return errors.New("the header of the balancer names no TCP address")
			}
			return nil
		},
	}
}

// IsBalancerCheck reports whether a load balancer has opened a connection of [BehindBalancers] on its own account, for
// no client, as it does to find out whether the server is there.
func IsBalancerCheck(c net.Conn) bool {
	p, isBehind := c.(*proxyproto.Conn)
	return isBehind && p.ProxyHeader() != nil && p.ProxyHeader().Command.IsLocal()
}
