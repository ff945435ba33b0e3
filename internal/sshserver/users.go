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
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.leases {
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
