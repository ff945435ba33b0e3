//go:build race

package service_test

// underRace reports whether the race detector is on, which slows the store down fifteenfold.
const underRace = true
