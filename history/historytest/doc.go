// Package historytest holds the tests that every kind of store must pass. It is
// used by tests only and imports no room but history.
package historytest
