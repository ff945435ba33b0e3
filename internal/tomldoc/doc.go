// Package tomldoc reads a TOML document into a flat list of entries, each with
// its line, so that whoever reads settings can name the line of what is wrong
// in words of its own. It is a leaf: it imports no room and reads no file.
package tomldoc
