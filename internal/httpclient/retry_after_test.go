package httpclient_test

import (
	"net/http"
	"testing"
	"time"

	"confab/internal/httpclient"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "-7": 0, "7.5": 7500 * time.Millisecond,
		"8s": 8 * time.Second, "8 s": 8 * time.Second, "1m30s": 90 * time.Second, "250ms": 250 * time.Millisecond,
		"8 seconds": 8 * time.Second, "2 Minutes": 2 * time.Minute, `"8"`: 8 * time.Second, "soon": 0, "NaN": 0, "inf": 0,
		"99999999999999999999": httpclient.MaxRetryAfter, "9999999999": httpclient.MaxRetryAfter,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute, "Mon, 02 Jan 2006 15:04:05 GMT": 0,
		"Fri, 02 Jan 9999 03:05:05 GMT": httpclient.MaxRetryAfter, "2026-01-02T03:05:05Z": time.Minute,
	} {
		if got := httpclient.RetryAfter(http.Header{"Retry-After": {header}}, now); got != want {
			t.Errorf("%q: got %v, want %v", header, got, want)
		}
	}
	for ms, want := range map[string]time.Duration{"1500": 1500 * time.Millisecond, "soon": 8 * time.Second,
		"": 8 * time.Second} {
		h := http.Header{"Retry-After": {"8"}, "Retry-After-Ms": {ms}}
		if got := httpclient.RetryAfter(h, now); got != want {
			t.Errorf("%q before 8: got %v, want %v", ms, got, want)
		}
	}
}

// FuzzRetryAfter checks that waits are from 0 to a year.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "0", "1", "120", "-1", "1.5", "8s", "99999999999999999999", "1e99s",
		"Fri, 02 Jan 2026 03:05:05 GMT", "Mon, 02 Jan 2006 15:04:05 GMT", "soon"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := httpclient.RetryAfter(http.Header{"Retry-After": {s}}, now)
		if got < 0 || got > httpclient.MaxRetryAfter {
			t.Errorf("%q: got %v", s, got)
		}
	})
}
