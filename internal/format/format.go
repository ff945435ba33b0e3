package format

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Count returns a number with its noun: "1 turn", "2 turns".
func Count(n int, noun string) string { return Several(n, noun, noun+"s") }

// Several is [Count] for nouns with another plural: "1 model is", "2 models are".
func Several(n int, one, many string) string {
	return strconv.Itoa(n) + " " + Plural(n, one, many)
}

// Plural returns one for 1, and otherwise several.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// EndSentence adds a full stop to a text unless it ends a sentence already.
func EndSentence(text string) string {
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") {
		return text
	}
	return text + "."
}

// Number formats a whole number with commas between thousands, as "1,204".
func Number(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Money formats an amount with two decimals, or up to the first two that are not 0: "$1.24", "$0.0031", "CHF 0.12".
func Money(amount float64, currency string) string {
	sign, ok := map[string]string{"USD": "$", "EUR": "€", "GBP": "£"}[currency]
	if !ok {
		sign = strings.TrimPrefix(currency+" ", " ")
	}
	digits := 2
	for x := amount; x > 0 && x < 0.1 && digits < 8; x *= 10 {
		digits++
	}
	return sign + strconv.FormatFloat(amount, 'f', digits, 64)
}

// Seconds formats a duration wherever people read one: "1.2 s" below ten seconds, "12 s" below a hundred, and else
// "2 m 05 s".
func Seconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 9.95:
		return fmt.Sprintf("%.1f s", s)
	case s < 99.5:
		return fmt.Sprintf("%.0f s", s)
	default:
		whole := int(math.Round(s))
		return fmt.Sprintf("%d m %02d s", whole/60, whole%60)
	}
}

// Elapsed returns the time between two moments; 0 if one is unknown or the clock was set back.
func Elapsed(from, to time.Time) time.Duration {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return max(to.Sub(from), 0)
}

// WholeSeconds formats the time between two moments in whole seconds, as "3 s" or "2 m 05 s".
func WholeSeconds(from, to time.Time) string {
	return strings.Replace(Seconds(Elapsed(from, to).Truncate(time.Second)), ".0 ", " ", 1)
}

// Size formats a number of bytes as "999 B", "12 kB" or "1.5 MB".
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

// Day formats a time in now's time zone: "today 15:04", "yesterday", "2 Jan" or "2 Jan 2006"; "" for the zero time.
func Day(t, now time.Time) string {
	t = t.In(now.Location())
	switch {
	case t.IsZero():
		return ""
	case isSameDay(t, now):
		return "today " + t.Format("15:04")
	case isSameDay(t, now.AddDate(0, 0, -1)):
		return "yesterday"
	case t.Year() == now.Year():
		return t.Format("2 Jan")
	}
	return t.Format("2 Jan 2006")
}

// Moment is [Day] with hours and minutes.
func Moment(t, now time.Time) string {
	t = t.In(now.Location())
	switch {
	case t.IsZero():
		return ""
	case isSameDay(t, now):
		return "today " + t.Format("15:04")
	case t.Year() == now.Year():
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2 Jan 2006 15:04")
}

func isSameDay(a, b time.Time) bool { return a.Year() == b.Year() && a.YearDay() == b.YearDay() }

// Ago formats a recent time relative to now: "now", "12 min ago", "today 15:04", "yesterday" or the day of the week;
// older ones as [Day] does.
func Ago(t, now time.Time) string {
	t = t.In(now.Location())
	switch since := now.Sub(t); {
	case t.IsZero() || since < 0:
		return Day(t, now)
	case since < time.Minute:
		return "now"
	case since < time.Hour:
		return strconv.Itoa(int(since.Minutes())) + " min ago"
	case t.After(now.AddDate(0, 0, -6)) && !isSameDay(t, now) && !isSameDay(t, now.AddDate(0, 0, -1)):
		return t.Weekday().String()
	}
	return Day(t, now)
}

// Ratio formats a ratio of width to height: the nearest usual ratio within 5 %, such as "16:9", or else a number such
// as "2.60:1".
func Ratio(shape float64) string {
	best, nearest := "", 1.05
	for _, sides := range [][2]int{{1, 1}, {5, 4}, {4, 3}, {3, 2}, {16, 10}, {16, 9}, {2, 1}, {21, 9}, {3, 1}} {
		for _, r := range [][2]int{sides, {sides[1], sides[0]}} {
			usual := float64(r[0]) / float64(r[1])
			if off := max(shape/usual, usual/shape); off < nearest {
				best, nearest = fmt.Sprintf("%d:%d", r[0], r[1]), off
			}
		}
	}
	if best == "" {
		return fmt.Sprintf("%.2f:1", shape)
	}
	return best
}
