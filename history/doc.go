// Package history holds the types of what confab keeps: sessions, their turns, the answers of each turn, runs of
// suites, votes, personas and settings. It is the lowest layer of the program and imports no other one.
//
// [Turn] with its [Answer]s is the one type that flows through the whole program; [Apply] is the one way an [Event]
// changes it, in the screen and in the stores alike. [Store] is what keeps them; package sqlite is a store in one file,
// and package storetest has the tests that every store must pass.
package history
