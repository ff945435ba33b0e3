// Package measure holds the figures confab shows of answers, and how they are
// said: sizes are exact, tokens are a guess, times are a median with its range
// and never a percentile of few samples.
//
// It is pure and imports no other room.
package measure
