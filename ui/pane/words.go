package pane

import (
	"fmt"
	"strings"
	"time"

	"confab/ui/terminal"
)

// Seconds says a duration as "1.24 s" under ten seconds, "12.3 s" under a
// hundred, and "2 m 05 s" from there.
func Seconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 10:
		return fmt.Sprintf("%.1f s", s)
	case s < 100:
		return fmt.Sprintf("%.0f s", s)
	default:
		return fmt.Sprintf("%d m %02d s", int(s)/60, int(s)%60)
	}
}

// fill makes the lines exactly w wide and h many.
func fill(lines []string, w, h int) []string {
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = terminal.Fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", w)
		}
	}
	return out
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Size says a number of bytes in the unit people use for it.
func Size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.0f kB", float64(n)/1000)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
}
