package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"confab/service/accounts"
)

// quotas count what each client asks. Rates are counted in this process alone: several servers behind one address count
// each for itself. What was asked in a day is counted by the counter, which they may share.
type quotas struct {
	rate, quota int // of clients without their own
	counter     *accounts.Counter

	mu    sync.Mutex
	rates map[string]*clientRate // by the key's id
}

// clientRate limits the requests of a client.
type clientRate struct {
	perMinute int
	bucket    *rate.Limiter
}

// count counts a request of c, or refuses it with how long to wait.
func (q *quotas) count(ctx context.Context, c Client) error {
	if c.ID == "" {
		return nil // the owner of the server
	}
	now := time.Now()
	reservation, err := q.takeRate(c, now)
	if err != nil {
		return err
	}
	perDay := Limit(c.Quota, q.quota)
	err = q.counter.Reserve(ctx, subjectOf(c), 1, accounts.Limits{Day: accounts.Amounts{Answers: int64(perDay)}})
	if exceeded := (*accounts.ExceededError)(nil); errors.As(err, &exceeded) {
		if reservation != nil {
			reservation.CancelAt(now)
		}
		return tooMany(fmt.Sprintf("The quota of this key, %d requests a day, is used up; it begins anew at midnight "+
			"UTC.", perDay), exceeded.Resets.Sub(now))
	}
	return err
}

// takeRate counts a request for the rate of a client; nil without a rate.
func (q *quotas) takeRate(c Client, now time.Time) (*rate.Reservation, error) {
	perMinute := Limit(c.Rate, q.rate)
	if perMinute == 0 {
		return nil, nil //nolint:nilnil // there is nothing to give back
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	u := q.rates[c.ID]
	if u == nil || u.perMinute != perMinute {
		// ten seconds' worth at once
		u = &clientRate{perMinute, rate.NewLimiter(rate.Limit(float64(perMinute)/60), max(1, perMinute/6))}
		q.rates[c.ID] = u // as many as there are keys
	}
	r := u.bucket.ReserveN(now, 1)
	if wait := r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return nil, tooMany(fmt.Sprintf("This key may ask %d times a minute; try again in a moment.", perMinute), wait)
	}
	return r, nil
}

// addUse counts what a request took besides being one.
func (q *quotas) addUse(ctx context.Context, c *apiCall, bytes int64) {
	used := accounts.Amounts{Tokens: int64(c.usage.InputTokens + c.usage.OutputTokens), Bytes: bytes}
	if c.client.ID != "" && used != (accounts.Amounts{}) {
		q.counter.Add(ctx, subjectOf(c.client), used)
	}
}

func subjectOf(c Client) accounts.Subject { return accounts.Subject{Kind: accounts.Key, Name: c.ID} }

// Limit returns a client's own limit, or else the server's; 0 is none.
func Limit(own, common int) int {
	if own != 0 {
		return max(own, 0)
	}
	return common
}
