// Package desktop reaches the machine a person sits at, as far as a program in
// a terminal can: its clipboard, its programs for files and links, its editor.
// Over SSH that machine is another one, so nothing local is touched there: the
// terminal is asked, or the person is told what to do.
//
// The environment is passed in; nothing here reads the process's own. It may
// import service/api for its error type and the leaves, and no other layer.
package desktop
