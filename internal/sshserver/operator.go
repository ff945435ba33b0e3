package sshserver

import (
	"time"

	"confab/internal/safego"
	"confab/internal/termtext"
)

// OpenSession describes a session that is open.
type OpenSession struct {
	User  string    `json:"user"` // the id
	From  string    `json:"from"`
	Key   string    `json:"key"` // the fingerprint
	Since time.Time `json:"since"`
}

// Sessions returns the sessions that are open, in no order.
func (s *Server) Sessions() []OpenSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []OpenSession
	for l := range s.leases {
		all = append(all, OpenSession{l.grant.user.ID, l.grant.from.String(), l.grant.user.Fingerprint, l.since})
	}
	return all
}

// Kick ends the sessions of a user, who may log in again, and returns how many it has ended.
func (s *Server) Kick(userID string) (ended int) {
	for _, l := range s.openLeases() {
		if l.grant.user.ID == userID && s.endGrant(l, ExitByOperator) {
			ended++
		}
	}
	return ended
}

// Notify shows a line on the screens of a user and returns on how many.
func (s *Server) Notify(userID, text string) (screens int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.leases {
		if l.grant.user.ID == userID && l.program != nil {
			p := l.program
			safego.Go(s.log, "notify", func() { p.Send(notice(" " + termtext.Line(text) + " ")) }, nil)
			screens++
		}
	}
	return screens
}

// isDisabled reports whether the operator keeps a user out.
func (s *Server) isDisabled(userID string) bool { return s.disabled != nil && s.disabled(userID) }

// Drain lets nobody in any more; who tries reads why. Sessions stay, and when the last has ended, Serve does too.
func (s *Server) Drain() {
	s.mu.Lock()
	isNew, sessions := !s.draining, len(s.leases)
	s.draining = true
	s.mu.Unlock()
	if !isNew {
		return
	}
	s.log.Info("No new logins are taken, and the server stops after the last session", "sessions", sessions)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteDrainedLocked()
}

func (s *Server) isDraining() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draining
}

// noteDrainedLocked lets Serve end when a draining server has no session left. No session can begin after that.
func (s *Server) noteDrainedLocked() {
	if s.draining && len(s.leases) == 0 && s.closing.Err() == nil {
		s.close()
		close(s.drained)
	}
}
