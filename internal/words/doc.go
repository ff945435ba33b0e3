// Package words says numbers, times and sizes as people read them, the same on
// every screen and in every command.
package words
