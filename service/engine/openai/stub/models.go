package stub

import "net/http"

// List replaces the models that /models lists, also while requests come.
func (s *Server) List(models ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Listed = models
}

// Serve answers a path with a JSON body, as real servers tell of their models.
func (s *Server) Serve(path, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bodies == nil {
		s.bodies = map[string]string{}
	}
	s.bodies[path] = body
}

func (s *Server) models(w http.ResponseWriter) {
	type one struct {
		ID     string `json:"id"`
		Object string `json:"object"`
	}
	all := []one{}
	s.mu.Lock()
	listed := s.Listed
	s.mu.Unlock()
	for _, m := range listed {
		all = append(all, one{m, "model"})
	}
	answer(w, map[string]any{"object": "list", "data": all})
}
