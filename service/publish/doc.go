// Package publish makes a local picture reachable for a service that fetches
// the source of an edit itself: through a command of the user's that uploads
// it, or by serving it at a public address of this machine for as long as the
// request lasts.
//
// It knows nothing of turns or screens.
package publish
