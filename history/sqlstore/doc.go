// Package sqlstore holds the common part of stores in SQL databases: the columns of their tables, their statements,
// searching and deleting. Packages sqlite and postgres implement [Database]; their migrations create tables with the
// same names and columns.
//
// Statements are written in the common subset of SQLite and PostgreSQL, plus hints that make SQLite choose the right
// index. [Database.Statement] removes these for other databases: "cross join" fixes the order of a join, and a plus
// before a column prevents the use of its index. Times are milliseconds, durations nanoseconds, and booleans 1 or 0.
package sqlstore
