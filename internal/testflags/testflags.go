// Package testflags holds the flag -long of the tests, which .ci/run sets. Without it, long tests skip or look at a
// sample, so that go test ./... stays quick.
package testflags

import "flag"

var long = flag.Bool("long", false, "run whole the tests that take long")

// IsLong reports whether the long tests run whole. Only test functions themselves call it: .ci/run finds them by their
// source.
func IsLong() bool { return *long }
