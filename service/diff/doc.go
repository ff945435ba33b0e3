// Package diff says where two texts differ, by words or by lines, and how much
// of their wording they share.
//
// Two libraries do the comparing. sergi/go-diff is the exact one (Myers, linear
// space, no deadline, so that the same texts always give the same differences);
// its time grows with the square of what differs, so it gets what is small
// enough. aymanbagabas/go-udiff has a search that gives up early and is linear;
// it pairs up the lines of what is too large for the first.
//
// It is pure.
package diff
