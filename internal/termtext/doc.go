// Package termtext makes untrusted text safe for the screen. Answers, errors, file names, pasted text and settings
// may contain escape sequences, controls, invisible and direction-changing characters, or invalid UTF-8. Pass
// untrusted text through [Clean], [Line] or [Reveal] before styling, and text rendered from it through [Allow]
// afterwards.
//
// In error messages, [Quote], [Escape] and [Cut] show untrusted text bounded.
//
// Cleaned text has the same width by grapheme (Lip Gloss, the layout) and by code point (the cell grid of Bubble Tea
// in most terminals), so that it cannot move a border.
//
// The package imports no layer above it and does no I/O.
package termtext
