package service

import "confab/service/diff"

// The types of a comparison of two texts; see package diff.
type (
	Diff     = diff.Result
	DiffPart = diff.Part
	DiffHunk = diff.Hunk
	DiffOp   = diff.Op
	DiffUnit = diff.Unit
)

// The values of those types that screens compare with.
const (
	DiffSame    = diff.Same
	DiffRemoved = diff.Removed
	DiffAdded   = diff.Added
	DiffWords   = diff.ByWords
	DiffLines   = diff.ByLines
)

// Compare says where two texts differ, by words. It takes up to a fraction of a
// second, so a screen calls it in a command.
func Compare(a, b string) Diff { return diff.Words(a, b) }

// CompareLines says where two texts differ, by lines.
func CompareLines(a, b string) Diff { return diff.Lines(a, b) }

// Likeness returns how much of their wording two texts share, from 0 to 1, as
// [Compare] finds it. It judges text, not merit.
func Likeness(a, b string) float64 { return diff.Likeness(a, b) }
