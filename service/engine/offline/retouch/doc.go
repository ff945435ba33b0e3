// Package retouch edits pictures for the offline engine: it reads the
// operations named in an instruction and carries them out on the pixels of the
// source, or says what it can do.
package retouch
