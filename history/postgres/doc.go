// Package postgres is a store of histories in PostgreSQL, for people whose history is to be on several machines: a
// [Server] is the database of many users, and each of its stores is the history of one. It passes the tests of package
// storetest, as package sqlite does.
//
// Row-level security keeps users apart, see migrations/0001_first.sql: the role of the program must not be able to go
// around it, and [Connect] refuses one that can. What a transaction needs is set in the transaction alone and no
// statement is prepared by name, so that a pooler such as pgbouncer may stand between in any mode; in transaction mode
// no notice of changes comes through it, and screens show what others did when they read again.
package postgres
