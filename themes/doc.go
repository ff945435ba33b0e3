// Package themes holds the palettes confab ships, reads those of the user, and
// builds every style of the program from one palette: the screen's own, the
// inputs', the help's. Those of code are made by themes/codestyle, so that who
// needs colours only does not import a highlighter.
//
// It imports no other room and reads no file by itself: user themes come in as
// bytes.
package themes
