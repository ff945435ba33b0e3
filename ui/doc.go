// Package ui is the full screen: the root model that routes messages, lays out the panes and handles the actions
// that parts ask for. A part is a pane, a dialog, or a subject without a rectangle (votes, drafts, runs).
//
// How parts plug into the root (package part has the types):
//
//   - A part is made with a [part.Env] and the parts that it reads, and does not know the root. Panes do not know
//     which others are on the screen.
//   - What it does is a method that takes an action and that the switch in actions.go calls. It returns an action for
//     what other parts do (action.Notify, action.ShowDialog, action.Focus, …) and a command.
//   - A command that asks the service returns part.Result{To: receiver, Msg: …}: the root calls Update of that
//     receiver, and of nobody else. To end with an action it returns part.Do, part.Fail or part.ChangeResult instead.
//   - A key press is looked up once, here: the top dialog or the focused pane says in which scopes ([keys.Lookup]),
//     and gets a [keys.Press], which has the command, in Update.
//
// The root sends each message one of these ways (route.go):
//
//   - results and actions of commands: the receiver, or the handler of the action
//   - keys, pastes and the mouse: the top dialog, where one is open; otherwise commands of [keys.Everywhere] are
//     handled by the root, other keys and pastes go to the focused pane, and the mouse to the pane under the pointer.
//     A click on a key or command that is named there is a press of that key, or the command ([screen.Frame]).
//   - what the terminal tells of itself (size, colors, focus): the root, which lays out the screen again
//
// After every message the root asks for what is on the screen and not read or drawn yet.
//
// The package touches no HTTP, no SQL, no file and no environment: it asks the service, in commands.
package ui
