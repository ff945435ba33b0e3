// Package termtext is the boundary between text from outside and the screen.
// Answers, errors, file names, pasted text and settings are foreign: they may
// carry escape sequences, controls, invisible and direction-changing characters,
// or broken UTF-8. Everything foreign passes [Clean], [Line] or [Reveal] before
// it is styled, and everything that was rendered from it passes [Allow] after.
//
// In error messages, [Quote], [Escape] and [Cut] show foreign text bounded.
//
// Cleaned text measures the same by grapheme (Lip Gloss, the layout) and by
// code point (the cell grid of Bubble Tea in most terminals), so that no text
// can move a border.
//
// It imports no layer above it and does no I/O.
package termtext
