// Package terminput decodes the input of a terminal into events for a Bubble Tea program.
//
// Bubble Tea's own reader trusts the terminal: some input makes it panic in its own goroutine, some blocks it for
// minutes, and typed text can change the window size. Over SSH the terminal is untrusted, and so is a paste without
// brackets. So this package splits the input into bounded tokens and passes only complete and harmless ones to the
// library's decoder, which knows the keys. It never decodes the content of a bracketed paste.
package terminput
