// Package history keeps everything confab sent and received: sessions, their
// turns, the answers of each turn, personas, settings and the full-text search
// over all of it, in one SQLite file that several processes may share.
//
// It is the lowest room of the house and imports no other room. [Turn] with
// its [Answer]s is the one type that flows through the whole program; [Apply]
// is the one way an [Event] changes it, in the screen and in the store alike.
//
// [Open] makes a [Store] ready: place.go finds or makes the file, migrate.go
// brings its schema up to date from the numbered files in migrations, and
// store.go runs reads and writes in transactions. There is a file for every
// entity; shelf.go, words.go, match.go and stream.go are the full-text search.
// The tests that any kind of store must pass are in historytest.
//
// Nobody but this package may open the file of an open store, not even to read
// it: closing a file takes away all the locks its process holds on it, those of
// SQLite among them. Looking at it with stat is harmless.
package history
