// Package history holds the types that confab stores: sessions, their turns, the answers of each turn, runs of
// suites, votes, personas and settings. It is the lowest layer of the program.
//
// Every layer uses the same [Turn] with its [Answer]s, and [Apply] is the only function that changes it by an
// [Event]. [Store] is the interface of storage; package sqlite implements it in one file, and package storetest tests
// implementations.
package history
