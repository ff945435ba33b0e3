package api

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter is the longest wait that a service is believed to ask for.
const maxRetryAfter = 365 * 24 * time.Hour

// retryAfter reads the header of the same name: seconds or a date. It is 0 for a date in the past and for what cannot
// be read.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if header != "" && strings.Trim(header, "0123456789") == "" {
		n, err := strconv.ParseInt(header, 10, 64)
		if err != nil || n > int64(maxRetryAfter/time.Second) {
			return maxRetryAfter
		}
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), maxRetryAfter)
}
