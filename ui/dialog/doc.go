// Package dialog holds the forms, questions, texts and the help that open above the main screen. A dialog is a struct
// with methods, not a program: it gets its size, styles and data from the root, returns an action when something is to
// be done, and draws its box, which the root puts on the screen.
//
// A dialog that has its answer returns [action.Sequence] with [action.CloseDialog] first, then what it was opened for;
// the root need not know which dialogs end by which answer. Everything that came from outside is drawn through package
// termtext.
package dialog
