// Package dialog implements the forms, questions, texts and the help that open above the main screen. A dialog gets its
// size, styles and data from the root, returns actions, and draws its box.
//
// An accepted dialog returns an [action.Sequence] of [action.CloseDialog] and the action that it was opened for.
package dialog
