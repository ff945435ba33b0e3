// Package terminput reads what a terminal sends and turns it into events for a Bubble Tea program.
//
// Bubble Tea's own reader trusts the terminal: some input makes it panic in a goroutine of its own, some makes it work
// or wait for minutes, and a size that is typed counts as a size. Over SSH the terminal is anybody's, and at home a
// paste without brackets is anybody's text. So this package finds the tokens of the input by itself, within limits, and
// hands only whole and harmless ones to the library's decoder, which knows the keys. The content of a bracketed paste
// is never decoded.
package terminput
