// Package storetest holds the tests that every kind of store must pass. Only tests use it.
package storetest
