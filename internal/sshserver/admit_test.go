package sshserver

import (
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// TestLimitsHoldForThoseWhoWait fills the last place while others are logging in.
func TestLimitsHoldForThoseWhoWait(t *testing.T) {
	for want, limits := range map[refusal]Limits{
		tooManyConnections: {MaxConnections: 2, MaxPerAddress: 3, MaxPerMinute: 9, MaxPerUser: 9},
		tooManyPerAddress:  {MaxConnections: 9, MaxPerAddress: 2, MaxPerMinute: 9, MaxPerUser: 9},
	} {
		limits.MaxUnauthenticated = 9
		l := newLimiter(limits)
		l.random = func(int) int { return 99 } // nobody is dropped
		wait := func() *conn {
			c := &conn{addressPrefix: netip.MustParsePrefix("192.0.2.1/32")}
			if _, refused := l.addConn(c, time.Now()); refused != notRefused {
				t.Fatal(refused)
			}
			return c
		}
		first, second := wait(), wait()
		if refused := l.admit(first, "anna", notRefused); refused != notRefused {
			t.Error(refused)
		}
		third := wait()
		if refused := l.admit(second, "bob", notRefused); refused != notRefused {
			t.Error(refused)
		}
		if refused := l.admit(third, "carla", notRefused); refused != want {
			t.Errorf("the third is refused for %q, want %q", refused, want)
		}
		l.removeConn(first)
		if refused := l.admit(third, "carla", notRefused); refused != notRefused {
			t.Errorf("when a place is free: %q", refused)
		}
	}
}

func TestADisabledUserIsKeptOut(t *testing.T) {
	anna := newKey(t)
	var isDisabled atomic.Bool
	s := newSite(t, anna, func(o *Options) {
		o.IsDisabled = func(id string) bool { return id == "anna" && isDisabled.Load() }
		o.Limits.KeyCheckInterval = 10 * time.Millisecond
	}).serve()
	inside := open(t, s.client("anna", anna), 80, 24)
	inside.sees("hello anna")
	isDisabled.Store(true)
	<-inside.over
	if why := s.handler.whyLeft(); len(why) != 1 || why[0] != ExitByOperator {
		t.Errorf("the screen ended by %q", why)
	}
	// The key itself stays authorised: the checks that go on while the farewell is read must not end the session again.
	log := s.log.String()
	if n := strings.Count(log, "The operator has ended a session"); n != 1 || strings.Contains(log, "panic") {
		t.Errorf("the session was ended %d times: %s", n, log)
	}
	outside := open(t, s.client("anna", anna), 80, 24)
	if err := <-outside.over; status(err) != 1 ||
		!strings.Contains(outside.said.String(), "the operator of this server has switched off your access") {
		t.Errorf("ended with %v: %s", err, outside.said)
	}
	isDisabled.Store(false)
	open(t, s.client("anna", anna), 80, 24).sees("hello anna")
}

// TestASlowLookAtAMarkHoldsNobodyUp lists and tells users while the mark of one of them cannot be read yet.
func TestASlowLookAtAMarkHoldsNobodyUp(t *testing.T) {
	anna := newKey(t)
	var isSlow atomic.Bool
	asked, goOn := make(chan struct{}, 1), make(chan struct{})
	s := newSite(t, anna, func(o *Options) {
		o.IsDisabled = func(string) bool {
			if isSlow.CompareAndSwap(true, false) {
				asked <- struct{}{}
				<-goOn
			}
			return false
		}
		o.Limits.KeyCheckInterval = 10 * time.Millisecond
	}).serve()
	x := open(t, s.client("anna", anna), 80, 24)
	x.sees("hello anna")
	isSlow.Store(true)
	<-asked
	if all := s.Sessions(); len(all) != 1 {
		t.Errorf("%d sessions are listed", len(all))
	}
	if n := s.Notify("anna", "in a moment"); n != 1 {
		t.Errorf("shown on %d screens", n)
	}
	close(goOn)
	x.sees("in a moment")
}

// TestAKeyThatChangesItsOwnerOpensNothing gives anna's key to bob after anna has logged in and before a session.
func TestAKeyThatChangesItsOwnerOpensNothing(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	c := s.client("anna", anna)
	if err := os.Rename(filepath.Join(s.dir, "keys", "anna"), filepath.Join(s.dir, "keys", "bob")); err != nil {
		t.Fatal(err)
	}
	x := open(t, c, 80, 24)
	if err := <-x.over; status(err) != 1 || !strings.Contains(x.said.String(), "your key is not authorised any more") {
		t.Errorf("ended with %v: %s%s", err, x.said, x.text)
	}
	if _, opened := s.handler.lastSession(); opened != 0 {
		t.Error("a session was opened")
	}
}

// TestAnAnswerOfAProgramHoldsForOneKeyOfOneUser asks for other keys and users on a connection of which one is known.
func TestAnAnswerOfAProgramHoldsForOneKeyOfOneUser(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /bin/sh")
	}
	bob, stranger := newKey(t), newKey(t)
	s := newSite(t, newKey(t), withProgram(t, `[ "$1" = bob ] && cat "$0.keys"`+"\nexit 0\n"))
	write(t, filepath.Join(s.dir, "program.keys"), line(bob, ""))
	raw, other := net.Pipe()
	defer raw.Close()
	defer other.Close()
	c := &conn{Conn: raw, server: s.Server}
	for range 2 {
		if g, err := s.findGrant(t.Context(), c, "bob", bob.PublicKey()); err != nil || g.user.ID != "bob" {
			t.Errorf("bob is %v, %v", g.user, err)
		}
	}
	for login, key := range map[string]gossh.Signer{"bob": stranger, "carla": bob} {
		if g, err := s.findGrant(t.Context(), c, login, key.PublicKey()); err == nil {
			t.Errorf("another key or user is let in as %v", g.user)
		}
	}
}

// TestTheOperatorReachesOneUser tells and kicks bob beside anna.
func TestTheOperatorReachesOneUser(t *testing.T) {
	anna, bob := newKey(t), newKey(t)
	s := newSite(t, anna, func(o *Options) { write(t, filepath.Join(o.Keys, "bob"), line(bob, "")) }).serve()
	of := map[string]*client{
		"anna": open(t, s.client("anna", anna), 80, 24), "bob": open(t, s.client("bob", bob), 80, 24),
	}
	for name, x := range of {
		x.sees("hello " + name)
	}
	if n := s.Notify("bob", "tea is ready"); n != 1 {
		t.Errorf("shown on %d screens", n)
	}
	of["bob"].sees("tea is ready")
	if n := s.Kick("bob"); n != 1 {
		t.Errorf("%d sessions ended", n)
	}
	<-of["bob"].over
	of["anna"].types("still here")
	of["anna"].sees("still here")
	if strings.Contains(of["anna"].String(), "tea is ready") {
		t.Error("anna reads what bob is told")
	}
	if open := s.Sessions(); len(open) != 1 || open[0].User != "anna" {
		t.Errorf("open sessions: %v", open)
	}
}
