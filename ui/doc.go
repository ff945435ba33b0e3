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
// The root sends each message one of these ways (route.go); the desktop sees every one before:
//
//   - results and actions of commands: the receiver, or the handler of the action; pictures: all that show them
//   - keys and pastes: a session that is being read, the top dialog, commands of [keys.Everywhere], the focused pane
//   - the mouse: what is named under the pointer ([screen.Frame]), the top dialog, or the pane under the pointer
//   - what the terminal tells of itself (size, colors, focus): the root, the theme and the state of pictures
//   - ticks and [screen.DrawMsg]: nobody; the screen is drawn anew
//
// After every message the root asks for what is on the screen and not read or drawn yet. It touches no HTTP, no SQL, no
// file and no environment: it asks the service, in commands.
package ui
