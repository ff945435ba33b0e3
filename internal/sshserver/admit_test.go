package sshserver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAKeyThatChangesItsOwnerOpensNothing gives anna's key to bob after anna has logged in and before a session.
func TestAKeyThatChangesItsOwnerOpensNothing(t *testing.T) {
	anna := newKey(t)
	s := newSite(t, anna).serve()
	c := s.client("anna", anna)
	must(t, os.Rename(filepath.Join(s.dir, "keys", "anna"), filepath.Join(s.dir, "keys", "bob")))
	x := open(t, c, 80, 24)
	if err := <-x.over; status(err) != 1 || !strings.Contains(x.said.String(), "your key is not authorised any more") {
		t.Errorf("ended with %v: %s%s", err, x.said, x.text)
	}
	if _, opened := s.handler.lastSession(); opened != 0 {
		t.Error("a session was opened")
	}
}
