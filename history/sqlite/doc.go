// Package sqlite keeps a history in one SQLite file that several processes may share.
//
// [Open] makes a [Store] ready: open.go finds or makes the file, migrate.go brings its schema up to date from the
// numbered files in migrations, and store.go runs reads and writes in transactions, whose statements are made by tx.go.
// The queries of each entity are in a file of its name, the columns of the tables in columns.go. The full-text search
// is in fts_index.go (the FTS5 tables), search_plan.go (a query as SQL) and search.go; package history cuts texts into
// words and finds matches in them. Deleting is trash.go (hiding, undoing) and purge.go (removing for good).
//
// Nobody but this package may open the file of an open store, not even to read it: closing a file takes away all the
// locks its process holds on it, those of SQLite among them. Looking at it with stat is harmless.
package sqlite
