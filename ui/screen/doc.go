// Package screen is the main screen without its panes: where everything is, the frame that draws it and knows what is
// under the mouse, the lines at the top and at the bottom, the palette, and how often all of it is drawn.
package screen
