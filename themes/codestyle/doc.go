// Package codestyle colours the tokens of code by a palette. It imports
// chroma's token types only, whose initialisation is cheap; lexers are the
// caller's. Unlike chroma's own formatters it needs no process-wide registry
// of styles, so that any number of themes can be drawn side by side, and it
// keeps the sixteen colours of a terminal what they are.
package codestyle
