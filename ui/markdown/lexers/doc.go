// Package lexers finds the lexer of a programming language by its name.
//
// The files in data are chroma's own (v2.27.0, MIT, see data/COPYING), those of
// the languages people ask about; go.xml is written after chroma's, which is Go
// code. They are kept here because importing chroma's lexers reads all 280 of
// them before main starts: 6 ms and 2.7 MB, a fifth of the time to the first
// frame. Here they are read when the first block of code is drawn.
//
// It imports no other room and does no I/O.
package lexers
