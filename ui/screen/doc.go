// Package screen implements the main screen around its panes: the layout, the frame that draws it and finds what is
// under the mouse, header and footer, the theme, and how often the screen is drawn.
package screen
