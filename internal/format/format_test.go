package format_test

import (
	"testing"
	"time"

	"confab/internal/format"
)

func TestNumbers(t *testing.T) {
	for want, got := range map[string]string{
		"0 turns":      format.Count(0, "turn"),
		"1 turn":       format.Count(1, "turn"),
		"12 turns":     format.Count(12, "turn"),
		"1 model is":   format.Several(1, "model is", "models are"),
		"3 models are": format.Several(3, "model is", "models are"),
		"0.4 s":        format.Seconds(370 * time.Millisecond),
		"12 s":         format.Seconds(12300 * time.Millisecond),
		"2 m 05 s":     format.Seconds(125 * time.Second),
		"10 s":         format.Seconds(9960 * time.Millisecond),
		"1 m 40 s":     format.Seconds(99700 * time.Millisecond),
		"999 B":        format.Size(999),
		"20 kB":        format.Size(20_100),
		"1.4 MB":       format.Size(1_430_000),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, zone)
	for _, tt := range []struct {
		at          time.Time
		day, moment string
	}{
		{time.Time{}, "", ""},
		{now.Add(-10 * time.Minute), "today 00:20", "today 00:20"},
		{now.Add(-40 * time.Minute), "yesterday", "28 Feb 23:50"},
		{now.Add(-40 * time.Minute).UTC(), "yesterday", "28 Feb 23:50"},
		{now.AddDate(0, 0, -2), "27 Feb", "27 Feb 00:30"},
		{now.AddDate(-1, 0, 0), "1 Mar 2025", "1 Mar 2025 00:30"},
	} {
		if got := format.Day(tt.at, now); got != tt.day {
			t.Errorf("%v is %q, want %q", tt.at, got, tt.day)
		}
		if got := format.Moment(tt.at, now); got != tt.moment {
			t.Errorf("%v is %q to the minute, want %q", tt.at, got, tt.moment)
		}
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 6, 10, 15, 4, 5, 0, time.UTC) // a Wednesday
	for want, at := range map[string]time.Time{
		"":            {},
		"now":         now.Add(-59 * time.Second),
		"1 min ago":   now.Add(-time.Minute),
		"59 min ago":  now.Add(-59 * time.Minute),
		"today 14:00": now.Add(-64*time.Minute - 5*time.Second),
		"yesterday":   now.AddDate(0, 0, -1),
		"Monday":      now.AddDate(0, 0, -2),
		"Friday":      now.AddDate(0, 0, -5),
		"3 Jun":       now.AddDate(0, 0, -7),
		"today 15:10": now.Add(6 * time.Minute),
	} {
		if got := format.Ago(at, now); got != want {
			t.Errorf("%v: got %q want %q", at, got, want)
		}
	}
}

func TestNumbersAndMoney(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1204: "1,204", 1234567: "1,234,567", -1204: "-1,204",
		-999: "-999"} {
		if got := format.Number(n); got != want {
			t.Errorf("Number(%d) is %q, want %q", n, got, want)
		}
	}
	for _, tt := range []struct {
		amount         float64
		currency, want string
	}{{1.239, "USD", "$1.24"}, {0.0031, "USD", "$0.0031"}, {0.12, "CHF", "CHF 0.12"}, {0, "EUR", "€0.00"},
		{0.000_000_000_1, "USD", "$0.00000000"}, {0.05, "", "0.050"}} {
		if got := format.Money(tt.amount, tt.currency); got != tt.want {
			t.Errorf("Money(%g, %q) is %q, want %q", tt.amount, tt.currency, got, tt.want)
		}
	}
}

func TestRatio(t *testing.T) {
	for _, tt := range []struct {
		w, h float64
		want string
	}{{1344, 768, "16:9"}, {1920, 1080, "16:9"}, {768, 1344, "9:16"}, {1024, 1024, "1:1"}, {1024, 1000, "1:1"},
		{640, 480, "4:3"}, {2600, 1000, "2.60:1"}, {100, 1000, "0.10:1"}} {
		if got := format.Ratio(tt.w / tt.h); got != tt.want {
			t.Errorf("%v×%v: got %s want %s", tt.w, tt.h, got, tt.want)
		}
	}
}
