package sshserver

import (
	"fmt"
	"net/http"
)

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

// HealthHandler answers /healthz and /readyz. Health is 200 until the server is told to end, and 503 from then on.
// /readyz is 503 as well while the server drains, and while [Options.Ready] returns an error.
func (s *Server) HealthHandler() http.Handler {
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, problem string) {
		if problem == "" {
			_, _ = fmt.Fprintln(w, "ok") // the reader may have gone
			return
		}
		http.Error(w, problem, http.StatusServiceUnavailable)
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if s.closing.Err() != nil {
			answer(w, "closing")
			return
		}
		answer(w, "")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { answer(w, s.unreadiness()) })
	return mux
}

// unreadiness returns why no logins should be sent here now, "" when they should.
func (s *Server) unreadiness() string {
	switch {
	case s.closing.Err() != nil:
		return "closing"
	case s.isDraining():
		return "draining"
	}
	if err := s.ready(); err != nil {
		return err.Error()
	}
	return ""
}
