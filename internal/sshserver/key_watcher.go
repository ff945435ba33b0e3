package sshserver

import (
	"time"

	"confab/internal/safego"
	"confab/internal/termtext"
)

// missedChecks is at how many checks in a row a key has to be missing before it counts as taken away: a file that is
// being written has less in it.
const missedChecks = 2

// keyWatcher ends the sessions whose keys are not authorised any more. One goroutine uses it.
type keyWatcher struct {
	version         int       // of the keys that the log has told of
	unreadableSince time.Time // zero while the keys can be read
	gaveUp          bool      // they could not be read for so long that everybody has to leave
}

// keyLease is the right of a session to go on, which lasts as long as its key is authorised.
type keyLease struct {
	user    User
	wire    string        // the key
	missed  int           // checks in a row at which the key was not there
	revoked chan struct{} // closed when the key counts as taken away
}

// leaseKey notes a session and returns what tells it that its key was taken away.
func (s *Server) leaseKey(u User, wire string) *keyLease {
	l := &keyLease{user: u, wire: wire, revoked: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leases[l] = true
	return l
}

// endLease forgets a session that has ended.
func (s *Server) endLease(l *keyLease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.leases, l)
}

// watchKeys checks the authorised keys again and again, and at once when it is told to, until the server ends.
func (s *Server) watchKeys() {
	t := time.NewTicker(s.limits.Recheck)
	defer t.Stop()
	for {
		select {
		case <-s.closing:
			return
		case <-s.recheck:
			s.checkKeys(time.Now(), true)
		case <-t.C:
			s.checkKeys(time.Now(), false)
		}
	}
}

// checkKeys ends the sessions whose keys are not authorised any more: at the second check at which they are missing,
// or at once when the operator says that the files are as they should be. Files that cannot be read, or hold no key
// at all, take nobody's key away for a while: that is how an unplugged disk looks, or an editor that is saving. They
// let nobody in, and after Patience everybody has to leave.
func (s *Server) checkKeys(now time.Time, final bool) {
	defer safego.Recover(s.log, "authorised keys", nil)
	w, keys := &s.watcher, s.keys.refresh(now)
	switch {
	case keys.err == nil:
		w.unreadableSince, w.gaveUp = time.Time{}, false
	case w.unreadableSince.IsZero():
		w.unreadableSince = now
		s.log.Error("The authorised keys cannot be read. Nobody can log in; who is logged in stays for now",
			"for", s.limits.Patience.String(), "error", termtext.Line(keys.err.Error()))
		return
	case now.Sub(w.unreadableSince) < s.limits.Patience:
		return
	case !w.gaveUp:
		w.gaveUp = true
		s.log.Error("The authorised keys could not be read for long. Everybody is logged out",
			"error", termtext.Line(keys.err.Error()))
	}
	if keys.err == nil && keys.version != w.version {
		w.version = keys.version
		s.log.Info("Read the authorised keys again", "keys", len(keys.owners))
		for _, sentence := range keys.skipped {
			s.log.Warn("A key is passed over", "why", termtext.Line(sentence))
		}
		for _, note := range keys.notes {
			s.log.Info(termtext.Line(note))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.leases {
		if keys.has(l.user.id, l.wire) {
			l.missed = 0
			continue
		}
		l.missed++
		if l.missed == missedChecks || final && l.missed < missedChecks {
			l.missed = missedChecks
			s.log.Info("A key was taken away while its user was logged in", "user", l.user.String())
			close(l.revoked)
		}
	}
}
