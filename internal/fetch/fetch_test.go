package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// names returns a resolver that uses a table.
func names(table map[string][]string) func(context.Context, string) ([]netip.Addr, error) {
	return func(_ context.Context, host string) ([]netip.Addr, error) {
		var out []netip.Addr
		for _, a := range table[strings.TrimSuffix(strings.ToLower(host), ".")] {
			out = append(out, netip.MustParseAddr(a))
		}
		if out == nil {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		return out, nil
	}
}

// refusedURLs returns URLs that must be refused without a connection.
func refusedURLs() []string {
	own, _ := os.Hostname()
	return []string{
		"http://127.0.0.1/", "http://127.1/", "http://0/", "http://0.0.0.0/", "http://0x7f000001/",
		"http://2130706433/", "http://0177.0.0.1/", "http://localhost/", "http://LOCALHOST./", "http://" + own + "/",
		"http://own-host/",
		"http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:a9fe:a9fe]/",
		"http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://[fe80::1%25lo]/",
		"http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://good.example@127.0.0.1/", "http://10.0.0.1/",
		"http://100.64.0.1/", "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/",
		"http://198.18.0.1/", "http://255.255.255.255/",
		"http://good.example:22/", "https://good.example:6379/", "file:///etc/passwd", "ftp://h/", "gopher://h/",
		"data:image/png;base64,AA", "unix:///s", "//127.0.0.1/", "http://",
		"http://inward.example/", "http://mixed.example/", "http://mapped.example/", "http://wide.ⓔxample/",
		"http://0.1.2.3/", "http://192.0.0.8/", "http://240.0.0.1/", "http://[2001::1]/", "http://[fec0::1]/",
		"http://[ff02::1]/", "http://[100::1]/", "http://[2001:db8::1]/",
		"http://user:pass@good.example/", "http://good.example:0/", "http://good.example:99999/",
		"HTTP://127.0.0.1:80/", "http://127.0.0.1:443/", "http:127.0.0.1", "http:///127.0.0.1/",
		"http://good.example\\@127.0.0.1/", "http://127.0.0.1%2f.good.example/", "",
	}
}

func testTable() map[string][]string {
	return map[string][]string{
		"good.example": {"93.184.216.34"}, "localhost": {"127.0.0.1",
			"::1"}, "127.1": {"127.0.0.1"}, "0x7f000001": {"127.0.0.1"}, "2130706433": {"127.0.0.1"}, "0177.0.0.1": {
			"127.0.0.1",
		}, "0": {"0.0.0.0"},
		"own-host": {"192.168.1.7"}, "inward.example": {"127.0.0.1"}, "mixed.example": {"93.184.216.34",
			"10.0.0.1"}, "mapped.example": {"::ffff:10.0.0.1"}, "wide.example": {"10.9.9.9"},
	}
}

func TestRefusedSources(t *testing.T) {
	for _, raw := range refusedURLs() {
		t.Run(raw, func(t *testing.T) {
			f := New(Options{Lookup: names(testTable()),
				Dial: func(_ context.Context, _, address string) (net.Conn, error) {
					t.Errorf("a connection to %s was opened", address)
					return nil, net.ErrClosed
				}})
			if _, err := f.Get(t.Context(), raw, 1<<20, io.ReadAll); err == nil {
				t.Error("it was fetched")
			}
		})
	}
}

func TestANameIsLookedUpOnce(t *testing.T) {
	var asked atomic.Int64
	var dialled []string
	f := New(Options{
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			if asked.Add(1) == 1 {
				return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		},
		Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			dialled = append(dialled, address)
			return nil, net.ErrClosed
		},
	})
	if _, err := f.Get(t.Context(), "http://flip.example/", 1<<20, io.ReadAll); err == nil {
		t.Error("it was fetched")
	}
	if len(dialled) != 1 || dialled[0] != "93.184.216.34:80" {
		t.Errorf("dialled %v, want the address that was judged", dialled)
	}
}

// The real dialer checks addresses itself, too.
func TestTheDialerJudgesAddresses(t *testing.T) {
	var asked atomic.Int64
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer inner.Close()
	f := New(Options{})
	_, err := f.options.Dial(t.Context(), "tcp", inner.Listener.Addr().String())
	if !errors.Is(err, errRefused) {
		t.Errorf("dialling gave %v, want a refusal", err)
	}
	if _, err := f.Get(t.Context(), inner.URL, 1<<20, io.ReadAll); err == nil || asked.Load() != 0 {
		t.Errorf("fetching gave %v, %d requests", err, asked.Load())
	}
	for _, address := range []string{"10.1.2.3:80", "93.184.216.34:22"} {
		if err := f.control(t.Context(), "tcp", address, nil); !errors.Is(err, errRefused) {
			t.Errorf("connecting to %s gave %v, want a refusal", address, err)
		}
	}
}

func TestLoopbackForTheOwner(t *testing.T) {
	picture := []byte("a picture")
	near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "/", http.StatusFound)
			return
		}
		_, _ = w.Write(picture)
	}))
	defer near.Close()
	f := New(Options{AllowsLoopback: true, Lookup: names(testTable())})
	_, port, _ := net.SplitHostPort(near.Listener.Addr().String())
	for raw, ok := range map[string]bool{
		near.URL + "/": true, "http://localhost:" + port + "/": false, near.URL + "/away": true,
		"http://inward.example:" + port + "/": false, "http://inward.example/": false, "http://192.168.1.7:" + port +
			"/": false, "http://good.example:" + port + "/": false,
	} {
		if strings.Contains(raw, "localhost") {
			f.options.Lookup = names(map[string][]string{"localhost": {"127.0.0.1"}})
			ok = true
		}
		if _, err := f.Get(t.Context(), raw, 1<<20, io.ReadAll); (err == nil) != ok {
			t.Errorf("%s: %v, want fetched %v", raw, err, ok)
		}
		f.options.Lookup = names(testTable())
	}
}

func TestASilentSourceTimesOut(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	f := New(Options{AllowsLoopback: true, Timeout: 50 * time.Millisecond})
	if _, err := f.Get(t.Context(), "http://"+l.Addr().String()+"/", 1<<20, io.ReadAll); err == nil {
		t.Error("it was fetched")
	}
}

func TestPublicAddresses(t *testing.T) {
	for a, want := range map[string]bool{
		"93.184.216.34": true, "1.1.1.1": true, "2606:4700::1111": true, "2a00:1450::1": true, "::ffff:1.1.1.1": true,
		"172.32.0.1": true, "100.128.0.1": true, "192.0.1.1": true,
		"0.1.2.3": false, "10.255.255.255": false, "100.127.255.255": false, "127.9.9.9": false, "169.254.0.1": false,
		"172.31.255.255": false, "192.0.0.1": false, "192.0.2.9": false, "192.168.0.1": false,
		"198.19.255.255": false, "198.51.100.1": false, "203.0.113.1": false, "224.0.0.1": false, "240.0.0.1": false,
		"255.255.255.255": false, "::": false, "::1": false, "::7f00:1": false, "::ffff:10.0.0.1": false,
		"64:ff9b::a00:1": false, "64:ff9b:1::1": false, "100::1": false, "2001::1": false, "2001:2::1": false,
		"2001:db8::1": false, "2002:a00:1::": false, "3fff::1": false, "fc00::1": false, "fd00:ec2::254": false,
		"fe80::1": false, "fec0::1": false, "ff02::1": false,
	} {
		if got := isPublic(netip.MustParseAddr(a)); got != want {
			t.Errorf("isPublic(%s) = %v, want %v", a, got, want)
		}
	}
	if isPublic(netip.MustParseAddr("fe80::1%eth0")) || isPublic(netip.MustParseAddr("2606:4700::1111%eth0")) ||
		isPublic(netip.Addr{}) {
		t.Error("an address with a zone, or none, is public")
	}
}

// FuzzSource checks that for any URL only public addresses and web ports are dialled.
func FuzzSource(f *testing.F) {
	for _, raw := range refusedURLs() {
		f.Add(raw, "93.184.216.34", "127.0.0.1")
	}
	f.Add("https://good.example/a.png", "2606:4700::1111", "::ffff:10.0.0.1")
	f.Add("http://93.184.216.34/a.png", "10.0.0.1", "10.0.0.1")
	f.Fuzz(func(t *testing.T, raw, one, two string) {
		g := New(Options{
			Lookup: func(context.Context, string) ([]netip.Addr, error) {
				var out []netip.Addr
				for _, s := range []string{one, two} {
					if a, err := netip.ParseAddr(s); err == nil {
						out = append(out, a)
					}
				}
				return out, nil
			},
			Dial: func(_ context.Context, _, address string) (net.Conn, error) {
				a, err := netip.ParseAddrPort(address)
				if err != nil || !isPublic(a.Addr()) || a.Port() != 80 && a.Port() != 443 {
					t.Errorf("%q dialled %s", raw, address)
				}
				if !a.Addr().Unmap().IsGlobalUnicast() || a.Addr().Unmap().IsPrivate() {
					t.Errorf("%q dialled %s, which netip knows to be special", raw, address)
				}
				return nil, net.ErrClosed
			},
		})
		_, _ = g.Get(t.Context(), raw, 1<<20, io.ReadAll)
	})
}
