// Package testflags holds the flag -long of the tests, which .ci/run sets. Without it, long tests skip or look at a
// sample, so that go test ./... stays quick.
package testflags

import "flag"

var long = flag.Bool("long", false, "run whole the tests that take long")

// IsLong reports whether the long tests run whole. .ci/run finds the test functions that call it by their source, and
// runs those about kills too.
func IsLong() bool { return *long }
