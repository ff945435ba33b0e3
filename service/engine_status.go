package service

import (
	"context"

	"confab/history"
)

// EngineStatus says who answers a model of the embedded service.
type EngineStatus struct {
	Engine   string `json:"engine,omitempty"`         // its name in the configuration; empty when nobody answers
	Model    string `json:"engine_model,omitempty"`   // what it calls the model; empty when that is the slug
	IsUp     bool   `json:"-"`                        // it answers just now
	Problem  string `json:"engine_problem,omitempty"` // why it does not, in a sentence
	Fallback string `json:"fallback,omitempty"`       // who answers when it cannot; empty for none
}

// IsSimulated tells that the answers are made up.
func (a EngineStatus) IsSimulated() bool { return a.Engine == history.Offline }

// EngineStatuses asks the engines of the embedded service whether they are up, which takes a few seconds at most, and
// says who answers each model of the catalogue, by its slug. It is empty where another service answers.
func (s *Service) EngineStatuses(ctx context.Context) (map[string]EngineStatus, error) {
	if s.o.Engines == nil {
		return nil, nil
	}
	return s.o.Engines(ctx)
}
