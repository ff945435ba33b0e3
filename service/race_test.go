//go:build race

package service

// underRace tells whether the race detector watches, which makes the store some
// fifteen times slower.
const underRace = true
