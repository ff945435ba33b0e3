// Package archtest contains tests of the structure of the program: which layer imports which, how large files and
// functions are, and that docs/architecture.md names every package.
package archtest
