package sshserver_test

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pires/go-proxyproto"

	"confab/internal/netaddr"
	"confab/internal/sshserver"
)

// headerV2 returns a header of version 2: command 0 for a check or 1 for a client, the family, and what follows.
func headerV2(command, family byte, rest ...byte) string {
	b := append([]byte("\r\n\r\n\x00\r\nQUIT\n"), 0x20|command, family)
	return string(append(binary.BigEndian.AppendUint16(b, uint16(len(rest))), rest...))
}

// serveBehind begins to serve behind a balancer of a network. anna's certificate is for 203.0.113.7 only.
func serveBehind(
	t *testing.T,
	network string,
	change ...func(*sshserver.Options),
) (s *serverFixture, logIn func(header string) error) {
	t.Helper()
	ca, anna := newKey(t), newKey(t)
	s = newSite(t, anna, append(change, withAuthority(t, ca))...)
	anna = certify(t, ca, anna, critical("source-address", "203.0.113.7"))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s.on(netaddr.BehindBalancers(l, []netip.Prefix{netip.MustParsePrefix(network)}))
	return s, func(header string) error {
		s.dial = func() (net.Conn, error) {
			c, err := net.Dial("tcp", l.Addr().String())
			if err == nil {
				_, err = io.WriteString(c, header)
			}
			return c, err
		}
		c, err := s.connect(config("anna", keys(anna)))
		if err == nil {
			_ = c.Close()
		}
		return err
	}
}

func TestABalancerNamesTheClient(t *testing.T) {
	var away atomic.Bool
	s, logIn := serveBehind(t, "127.0.0.0/8", func(o *sshserver.Options) {
		o.Ready = func() error {
			if away.Load() {
				return errors.New("the database is away")
			}
			return nil
		}
	})
	const one, other = "PROXY TCP4 203.0.113.7 10.0.0.2 5555 2222\r\n", "PROXY TCP4 203.0.113.8 10.0.0.2 5555 2222\r\n"
	addresses := []byte{203, 0, 113, 7, 10, 0, 0, 2, 21, 179, 8, 174}
	two := headerV2(1, 0x11, append(addresses, 4, 0, 3, 'a', 'b', 'c')...)
	six, err := proxyproto.HeaderProxyFromAddrs(2, &net.TCPAddr{IP: net.ParseIP("2001:db8::1"), Port: 1},
		&net.TCPAddr{IP: net.ParseIP("2001:db8::2"), Port: 2}).Format()
	must(t, err)
	for name, header := range map[string]string{"version 1": one, "version 2": two} {
		if err := logIn(header); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, header := range map[string]string{
		"no header": "", "another address": other, "an address of IPv6": string(six), "two headers": other + one,
		"a port too large":   "PROXY TCP4 203.0.113.7 10.0.0.2 5555 99999\r\n",
		"no address":         "PROXY TCP4 203.0.113.7\r\n",
		"a line without end": "PROXY TCP4 " + strings.Repeat("203.0.113.7 ", 100),
		"datagrams":          headerV2(1, 0x12, addresses...),
		"a unix socket":      headerV2(1, 0x31, make([]byte, 216)...),
		"no family":          headerV2(1, 0x00, addresses...),
		"too short":          headerV2(1, 0x11, addresses[:8]...),
		"an unknown command": headerV2(7, 0x11, addresses...),
		"another version":    strings.Replace(two, "QUIT\n\x21", "QUIT\n\x31", 1),
	} {
		if err := logIn(header); err == nil {
			t.Errorf("%s lets anna in", name)
		}
	}
	if text := s.log.String(); !strings.Contains(text, "from=203.0.113.8:5555") {
		t.Errorf("the log names no client: %s", text)
	}
	for _, check := range []string{"PROXY UNKNOWN\r\n", headerV2(0, 0x00)} {
		if err := logIn(check); err == nil {
			t.Error("a check of the balancer logs in")
		}
		c, err := s.dial()
		must(t, err)
		if said, err := io.ReadAll(c); err != nil || string(said) != "SSH-2.0-confab\r\n" {
			t.Errorf("a check of the balancer gets %q, %v", said, err)
		}
		_ = c.Close()
	}
	away.Store(true)
	_ = logIn("PROXY UNKNOWN\r\n")
	c, err := s.dial()
	must(t, err)
	defer c.Close()
	if said, _ := io.ReadAll(c); len(said) > 0 {
		t.Errorf("while the database is away a check gets %q", said)
	}
	if err := logIn(one); err != nil {
		t.Errorf("while the database is away nobody is let in: %v", err)
	}
}

func TestOthersDoNotNameTheClient(t *testing.T) {
	_, logIn := serveBehind(t, "10.0.0.0/8")
	for _, header := range []string{"", "PROXY TCP4 203.0.113.7 10.0.0.2 5555 2222\r\n",
		headerV2(1, 0x11, 203, 0, 113, 7, 10, 0, 0, 2, 21, 179, 8, 174)} {
		if err := logIn(header); err == nil {
			t.Errorf("%q lets anna in", header)
		}
	}
}
