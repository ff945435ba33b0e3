package sshserver

// Drain lets nobody in any more; who tries reads why. Sessions stay, and when the last has ended, Serve does too.
func (s *Server) Drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return
	}
	s.draining = true
	s.log.Info("No new logins are taken, and the server stops after the last session", "sessions", len(s.leases))
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
