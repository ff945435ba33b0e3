// Package themes holds the palettes confab ships, reads those of the user, and
// builds every style of the program from one palette: the screen's own, those
// of text areas, the tokens of code.
//
// It imports no other layer and reads no file by itself: user themes come in as
// bytes.
package themes
