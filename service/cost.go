package service

import (
	"cmp"
	"math"

	"confab/history"
	"confab/internal/chat"
)

// Price is the price of a model per million tokens.
type Price struct {
	Input, Output float64
	Currency      string // such as USD
}

// setUsage sets the tokens and the cost of an answer: as the engine tells it, else at today's prices.
func (s *Service) setUsage(a *history.Answer, u chat.Usage) {
	cost := u.Cost
	u.Cost = 0
	a.Usage = u
	if a.Cost = s.costOf(*a); cost > 0 && !a.IsCached {
		a.Cost = history.Cost{Currency: "USD", Amount: cost}
	}
}

// costOf returns the cost of an answer at today's prices. It is zero if tokens or prices are unknown, and for an
// answer that the service reused.
func (s *Service) costOf(a history.Answer) history.Cost {
	if s.o.Backend.Price == nil || a.Usage == (chat.Usage{}) || a.IsCached {
		return history.Cost{}
	}
	p, ok := s.o.Backend.Price(a.Model, cmp.Or(a.EngineModel, a.Model))
	if !ok {
		return history.Cost{}
	}
	return history.Cost{Currency: p.Currency, Amount: p.Of(a.Usage)}
}

// Of returns the cost of a number of tokens.
func (p Price) Of(u chat.Usage) float64 {
	millionths := float64(u.InputTokens)*p.Input + float64(u.OutputTokens)*p.Output
	return math.Round(millionths*1e3) / 1e9
}
