// Package keys is the map from keys to commands. The footer, the help, the list of commands, the configuration and
// docs/keys.md are made from it.
//
// A [Command] is named by what it does, never by its key; a [Scope] is where it acts. The commands of a scope stand in
// a table (part.Table) in the package of the pane or dialog that does them; package ui puts the [Map] together.
package keys
