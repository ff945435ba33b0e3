package runs

import (
	"cmp"
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
func shortTime(d time.Duration) string { return strings.ReplaceAll(format.Seconds(d), " ", "") }

// wholeSeconds formats the time since a moment, without a fraction.
func wholeSeconds(from, now time.Time) string {
	return strings.Replace(format.Seconds(max(now.Sub(from), 0).Truncate(time.Second)), ".0 ", " ", 1)
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
	return ansi.Truncate(texts[len(texts)-1], w, "…")
}

// maxLineBytes bounds how much of a foreign text is used for one line.
const maxLineBytes = 4000

// oneLine cleans a foreign text and joins its lines.
func oneLine(s string) string {
	if len(s) > maxLineBytes {
		s = strings.ToValidUTF8(s[:maxLineBytes], "") + "…"
	}
	return termtext.Line(s)
}

// codeWords returns the code of an error as words.
func codeWords(code string) string { return strings.ReplaceAll(oneLine(code), "_", " ") }

// failureText explains the code of an error. The sentence of the answer itself is not part of a run's table.
func failureText(code string) string {
	texts := map[string]string{
		"timeout":           "the answer did not come in time",
		"rate_limited":      "the service had too many requests",
		"quota":             "the quota was used up",
		"unauthorized":      "the service refused the key",
		"unknown_model":     "the service does not know the model",
		"bad_request":       "the service refused the request",
		"service":           "the service failed",
		"network":           "the service could not be reached",
		"bad_response":      "the service sent something that is not an answer",
		"too_large":         "the answer was too large",
		"bad_image":         "what came is not a picture",
		"image_unreachable": "the service could not fetch the picture",
		"config":            "the configuration does not allow the call",
		"store":             "the answer could not be stored",
		"disk":              "the picture could not be saved",
	}
	return cmp.Or(texts[code], "the call failed")
}
