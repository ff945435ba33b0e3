// Package frame draws a box of exact size around lines of text: heavy lines
// where the focus is, light round ones elsewhere, with a title in the top
// border and hints in the bottom one. It knows nothing of panes and dialogs.
package frame
