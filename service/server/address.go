package server

import "net/netip"

// isPublic reports whether an address is one that anybody on the internet may be asked for. netip's own predicates miss
// many that are not (measured: 0/8, 100.64/10, 192.0.0/24, 198.18/15, 240/4, ::/96, 64:ff9b::/96, 2002::/16, 2001::/32,
// fec0::/10), so this goes by the registries of special addresses: of IPv4 all but the listed, of IPv6 only 2000::/3
// and of that all but the listed.
func isPublic(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if a.Is6() && !netip.MustParsePrefix("2000::/3").Contains(a) {
		return false
	}
	for _, p := range special() {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

func special() []netip.Prefix {
	prefix := func(a, b, c, d byte, bits int) netip.Prefix {
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{a, b, c, d}), bits)
	}
	return []netip.Prefix{
		prefix(0, 0, 0, 0, 8),                      // this network
		prefix(10, 0, 0, 0, 8),                     // private
		prefix(100, 64, 0, 0, 10),                  // carrier-grade NAT
		prefix(127, 0, 0, 0, 8),                    // loopback
		prefix(169, 254, 0, 0, 16),                 // link local, metadata of clouds
		prefix(172, 16, 0, 0, 12),                  // private
		prefix(192, 0, 0, 0, 24),                   // protocol assignments
		prefix(192, 0, 2, 0, 24),                   // documentation
		prefix(192, 88, 99, 0, 24),                 // 6to4 relays
		prefix(192, 168, 0, 0, 16),                 // private
		prefix(198, 18, 0, 0, 15),                  // benchmarks
		prefix(198, 51, 100, 0, 24),                // documentation
		prefix(203, 0, 113, 0, 24),                 // documentation
		prefix(224, 0, 0, 0, 4),                    // multicast
		prefix(240, 0, 0, 0, 4),                    // reserved, broadcast
		netip.MustParsePrefix("2001::/23"),         // protocol assignments: Teredo, ORCHID, benchmarks
		netip.MustParsePrefix("2001:db8::/32"),     // documentation
		netip.MustParsePrefix("2002::/16"),         // 6to4 wraps an IPv4 address
		netip.MustParsePrefix("2620:4f:8000::/48"), // AS112
		netip.MustParsePrefix("3fff::/20"),         // documentation
	}
}
