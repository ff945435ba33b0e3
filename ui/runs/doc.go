// Package runs shows a run of a suite as a table that fills the screen's body:
// a row for each prompt with its values, a column for each model, and under it
// what there is to say of the focused cell. Two runs are compared in the same
// shape, cell by cell.
//
// A [sheet] is the table whatever its cells say: what is listed, the focus, the
// window. Where everything stands is one pure function (plan.go). What a cell
// shows is its face: a [spot] of one run, or a [shift] between two. All that
// grows with the table is made when it is set; drawing looks at the visible
// rows only. It imports neither the dialogs nor the panes' root.
package runs
