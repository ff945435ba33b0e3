// Package dialog holds the layers above the main screen: lists to browse, texts
// to look at, forms and questions. A dialog is a struct with methods, not a
// program: it is told its size, styles and data, returns an action when it
// wants something done, and draws its box; the root puts the box on the
// screen and carries the action out.
//
// A dialog that has got its answer returns [action.Several] with
// [action.CloseDialog] first, then the wish; the root need not know which
// dialogs end by which answer. Everything that came from outside is drawn
// through package terminal.
package dialog
