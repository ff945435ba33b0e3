// Package sshserver serves a full-screen program over SSH to people who only have ssh: one Bubble Tea program for each
// login, in one process.
//
// It knows no sessions, no turns and no store. A [Handler] makes the program of a login and runs the commands that are
// allowed; this package decides who may log in (authenticate.go, key_index.go) and for how long (access_watcher.go),
// how many and how fast (limiter.go), what of the protocol reaches them (channel.go, conn.go), when they have to leave
// (screen.go, drain.go), and informs the operator (check.go).
//
// Identity is the key that signed, as the connection's permissions have it, and never one that was only offered.
// Nothing is forwarded, nothing is executed but what the Handler runs, and the client's environment is reduced to what
// tells how to draw.
package sshserver
