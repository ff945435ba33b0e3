// Package shelf keeps picture files in one folder: whole or not at all, never
// over another file, named so that they are found again, each with a file of
// facts beside it.
//
// It knows nothing of turns, stores or services, and imports no other room.
package shelf
