package sshserver

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLimitsHoldForThoseWhoWait fills the last place while others are logging in.
func TestLimitsHoldForThoseWhoWait(t *testing.T) {
	l := newLimiter(Limits{MaxConnections: 2, MaxPerAddress: 9, MaxPerMinute: 9, MaxPerUser: 9, MaxUnauthenticated: 9})
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
	if refused := l.admit(third, "carla", notRefused); refused != tooManyConnections {
		t.Errorf("the third is refused for %q", refused)
	}
	l.removeConn(first)
	if refused := l.admit(third, "carla", notRefused); refused != notRefused {
		t.Errorf("when a place is free: %q", refused)
	}
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
