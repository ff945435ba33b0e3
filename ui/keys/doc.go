// Package keys is the one map from keys to commands. The footer, the help, the
// command list, the configuration and docs/keys.md are all made from it, so
// that none of them can say something else than what a key does.
//
// A [Command] is named by what it does, never by its key; a [Scope] is where
// it acts. Panes and dialogs ask the [Map] which command a key press has for
// their scope and carry it out.
package keys
