package netaddr_test

import (
	"io"
	"net"
	"net/netip"
	"testing"

	"confab/internal/netaddr"
)

// dialed is a listener with one connection, which comes from an address.
type dialed struct {
	net.Conn
	from *net.TCPAddr
}

func (d dialed) Accept() (net.Conn, error) { return d, nil }
func (d dialed) Addr() net.Addr            { return d.from }
func (d dialed) RemoteAddr() net.Addr      { return d.from }

func TestABalancerIsKnownHoweverItsAddressIsWritten(t *testing.T) {
	for _, c := range []struct{ network, from string }{
		{"::ffff:10.0.0.2", "10.0.0.2"}, {"::ffff:10.0.0.2", "::ffff:10.0.0.2"}, {"10.0.0.0/8", "::ffff:10.0.0.2"},
		{"fe80::1%eth0", "fe80::1%eth0"}, {"fe80::1", "fe80::1%eth0"}, {"fe80::/10", "fe80::1%eth0"},
	} {
		near, far := net.Pipe()
		from := net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(c.from), 1))
		l := netaddr.BehindBalancers(dialed{near, from}, netaddr.Networks([]string{c.network}))
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = io.WriteString(far, "PROXY TCP4 203.0.113.7 10.0.0.2 5555 2222\r\n") // what is missing shows below
		}()
		if got := conn.RemoteAddr().String(); got != "203.0.113.7:5555" {
			t.Errorf("behind %s from %s: the client is %s", c.network, c.from, got)
		}
		_, _ = near.Close(), far.Close() // not before: a pipe that is closed takes no deadline
	}
}
