package fetch

import (
	"net/netip"
	"slices"
)

// isPublic reports whether an address is public on the internet. It uses the registries of special addresses: for
// IPv4 all but the listed, for IPv6 only 2000::/3 without the listed. netip's predicates miss many of these (0/8,
// 100.64/10, 192.0.0/24, 198.18/15, 240/4, ::/96, 64:ff9b::/96, 2002::/16, 2001::/32, fec0::/10).
func isPublic(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if a.Is6() && !netip.MustParsePrefix("2000::/3").Contains(a) {
		return false
	}
	return !slices.ContainsFunc(special(), func(p netip.Prefix) bool { return p.Contains(a) })
}

// special returns the networks that are not public.
func special() []netip.Prefix {
	var all []netip.Prefix
	for _, p := range []string{
		"0.0.0.0/8",         // this network
		"10.0.0.0/8",        // private
		"100.64.0.0/10",     // carrier-grade NAT
		"127.0.0.0/8",       // loopback
		"169.254.0.0/16",    // link local, metadata of clouds
		"172.16.0.0/12",     // private
		"192.0.0.0/24",      // protocol assignments
		"192.0.2.0/24",      // documentation
		"192.88.99.0/24",    // 6to4 relays
		"192.168.0.0/16",    // private
		"198.18.0.0/15",     // benchmarks
		"198.51.100.0/24",   // documentation
		"203.0.113.0/24",    // documentation
		"224.0.0.0/4",       // multicast
		"240.0.0.0/4",       // reserved, broadcast
		"2001::/23",         // protocol assignments: Teredo, ORCHID, benchmarks
		"2001:db8::/32",     // documentation
		"2002::/16",         // 6to4 wraps an IPv4 address
		"2620:4f:8000::/48", // AS112
		"3fff::/20",         // documentation
	} {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}
