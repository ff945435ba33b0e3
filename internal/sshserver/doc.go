// Package sshserver serves a full-screen program over SSH to people who only have
// ssh: one Bubble Tea program for each login, in one process.
//
// It knows no sessions, no turns and no store. A [House] makes the program of a
// login and carries out the commands that are allowed; this package decides who
// comes in (authenticate.go, key_index.go) and for how long that holds
// (key_watcher.go), how many and how fast (limiter.go), what of the protocol
// reaches them (channel.go, conn.go), when they have to leave (screen.go), and
// tells the operator about it (facts.go).
//
// Identity is the key that signed, as the connection's permissions have it, and
// never one that was only offered. Nothing is forwarded, nothing is executed
// but what the House runs, and the client's environment is cut down to what
// tells how to draw.
package sshserver
