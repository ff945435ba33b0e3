// Package cli is the command line: commands and flags, and the wiring of
// configuration, store, service and screen for each of them. It holds no logic
// that a screen also needs; that is the service's.
//
// [Run] is the whole program. Everything it has of the outside comes in an
// [Env], so that tests run it many times in one process. Before the screen's
// first frame nothing is opened, asked or started that the frame does not show.
package cli
