package sshserver_test

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/sshserver"

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
	must(s.t, err)
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
	limits := limitsWith(func(l *sshserver.Limits) { l.IdleTimeout = time.Hour })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, from *string) {
		user := open(t, s.client("anna", anna), 100, 24)
		began := time.Now()
		var silent []<-chan struct{}
		for i := range 400 {
			*from = fmt.Sprintf("198.51.%d.%d", i/4/200, i/4%200)
			silent = append(silent, s.openSilentConn())
		}
		if n := countClosed(silent); n != 300 {
			t.Errorf("%d of 400 are closed", n)
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

// countClosed returns how many connections the server has closed. It is for a bubble.
func countClosed(all []<-chan struct{}) (n int) {
	synctest.Wait()
	for _, closed := range all {
		select {
		case <-closed:
			n++
		default:
		}
	}
	return n
}

func TestWhoIsDroppedForANewConnection(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) { l.MaxUnauthenticated, l.MaxPerAddress = 4, 2 })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, from *string) {
		signed := make(chan error, 1)
		go func() {
			c, err := s.connect(config("anna", keys(slowSigner{anna.(gossh.AlgorithmSigner), 5 * time.Second})))
			if err == nil {
				c.Close()
			}
			signed <- err
		}()
		synctest.Wait()
		*from = "198.51.100.1"
		silent := []<-chan struct{}{s.openSilentConn(), s.openSilentConn()}
		s.isRefused("just logging in from your address") // both are young
		time.Sleep(3 * time.Second)
		silent = append(silent, s.openSilentConn())
		if n := countClosed(silent[:1]); n != 1 || countClosed(silent) != 1 {
			t.Errorf("an address at its limit loses %d of its oldest, %d in all", n, countClosed(silent))
		}
		for _, *from = range []string{"198.51.100.2", "198.51.100.3"} {
			silent = append(silent, s.openSilentConn())
		}
		if n := countClosed(silent[:2]); n != 2 || countClosed(silent) != 2 {
			t.Errorf("at the limit %d of the oldest go, %d in all", n, countClosed(silent))
		}
		if err := <-signed; err != nil {
			t.Errorf("who had offered a key goes first: %v", err)
		}
		for _, closed := range silent {
			<-closed
		}
	})
}

// TestLimitsHoldForThoseWhoWait fills the last place while somebody signs.
func TestLimitsHoldForThoseWhoWait(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) { l.MaxConnections = 1 })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		late := make(chan *gossh.Client, 1)
		go func() {
			late <- s.client("anna", slowSigner{anna.(gossh.AlgorithmSigner), 5 * time.Second})
		}()
		synctest.Wait()
		s.client("anna", anna)
		x := open(t, <-late, 80, 24)
		if err := <-x.over; status(err) != 1 || !strings.Contains(x.said.String(), "as many visitors") {
			t.Errorf("ended with %v: %s", err, x.said)
		}
	})
}

func TestLimitsAreSetAnew(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) { l.MaxPerUser = 1 })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		s.client("anna", anna)
		x := open(t, s.client("anna", anna), 80, 24)
		if err := <-x.over; status(err) != 1 {
			t.Errorf("ended with %v", err)
		}
		_ = s.Reload(limitsWith(func(l *sshserver.Limits) { l.MaxPerUser = 2 }), "", []string{"run"})
		c := s.client("anna", anna)
		sess, err := c.NewSession()
		must(t, err)
		if out, err := sess.CombinedOutput("ask x"); status(err) != 2 ||
			!strings.Contains(string(out), "only these commands are run here: run") {
			t.Errorf("%v, %s", err, out)
		}
	})
}

// TestOfferedKeysKeepNobodyOut offers anna's public key, which everybody can have, on all the connections that there
// may be, without ever signing.
func TestOfferedKeysKeepNobodyOut(t *testing.T) {
	testWithFakeClock(
		t,
		sshserver.DefaultLimits(),
		func(t *testing.T, s *serverFixture, anna gossh.Signer, from *string) {
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
			*from = "192.0.2.7"
			c := s.client("anna", anna)
			open(t, c, 80, 24).sees("hello anna")
			want := "Closed a connection that had not logged in, for a new one\" from=198.51.100.0:" // the oldest
			if log := s.log.String(); !strings.Contains(log, want) ||
				!strings.Contains(log, "key="+gossh.FingerprintSHA256(anna.PublicKey())) {
				t.Errorf("%s is not in the log", want)
			}
			time.Sleep(2 * time.Hour)
		},
	)
}

// TestAnOfficeBehindOneAddress lets many users in from one address, who log in at the same time.
func TestAnOfficeBehindOneAddress(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) { l.MaxConnections, l.MaxPerUser = 200, 200 })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		for range 150 {
			open(t, s.client("anna", anna), 80, 24)
		}
	})
}

// On a reload nobody waits for a second look: the operator says that the files are as they should be.
func TestAReloadEndsWhatAKeyOpenedAtOnce(t *testing.T) {
	testWithFakeClock(t, sshserver.DefaultLimits(), func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		x := open(t, s.client("anna", anna), 80, 24)
		synctest.Wait()
		write(t, filepath.Join(s.dir, "keys", "anna"), line(newKey(t), "x"))
		began := time.Now()
		_ = s.Reload(sshserver.DefaultLimits(), "", nil)
		if err := <-x.over; status(err) != 0 || time.Since(began) > 2*time.Second {
			t.Errorf("ended with %v after %v", err, time.Since(began))
		}
	})
}

func TestAUserHasSoManyConnections(t *testing.T) {
	limits := limitsWith(func(l *sshserver.Limits) { l.MaxPerUser, l.MaxConnections = 2, 4 })
	testWithFakeClock(t, limits, func(t *testing.T, s *serverFixture, anna gossh.Signer, _ *string) {
		bob := newKey(t)
		write(t, filepath.Join(s.dir, "keys", "bob"), line(bob, ""))
		a, b := s.client("anna", anna), s.client("anna", anna) // one of which asks for nothing
		open(t, b, 80, 24)
		synctest.Wait()
		third := s.client("anna", anna)
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
