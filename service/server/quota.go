package server

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// quotas count what each client asks. Rates are counted in this process alone: several servers behind one address count
// each for itself. What was asked in a day is kept, and shared, by the ledger.
type quotas struct {
	rate, quota int // of clients without their own
	now         func() time.Time
	ledger      *ledger // nil: the day's counts are in memory only

	mu        sync.Mutex
	use       map[string]*usage // by the key's id
	changed   bool              // since the ledger was written
	others    map[string]int    // what other servers were asked by each client
	othersDay string            // on that day
}

// usage is what one client has asked.
type usage struct {
	perMinute int
	bucket    *rate.Limiter
	day       string
	asked     int
}

func newQuotas(perMinute, perDay int) *quotas {
	return &quotas{rate: perMinute, quota: perDay, now: time.Now, use: map[string]*usage{}}
}

// count counts a request of c, or refuses it with how long to wait.
func (q *quotas) count(c Client) error {
	perMinute, perDay := limit(c.Rate, q.rate), limit(c.Quota, q.quota)
	if perMinute == 0 && perDay == 0 {
		return nil
	}
	now := q.now().UTC()
	q.mu.Lock()
	defer q.mu.Unlock()
	u := q.use[c.ID]
	if u == nil {
		u = &usage{}
		q.use[c.ID] = u // as many as there are keys
	}
	if today := now.Format(time.DateOnly); u.day != today {
		u.day, u.asked = today, 0
	}
	all := u.asked
	if q.othersDay == u.day {
		all += q.others[c.ID]
	}
	if perDay > 0 && all >= perDay {
		return tooMany(fmt.Sprintf("The quota of this key, %d requests a day, is used up; it begins anew at midnight "+
			"UTC.", perDay), now.Truncate(24*time.Hour).Add(24*time.Hour).Sub(now))
	}
	if u.bucket == nil || u.perMinute != perMinute {
		// ten seconds' worth at once
		u.perMinute, u.bucket = perMinute, rate.NewLimiter(rate.Limit(float64(perMinute)/60), max(1, perMinute/6))
	}
	if perMinute > 0 {
		if r := u.bucket.ReserveN(now, 1); r.DelayFrom(now) > 0 {
			wait := r.DelayFrom(now)
			r.CancelAt(now)
			return tooMany(fmt.Sprintf("This key may ask %d times a minute; try again in a moment.", perMinute), wait)
		}
	}
	u.asked++
	q.changed = q.changed || perDay > 0
	return nil
}

// limit is a client's own limit, or the server's; 0 is none.
func limit(own, common int) int {
	if own != 0 {
		return max(own, 0)
	}
	return common
}
