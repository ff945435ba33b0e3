package runs

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
)

// The signs of a cell.
const (
	signPassed    = "✓"
	signFailed    = "✗"
	signError     = "!"
	signSkipped   = "?" // a check was skipped
	signUnchecked = "○" // there is no check
	signReused    = "≈"
	signNone      = "·" // the suite does not ask it, or it has no answer
)

// shortTime formats a time for a cell, without a blank: "1.9s", "12s", "2m05s".
func shortTime(d time.Duration) string {
	s := d.Seconds()
	switch {
	case s < 9.95:
		return strconv.FormatFloat(s, 'f', 1, 64) + "s"
	case s < 99.5:
		return strconv.FormatFloat(s, 'f', 0, 64) + "s"
	}
	return fmt.Sprintf("%dm%02ds", int(s)/60, int(s)%60)
}

// timeRange formats the shortest and the longest of sorted times: "(1.8–4.0)".
func timeRange(times []time.Duration) string {
	return fmt.Sprintf("(%.1f–%.1f)", times[0].Seconds(), times[len(times)-1].Seconds())
}

// wholeSeconds formats the time since a moment, without a fraction.
func wholeSeconds(from, now time.Time) string {
	s := max(int(now.Sub(from).Seconds()), 0)
	if s < 100 {
		return strconv.Itoa(s) + " s"
	}
	return format.Seconds(time.Duration(s) * time.Second)
}

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

// firstFitting returns the first of the texts that fits into w cells, else the last one, cut.
func firstFitting(w int, texts ...string) string {
	for _, t := range texts {
		if utf8.RuneCountInString(t) <= w {
			return t
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return ansi.Truncate(texts[len(texts)-1], w, "…")
}

// maxLineBytes bounds how much of a foreign text is used for one line.
const maxLineBytes = 4000

// oneLine cleans a foreign text and joins its lines.
func oneLine(s string) string {
	if len(s) > maxLineBytes {
		cut := maxLineBytes
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return termtext.Line(s)
}

// codeWords returns the code of an error as words.
func codeWords(code string) string { return strings.ReplaceAll(oneLine(code), "_", " ") }

// failureText explains the code of an error. The sentence of the answer itself is not part of a run's table.
func failureText(code string) string {
	switch code {
	case "timeout":
		return "the answer did not come in time"
	case "rate_limited":
		return "the service had too many requests"
	case "unauthorized":
		return "the service refused the key"
	case "unknown_model":
		return "the service does not know the model"
	case "bad_request":
		return "the service refused the request"
	case "service":
		return "the service failed"
	case "network":
		return "the service could not be reached"
	case "bad_response":
		return "the service sent something that is not an answer"
	case "too_large":
		return "the answer was too large"
	case "bad_image":
		return "what came is not a picture"
	case "image_unreachable":
		return "the service could not fetch the picture"
	case "config":
		return "the configuration does not allow the call"
	case "store":
		return "the answer could not be stored"
	case "disk":
		return "the picture could not be saved"
	}
	return "the call failed"
}
