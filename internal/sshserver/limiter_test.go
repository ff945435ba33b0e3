package sshserver

import (
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// closingConn is a client's connection that tells when the server has closed it.
type closingConn struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

func (c *closingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.once.Do(func() { close(c.closed) })
	}
	return n, err
}

// openSilentConn opens a connection that exchanges keys and then says nothing. What it returns is closed when the
// server has closed the connection.
func (s *serverFixture) openSilentConn() <-chan struct{} {
	s.t.Helper()
	raw, err := s.dial()
	if err != nil {
		s.t.Fatal(err)
	}
	c, exchanged := &closingConn{Conn: raw, closed: make(chan struct{})}, make(chan struct{})
	once := sync.OnceFunc(func() { close(exchanged) })
	go func() {
		_, _, _, _ = gossh.NewClientConn(c, "confab",
			config("x", gossh.PublicKeysCallback(func() ([]gossh.Signer, error) {
				once()
				<-c.closed
				return nil, nil
			})))
		once()
	}()
	<-exchanged
	return c.closed
}

func TestSilentConnectionsKeepNobodyOut(t *testing.T) {
	limits := limitsWith(func(l *Limits) { l.IdleTimeout = time.Hour })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, from *string) {
		user := open(t, s.client("anna", anna), 100, 24)
		began := time.Now()
		var silent []<-chan struct{}
		for i := range 400 {
			*from = fmt.Sprintf("198.51.%d.%d", i/4/200, i/4%200)
			silent = append(silent, s.openSilentConn())
			if in, waiting, users := s.limiter.counts(); waiting > 100 || in != waiting+1 || users != 1 {
				t.Fatalf("%d connections, %d of nobody, %d users", in, waiting, users)
			}
		}
		time.Sleep(3 * time.Second)
		for _, address := range []string{"192.0.2.7", *from} { // the last is one of theirs
			*from = address
			c := s.client("anna", anna)
			open(t, c, 100, 24).sees("hello anna")
			c.Close()
		}
		user.types("¶")
		synctest.Wait()
		time.Sleep(time.Second)
		if !user.isQuiet() || !strings.Contains(user.String(), "¶") {
			t.Error("who was in had to leave")
		}
		for _, closed := range silent {
			<-closed
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("they were there for %v", took)
		}
	})
}

func TestWhoIsDroppedForANewConnection(t *testing.T) {
	limits := DefaultLimits()
	limits.MaxPerAddress = 4
	now := time.Now()
	fill := func(n int) (*limiter, []*conn) {
		l := newLimiter(limits)
		var all []*conn
		for i := range n {
			c := &conn{addressPrefix: netip.MustParsePrefix(fmt.Sprintf("192.0.2.%d/32", i/4))}
			if dropped, refused := l.addConn(c, now); dropped != nil || refused != "" {
				t.Fatalf("connection %d: %v, %q", i, dropped, refused)
			}
			all = append(all, c)
		}
		return l, all
	}
	elsewhere := netip.MustParsePrefix("203.0.113.1/32")
	for _, tt := range []struct {
		name    string
		waiting int
		after   time.Duration
		offered int // the first so many have offered a key
		from    netip.Prefix
		dropped int // -1: none
		refused refusal
	}{
		{"all are left in peace below the limit", 99, time.Minute, 0, elsewhere, -1, ""},
		{"at the limit the oldest without a key goes", 100, time.Minute, 7, elsewhere, 7, ""},
		{"even a young one", 100, 0, 0, elsewhere, 0, ""},
		{"also where all have offered a key", 100, time.Minute, 100, elsewhere, 0, ""},
		{"an address at its limit loses its own", 8, time.Minute, 0, netip.MustParsePrefix("192.0.2.1/32"), 4, ""},
		{"unless they are young", 8, time.Second, 0, netip.MustParsePrefix("192.0.2.1/32"), -1, tooManyPerAddress},
	} {
		l, all := fill(tt.waiting)
		for _, c := range all[:tt.offered] {
			l.noteKeyOffer(c, "SHA256:x")
		}
		dropped, refused := l.addConn(&conn{addressPrefix: tt.from}, now.Add(tt.after))
		if i := slices.Index(all, dropped); i != tt.dropped || refused != tt.refused {
			t.Errorf("%s: dropped %d, refused %q", tt.name, i, refused)
		}
		if dropped != nil {
			l.removeConn(dropped) // when its goroutine ends
			if refused := l.admit(dropped, "anna", notRefused); refused == notRefused {
				t.Errorf("%s: one that was dropped is let in", tt.name)
			}
		}
		want := tt.waiting + 1
		if tt.refused != "" || tt.dropped >= 0 {
			want--
		}
		if _, waiting, _ := l.counts(); waiting != want {
			t.Errorf("%s: %d are waiting, want %d", tt.name, waiting, want)
		}
	}
}

func TestManyAddressesFillNoTable(t *testing.T) {
	l := newLimiter(DefaultLimits())
	now := time.Now()
	for i := range 3 * maxAddresses {
		c := &conn{addressPrefix: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}),
			32)}
		if _, refused := l.addConn(c, now); refused != notRefused {
			t.Fatalf("address %d is refused: %q", i, refused)
		}
		l.removeConn(c)
	}
	if len(l.addresses) > maxAddresses {
		t.Errorf("%d addresses are remembered", len(l.addresses))
	}
}

func TestLimitsAreSetAnew(t *testing.T) {
	limits := limitsWith(func(l *Limits) { l.MaxPerUser = 1 })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		s.client("anna", anna)
		x := open(t, s.client("anna", anna), 80, 24)
		if err := <-x.over; status(err) != 1 {
			t.Errorf("ended with %v", err)
		}
		_ = s.Reload(limitsWith(func(l *Limits) { l.MaxPerUser = 2 }), "", []string{"run"})
		c := s.client("anna", anna)
		sess, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		if out, err := sess.CombinedOutput("ask x"); status(err) != 2 ||
			!strings.Contains(string(out), "only these commands are run here: run") {
			t.Errorf("%v, %s", err, out)
		}
	})
}

// TestOfferedKeysKeepNobodyOut offers anna's public key, which everybody can have, on all the connections that there
// may be, without ever signing.
func TestOfferedKeysKeepNobodyOut(t *testing.T) {
	testWithFakeClock(t, DefaultLimits(), func(t *testing.T, s *serverFixture, anna gossh.Signer, from *string) {
		for i := range 150 {
			*from = fmt.Sprintf("198.51.100.%d", i)
			go func() {
				c, err := s.connect(config("anna", keys(slowSigner{anna.(gossh.AlgorithmSigner), time.Hour})))
				if err == nil {
					c.Close()
				}
			}()
			synctest.Wait()
		}
		if _, waiting, _ := s.limiter.counts(); waiting != 100 {
			t.Errorf("%d are waiting", waiting)
		}
		*from = "192.0.2.7"
		c := s.client("anna", anna)
		open(t, c, 80, 24).sees("hello anna")
		want := "Closed a connection that had not logged in, for a new one\" from=198.51.100.0:" // the oldest
		if log := s.log.String(); !strings.Contains(log, want) ||
			!strings.Contains(log, "key="+gossh.FingerprintSHA256(anna.PublicKey())) {
			t.Errorf("%s is not in the log", want)
		}
		time.Sleep(2 * time.Hour)
	})
}

// TestAnOfficeBehindOneAddress lets many users in from one address, who log in at the same time.
func TestAnOfficeBehindOneAddress(t *testing.T) {
	limits := limitsWith(func(l *Limits) { l.MaxConnections, l.MaxPerUser = 200, 200 })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		for range 150 {
			open(t, s.client("anna", anna), 80, 24)
		}
		if in, _, _ := s.limiter.counts(); in != 150 {
			t.Errorf("%d are in", in)
		}
	})
}

// On a reload nobody waits for a second look: the operator says that the files are as they should be.
func TestAReloadEndsWhatAKeyOpenedAtOnce(t *testing.T) {
	testWithFakeClock(t, DefaultLimits(), func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		x := open(t, s.client("anna", anna), 80, 24)
		synctest.Wait()
		write(t, filepath.Join(s.dir, "keys", "anna"), line(newKey(t), "x"))
		began := time.Now()
		_ = s.Reload(DefaultLimits(), "", nil)
		if err := <-x.over; status(err) != 0 || time.Since(began) > 2*time.Second {
			t.Errorf("ended with %v after %v", err, time.Since(began))
		}
	})
}

func TestAUserHasSoManyConnections(t *testing.T) {
	limits := limitsWith(func(l *Limits) { l.MaxPerUser, l.MaxConnections = 2, 4 })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		bob := newKey(t)
		write(t, filepath.Join(s.dir, "keys", "bob"), line(bob, ""))
		a, b := s.client("anna", anna), s.client("anna", anna) // one of which asks for nothing
		open(t, b, 80, 24)
		synctest.Wait()
		third := s.client("anna", anna)
		if in, waiting, _ := s.limiter.counts(); in != 3 || waiting != 1 {
			t.Errorf("%d connections, %d of nobody", in, waiting)
		}
		c := open(t, third, 80, 24)
		if err := <-c.over; status(err) != 1 || !strings.Contains(c.said.String()+c.String(), "logged in as often") {
			t.Errorf("the third screen of a user: %v, %q", err, c.said.String())
		}
		open(t, s.client("bob", bob), 80, 24).sees("hello bob") // anna does not take the places of others
		a.Close()
		synctest.Wait()
		time.Sleep(time.Second)
		d := open(t, s.client("anna", anna), 80, 24)
		synctest.Wait()
		time.Sleep(time.Second)
		if !strings.Contains(d.String(), "hello anna") {
			t.Error("a place that became free is not given again")
		}
		began := time.Now()
		e := s.client("anna", anna) // has no place, and does not ask why
		if _ = e.Wait(); time.Since(began) > 10*time.Second {
			t.Errorf("it stayed for %v", time.Since(began))
		}
	})
}
