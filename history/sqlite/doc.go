// Package sqlite stores a history in one SQLite file that several processes may share.
//
// [Open] makes a [Store] ready: open.go finds or creates the file, migrate.go updates its schema with the numbered
// files in migrations, and store.go runs transactions. Package sqlstore holds the statements; fts_index.go adds the
// FTS5 tables of the full-text search.
//
// Only this package may open the file of an open store, even for reading: closing a file releases all locks of the
// process on it, including those of SQLite. Calling stat is safe.
package sqlite
