// Package keys is the one map from keys to effects. The footer, the help, the
// command list, the configuration and docs/keys.md are all made from it, so
// that none of them can say something else than what a key does.
//
// An [Effect] is named by what it does, never by its key; a [Scope] is where
// it acts. Panes and dialogs ask the [Map] which effect a key press has for
// their scope and carry it out.
package keys
