// Package history keeps everything confab sent and received: sessions, their turns, the answers of each turn, runs of
// suites, votes, personas, settings and the full-text search over all of it, in one SQLite file that several processes
// may share.
//
// It is the lowest layer of the program and imports no other one. [Turn] with its [Answer]s is the one type that flows
// through the whole program; [Apply] is the one way an [Event] changes it, in the screen and in the store alike.
//
// [Open] makes a [Store] ready: open.go finds or makes the file, migrate.go brings its schema up to date from the
// numbered files in migrations, and store.go runs reads and writes in transactions. The types are in turn.go, the
// queries of each entity in a file of its name. The full-text search is in fts_index.go (the FTS5 tables), fts_words.go
// (how text is cut into words), text_matcher.go (where a text matches), query.go (what a person typed), search_plan.go
// (a query as SQL) and search.go. Deleting is trash.go (hiding, undoing) and purge.go (removing for good).
// The tests that every kind of store must pass are in internal/storetest.
//
// Nobody but this package may open the file of an open store, not even to read
// it: closing a file takes away all the locks its process holds on it, those of
// SQLite among them. Looking at it with stat is harmless.
package history
