// Package sqlstore is what the stores in SQL databases share: the columns of their tables, their statements, searching
// and deleting. Packages sqlite and postgres add what their databases differ in, see [Database]; their migrations make
// tables of the same names and columns.
//
// Statements are written for SQLite, in the words that PostgreSQL has too. What only SQLite needs, so that it chooses
// the right index, is a hint that [Database.Statement] takes out for others: "cross join" fixes the order of a join,
// and a plus before a column keeps its index from being used. Times are milliseconds, durations nanoseconds, and
// what is true or false is 1 or 0.
package sqlstore
