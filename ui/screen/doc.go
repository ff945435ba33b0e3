// Package screen is what surrounds the panes of the main screen: where everything is, the lines at the top and at the
// bottom, and the palette that all of it is drawn in.
package screen
