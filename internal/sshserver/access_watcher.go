package sshserver

import (
	"maps"
	"slices"
	"time"

	"confab/internal/safego"
	"confab/internal/termtext"
)

// missedChecks is at how many checks in a row a key must be missing before its sessions end: a file that is being
// written may be incomplete at one of them.
const missedChecks = 2

// accessWatcher ends the sessions whose users or keys may not log in any more. Only one goroutine uses it.
type accessWatcher struct {
	version         int       // of the keys that was last logged
	unreadableSince time.Time // zero while the keys can be read
	gaveUp          bool      // whether the end of all sessions was logged
	problem         string    // of the file of authorities, as last logged
}

// accessLease lets a session continue for as long as its user and key may log in.
type accessLease struct {
	grant     grant
	missed    int // how many checks in a row the key was missing; of the watcher alone
	isRevoked bool
	revoked   chan struct{} // closed when the session has to end
}

// addLease registers a session. Its lease says when it has to end.
func (s *Server) addLease(g grant) *accessLease {
	l := &accessLease{grant: g, revoked: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leases[l] = true
	return l
}

// endLease removes the lease of a session that has ended.
func (s *Server) endLease(l *accessLease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.leases, l)
	s.noteDrainedLocked()
}

// watchAccess checks who may log in at every interval, and at once when a reload asks for it, until the server ends.
func (s *Server) watchAccess() {
	t := time.NewTicker(s.limits.KeyCheckInterval)
	defer t.Stop()
	for {
		select {
		case <-s.closing.Done():
			return
		case <-s.recheck:
			s.checkAccess(time.Now(), true)
		case <-t.C:
			s.checkAccess(time.Now(), false)
		}
	}
}

// checkAccess ends the sessions whose keys are no longer authorised: at the second check at which they are missing, or
// at once when final says that the operator has finished editing. Files that cannot be read, or hold no key at all,
// revoke no key for a while: an unplugged disk or an editor that is saving looks like that. Until then nobody can log
// in, and after UnreadableKeysGrace all sessions end.
func (s *Server) checkAccess(now time.Time, final bool) {
	defer safego.Recover(s.log, "authorised keys", nil)
	s.checkAuthorities()
	w, keys := &s.watcher, s.keys.refresh(now)
	switch {
	case keys.err == nil:
		w.unreadableSince, w.gaveUp = time.Time{}, false
	case w.unreadableSince.IsZero():
		w.unreadableSince = now
		s.log.Error("The authorised keys cannot be read. Nobody can log in; who is logged in stays for now",
			"for", s.limits.UnreadableKeysGrace.String(), "error", termtext.Line(keys.err.Error()))
		return
	case now.Sub(w.unreadableSince) < s.limits.UnreadableKeysGrace:
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
	}
	authorities := s.authorities.Load()
	for _, l := range s.openLeases() {
		if authorities.stillHolds(l.grant, keys) {
			l.missed = 0
			continue
		}
		l.missed++
		if l.missed >= missedChecks || final {
			s.revoke(l)
		}
	}
}

// openLeases returns the leases of all logged-in sessions, to look at without the lock: files may be slow.
func (s *Server) openLeases() []*accessLease {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.leases))
}

// revoke ends the session of a lease.
func (s *Server) revoke(l *accessLease) {
	s.mu.Lock()
	isNew := !l.isRevoked && s.leases[l]
	if isNew {
		l.isRevoked = true
		close(l.revoked)
	}
	s.mu.Unlock()
	if isNew {
		s.log.Info("A key was taken away while its user was logged in", "user", l.grant.user.ID)
	}
}

// checkAuthorities logs why the file of authorities cannot be used as it is.
func (s *Server) checkAuthorities() {
	problem := ""
	if _, err := s.authorities.Load().current(); err != nil {
		problem = termtext.Line(err.Error())
	}
	if problem != "" && problem != s.watcher.problem {
		s.log.Error("A file that decides about logins cannot be used; what it said before stays", "error", problem)
	}
	s.watcher.problem = problem
}
