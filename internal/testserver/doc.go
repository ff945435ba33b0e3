// Package testserver is a service for tests that answers in every wrong way there
// is, on the text and the picture endpoints of the contract: dropped and
// stalled connections, broken framing, lies about what a body is, bombs,
// redirects, echoes of the key, escape sequences. It records what it saw.
//
// What it does is chosen by name: by [Server.SetBehaviour], by a base URL that
// ends in /be/<name>, or by a model whose slug is the name. [Names] lists them.
// It imports no other room, and nothing but tests may import it.
package testserver
