// Package widget has what panes and dialogs are drawn and edited with, which knows nothing of either: a box around
// lines, the difference of two texts, and text inputs whose keys move over and delete what a person sees as one
// character.
package widget
