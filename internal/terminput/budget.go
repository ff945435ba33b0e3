package terminput

import (
	"time"

	"golang.org/x/time/rate"
)

// The budget of the events of a terminal.
const (
	fullBudget = 50 * time.Millisecond  // also the most that is owed
	leastCost  = 100 * time.Microsecond // of one event
	typedAhead = 10                     // keys, also in a second, that are taken from a busy program's terminal anyway
)

// budget limits how long input can keep a program busy: each event costs twice the time that the program needs for it,
// and time gives it back. A flood is dropped as fast as it comes, and a key that is pressed after it is handled at
// once.
type budget struct {
	left  time.Duration
	at    time.Time
	typed *rate.Limiter
}

func newBudget() *budget {
	return &budget{left: fullBudget, at: time.Now(), typed: rate.NewLimiter(typedAhead, typedAhead)}
}

// allow tells whether there is budget for another event. Where there is none, a few are allowed that somebody may have
// typed while the program was busy.
func (b *budget) allow() bool {
	b.refill()
	return b.left > 0 || b.typed.Allow()
}

// spend takes what an event has cost that the program needed so much time for.
func (b *budget) spend(took time.Duration) {
	b.refill()
	b.left = max(b.left-max(2*took, leastCost), -fullBudget)
}

func (b *budget) refill() {
	now := time.Now()
	b.left = min(b.left+now.Sub(b.at), fullBudget)
	b.at = now
}
