// Package ui is the full screen: the root model that routes messages, lays out the panes and handles the actions
// that parts ask for. A part is a pane, a dialog, or a subject without a rectangle (votes, drafts, runs).
//
// How parts plug into the root (package part has the types):
//
//   - A part lives in a package of its own, is made with a [part.Env] and the parts of its package that it reads, and
//     knows neither the root nor the parts of other packages. What it has to know besides, it is told by setters.
//   - It registers its handlers with [part.Handle] in a method AddHandlers(part.Handlers), which newActionHandlers
//     calls. A handler returns an action for what other parts do (action.Notify, action.ShowDialog, action.Focus, …)
//     and a command.
//   - A command that asks the service returns part.Result{To: receiver, Msg: …}: the root calls Update of that
//     receiver, and of nobody else. To end with an action it returns part.Do, part.Fail or part.Changed instead.
//   - A key press is looked up once, here: the top dialog or the focused pane says in which scopes ([keys.Lookup]),
//     and gets a [keys.Press], which has the command, in Update.
//
// Every message takes the first of these ways that fits (route.go):
//
//  1. facts of the terminal (size, colors, focus): the root, then a new layout
//  2. results and actions of commands: the receiver, or the handler of the action
//  3. keys, pastes and the mouse: the top dialog, where one is open
//  4. commands that can be given everywhere: the root
//  5. other keys and pastes: the focused pane; the mouse: the pane under the pointer
//
// The package touches no HTTP, no SQL, no file and no environment: it asks the service for everything, in commands.
package ui
