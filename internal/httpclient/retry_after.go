package httpclient

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// MaxRetryAfter is the maximum result of [RetryAfter].
const MaxRetryAfter = 365 * 24 * time.Hour

// RetryAfter returns how long a server asks to wait, from the first valid header of Retry-After-Ms and Retry-After: a
// number, a number with a unit such as 8s or 1m30s, or a date. It returns 0 for a past date, a negative number, and
// without a valid header.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	for _, one := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		for _, value := range h.Values(one.name) {
			if wait, ok := parseWait(value, one.unit, now); ok {
				return min(max(wait, 0), MaxRetryAfter)
			}
		}
	}
	return 0
}

// parseWait parses a wait; unit applies to a number without one.
func parseWait(value string, unit time.Duration, now time.Time) (time.Duration, bool) {
	value = strings.Trim(value, ` "`)
	if at, err := http.ParseTime(value); err == nil {
		return at.Sub(now), true
	}
	if at, err := time.Parse(time.RFC3339, value); err == nil {
		return at.Sub(now), true
	}
	value = strings.ToLower(value)
	if wait, err := time.ParseDuration(strings.ReplaceAll(value, " ", "")); err == nil && value != "0" {
		return wait, true
	}
	match := regexp.MustCompile(`^(-?\d*\.?\d+)\s*(?:(s|m|h)[a-z]*)?$`).FindStringSubmatch(value)
	if match == nil {
		return 0, false
	}
	switch match[2] {
	case "s":
		unit = time.Second
	case "m":
		unit = time.Minute
	case "h":
		unit = time.Hour
	}
	n, _ := strconv.ParseFloat(match[1], 64) // the pattern matches only numbers; too large ones become infinite
	return time.Duration(min(n*float64(unit), float64(MaxRetryAfter))), true
}
