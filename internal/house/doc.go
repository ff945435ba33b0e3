// Package house holds no code of the program: its test reads the imports of
// every room and says which arrow of the house is wrong, and which file or
// function has grown too large. docs/architecture.md draws the same house.
package house
