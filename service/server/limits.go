package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"confab/service/accounts"
)

// requestLimiter limits how many requests are worked on at a time, and how many wait for that.
type requestLimiter struct {
	slots      *semaphore.Weighted
	waiting    atomic.Int64
	maxWaiting int64
}

func newRequestLimiter(working, waiting int) *requestLimiter {
	return &requestLimiter{slots: semaphore.NewWeighted(int64(working)), maxWaiting: int64(waiting)}
}

// acquire waits for a slot and returns the function that frees it. The error is a refusal when too many wait, or the
// cause for which ctx ended.
func (l *requestLimiter) acquire(ctx context.Context) (release func(), err error) {
	release = func() { l.slots.Release(1) }
	if l.slots.TryAcquire(1) {
		return release, nil
	}
	defer l.waiting.Add(-1)
	if l.waiting.Add(1) > l.maxWaiting {
		return nil, busy()
	}
	if l.slots.Acquire(ctx, 1) != nil {
		return nil, context.Cause(ctx)
	}
	return release, nil
}

// clientRates limit how often clients ask, in this process alone: several servers behind one address count each for
// itself.
type clientRates struct {
	common int // requests a minute of clients without a rate of their own

	mu       sync.Mutex
	limiters map[string]clientRate // by the key's id
}

// clientRate limits the requests of a client.
type clientRate struct {
	perMinute int
	limiter   *rate.Limiter
}

// countRequest counts a request of c, or refuses it with how long to wait.
func (s *Server) countRequest(ctx context.Context, c Client) error {
	if c.ID == "" {
		return nil // the owner of the server
	}
	now := time.Now()
	reservation, err := s.rates.take(c, now)
	if err != nil {
		return err
	}
	err = s.Counter.Reserve(ctx, subjectOf(c), 1, c.Limits(s.Quotas(c)))
	if exceeded := (*accounts.ExceededError)(nil); errors.As(err, &exceeded) {
		if reservation != nil {
			reservation.CancelAt(now)
		}
		return tooMany(exceeded.Error(), exceeded.Resets.Sub(now))
	}
	return err
}

// take counts a request for the rate of a client; nil without a rate.
func (r *clientRates) take(c Client, now time.Time) (*rate.Reservation, error) {
	perMinute := limit(c.Rate, r.common)
	if perMinute == 0 {
		return nil, nil //nolint:nilnil // there is nothing to give back
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	u := r.limiters[c.ID]
	if u.perMinute != perMinute {
		// ten seconds' worth at once
		u = clientRate{perMinute, rate.NewLimiter(rate.Limit(float64(perMinute)/60), max(1, perMinute/6))}
		r.limiters[c.ID] = u // as many as there are keys
	}
	reservation := u.limiter.ReserveN(now, 1)
	if wait := reservation.DelayFrom(now); wait > 0 {
		reservation.CancelAt(now)
		return nil, tooMany(fmt.Sprintf("This key may ask %d times a minute; try again in a moment.", perMinute), wait)
	}
	return reservation, nil
}

// addUse counts what a request took besides being one, unless it was refused.
func (s *Server) addUse(ctx context.Context, c *apiCall, bytes int64) {
	if c.isGranted && c.client.ID != "" {
		s.Counter.Add(ctx, subjectOf(c.client), accounts.Amounts{
			Tokens: int64(c.usage.InputTokens + c.usage.OutputTokens), Bytes: bytes + c.bodySize,
			Cost: s.Cost(c.model.Slug, c.facts.Model, c.usage),
		})
	}
}

func subjectOf(c Client) accounts.Subject { return accounts.Subject{Kind: accounts.Key, Name: c.ID} }

// Limits returns what a client may use where others have common limits.
func (c Client) Limits(common accounts.Limits) accounts.Limits {
	common.Day.Answers = int64(limit(c.Quota, int(common.Day.Answers)))
	return common
}

// limit returns a client's own limit, or else the common one; 0 is none.
func limit(own, common int) int {
	if own != 0 {
		return max(own, 0)
	}
	return common
}
