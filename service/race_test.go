//go:build race

package service

// underRace reports whether the race detector is on, which slows the store down fifteenfold.
const underRace = true
