// Package diffview draws where two texts differ: in one column, where what was
// removed and what was added follow each other, or in two columns beside each
// other. Marks, [-removed-] and {+added+}, say without colour what the colours
// say.
//
// The texts are foreign and are cleaned here. The package does no I/O; drawing a
// long text takes some milliseconds, so it is done in a command and kept.
package diffview
