package runs

import (
	"time"

	"confab/internal/format"
)

// runPeriod returns the start and end of a run, and its length when that is under an hour: a run that was resumed
// paused meanwhile.
func runPeriod(from, to, now time.Time) string {
	from, now = from.Local(), now.Local()
	switch {
	case to.IsZero():
		return format.Moment(from, now)
	case from.Format(time.DateOnly) == to.Local().Format(time.DateOnly):
		text := format.Moment(from, now) + "–" + to.Local().Format("15:04")
		if d := to.Sub(from); d >= 0 && d < time.Hour {
			text += ", " + format.Seconds(d)
		}
		return text
	}
	return format.Moment(from, now) + " – " + format.Moment(to.Local(), now)
}
