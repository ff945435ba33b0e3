package service

import (
	"time"

	"confab/internal/format"
)

// The figures of answers; see package measure.
type (
	TextSize = format.TextSize
	Times    = format.Summary
)

// Measure returns what a text measures. It reads all of it, so a screen calls it
// in a command.
func Measure(text string) TextSize { return format.MeasureText(text) }

// SayTokens says a guess at the tokens of so many bytes of text: "~150 tok". It is
// never money.
func SayTokens(bytes int) string { return format.EstimatedTokens(bytes) }

// TimesOf returns the median and the range of times; those below zero are unknown
// and left out.
func TimesOf(times []time.Duration) Times { return format.Summarize(times) }
