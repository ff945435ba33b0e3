// Package service implements what screens, commands and SSH sessions do: it sends turns to models, saves pictures,
// records and finds turns, exports them, and publishes local pictures for edits. It imports no UI library.
//
// A [Service] opens its store and connects on first use. [Service.Send] records a turn before it sends anything and
// returns a channel of events; [history.Apply] turns them into the state to show. Errors are [*api.Error]s: a code
// and one sentence for people.
package service
