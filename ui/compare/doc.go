// Package compare shows the answers of one turn beside each other: columns, a
// grid, a strip over a window of columns, or a list with a preview. Every
// answer keeps a place of its own; none is ever out of sight: what does not fit
// is in the strip or the list.
//
// Where everything stands is one pure function (plan.go). A cell's text is read
// by the same reader as the conversation's ([conversation.Pane] with one
// answer); this package adds the frame, the order, the focus, pinning,

// samples, differences and votes.
package compare
