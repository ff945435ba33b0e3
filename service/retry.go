package service

import (
	"fmt"
	"time"

	"confab/history"
	"confab/service/api"
)

// LacksConnection tells whether an answer failed, or waits for another attempt, because the service could not be
// reached.
func LacksConnection(a history.Answer) bool {
	return a.Progress.Failure == string(api.CodeNetwork) || a.Failure != nil &&
		a.Failure.Code == string(api.CodeNetwork)
}

// RetryWait returns how long it takes until the next attempt at a running answer; 0 when none is waited for.
func RetryWait(a history.Answer, now time.Time) time.Duration {
	if a.State != history.Running || a.Progress.RetryAt.IsZero() {
		return 0
	}
	return max(a.Progress.RetryAt.Sub(now), 0)
}

// RetrySeconds returns a wait as the whole seconds that are shown of it, at least one.
func RetrySeconds(wait time.Duration) int { return max(int(wait.Round(time.Second)/time.Second), 1) }

// RetryText says why the next attempt at a running answer is waited for, and for how long: "rate limited, trying again
// in 2 s". It is empty when none is waited for.
func RetryText(a history.Answer, now time.Time) string {
	wait := RetryWait(a, now)
	if wait == 0 {
		return ""
	}
	why := "rate limited"
	if LacksConnection(a) {
		why = "no connection"
	}
	return fmt.Sprintf("%s, trying again in %d s", why, RetrySeconds(wait))
}
