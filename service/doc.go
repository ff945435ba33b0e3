// Package service is what a screen, a command or an SSH session asks for: send a turn to its models, save the pictures,
// record it all, find it again, write it out, publish a local picture for an edit. It does the same for each of them
// and imports no UI library.
//
// A [Service] opens its store and reaches its service only when they are first needed. [Service.Send] records a turn
// before anything of it is sent and returns a channel of events; [history.Apply] turns them into the state to show.
// Errors are [*api.Error]s: a code and one sentence for people.
package service
