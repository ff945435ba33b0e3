// Package postgres stores histories in PostgreSQL, for users of several machines. A [Server] is the database of many
// users; each of its stores is the history of one. Package storetest tests it, as it does package sqlite.
//
// Row-level security separates users, see migrations/0001_first.sql. The program's role must not bypass it; [Connect]
// refuses one that can. Settings are local to a transaction and no statement is prepared by name, so that a pooler
// such as pgbouncer works in any mode. In transaction mode, notices of changes do not pass it, and screens show
// changes of others when they read again.
package postgres
