// Package themes holds the palettes confab ships, reads those of the user, and
// builds every style of the program from one palette: the screen's own, the
// inputs', the help's. Package themes/codestyle makes those of code, so that a
// package that needs colours only does not import a highlighter.
//
// It imports no other layer and reads no file by itself: user themes come in as
// bytes.
package themes
