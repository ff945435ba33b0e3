package browse

import (
	"slices"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// Commands returns the commands of the start page, of lists, of the gallery and of one picture.
func Commands() []keys.Entry {
	return slices.Concat(startCommands.Entries(), listCommands.Entries(), galleryCommands.Entries(),
		pictureCommands.Entries())
}

var listCommands = part.Table[*List]{Scope: keys.Browser, Bindings: []part.Binding[*List]{
	{Command: keys.Choose, Keys: "enter", Acts: true, Short: "open", Long: "Open or take the chosen one",
		Rank: part.RankIf(1, (*List).canChoose), Word: func(l *List) string { return l.Verb },
		Do: func(l *List) action.Action { return action.WithCmd(l.choose()) }},
	{Command: keys.ListDown, Keys: "down ctrl+j ctrl+n", Moves: 1, Short: "down", Long: "Next",
		Do: moving(func(l *List) bool { return l.moveRows(1) })},
	{Command: keys.ListUp, Keys: "up ctrl+k", Moves: -1, Short: "up", Long: "Previous",
		Do: moving(func(l *List) bool { return l.moveRows(-1) })},
	{Command: keys.ListPageDown, Keys: "pgdown", Moves: 1, Short: "page down", Long: "A page down",
		Do: moving(func(l *List) bool { return l.moveRows(max(l.rows-1, 1)) })},
	{Command: keys.ListPageUp, Keys: "pgup", Moves: -1, Short: "page up", Long: "A page up",
		Do: moving(func(l *List) bool { return l.moveRows(-max(l.rows-1, 1)) })},
	{Command: keys.ListTop, Keys: "ctrl+home", Moves: -1, Short: "first", Long: "First",
		Do: moving(func(l *List) bool { return l.moveTo(0) })},
	{Command: keys.ListEnd, Keys: "ctrl+end", Moves: 1, Short: "last", Long: "Last",
		Do: moving(func(l *List) bool { return l.moveTo(l.n - 1) })},
	{Command: keys.PreviewDown, Keys: "shift+down alt+j", Moves: 1, Short: "preview down",
		Long: "Scroll the preview down",
		Rank: part.RankIf(12, func(l *List) bool { return l.hasSide() && l.side.Scrolls() }),
		Do:   func(l *List) action.Action { return l.scrollSide(true) }},
	{Command: keys.PreviewUp, Keys: "shift+up alt+k", Moves: -1, Short: "preview up", Long: "Scroll the preview up",
		Do: func(l *List) action.Action { return l.scrollSide(false) }},
	onItem(8, keys.Rename, "alt+r", "rename", "Rename it"),
	onItem(9, keys.Fork, "alt+f", "fork", "Make a copy to go on from"),
	onItem(10, keys.Export, "alt+e", "export", "Write it to a file"),
	onItem(13, keys.Share, "alt+h", "share", "Let the team read the session or run, or end that"),
	onItem(11, keys.Remove, "alt+x", "delete", "Delete it; undo brings a session or a picture back"),
	onItem(3, keys.Create, "alt+n", "new", "Make a new one"),
	onItem(7, keys.Edit, "alt+i", "edit", "Change it"),
	onItem(4, keys.ViewLarge, "alt+z", "large", "The picture as large as the screen"),
	onItem(5, keys.OpenPicture, "alt+o", "open outside", "Open the picture outside"),
	onItem(6, keys.CopyPath, "alt+p", "copy path", "Copy the picture's path"),
	{Command: keys.Close, Keys: "esc", Short: "close", Long: "Close", Rank: part.Ranked[*List](2),
		Do: func(l *List) action.Action { return l.leave(nil) }},
}}

// onItem returns the binding of a command for which items or the list have actions.
func onItem(rank int, command keys.Command, key, short, long string) part.Binding[*List] {
	return part.Binding[*List]{Command: command, Keys: key, Short: short, Long: long,
		Acts: command != keys.Create && command != keys.ViewLarge,
		Rank: func(l *List) int {
			switch {
			case l.itemAction(command) == nil, l.hides(command):
				return 0
			case command == keys.Edit && l.c.Name == action.ListEdits: // the purpose of that list
				return 3
			}
			return rank
		},
		Word: func(l *List) string { return l.Labels[command] },
		Refuses: func(l *List) string {
			switch {
			case l.itemAction(command) != nil:
				return ""
			case l.canChoose():
				return " is not for this list."
			}
			return ": nothing is selected."
		},
		Do: func(l *List) action.Action { return l.itemAction(command) }}
}

// hides reports whether the hint of a command is left out: of sharing without other users, and of all commands but
// opening a picture in a list from which one is picked.
func (l *List) hides(command keys.Command) bool {
	return command == keys.Share && len(l.c.Tabs) == 0 || l.c.OnChoose != nil && command != keys.OpenPicture
}

// Hints implements [action.Dialog]. The key of the next tab follows the one that closes the list.
func (l *List) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	hints := l.Commands.Hints()
	if n := len(l.c.Tabs); n > 0 {
		tab := l.Keys.HintAs(keys.Form, keys.NextField, l.c.Tabs[(l.c.Tab+1)%n].Name)
		at := slices.IndexFunc(hints, func(h keys.Hint) bool { return h.Key == l.Keys.Key(keys.Browser, keys.Close) })
		hints = slices.Insert(hints, at+1, tab...)
	}
	return l.BorderHints(hints, l.listW, l.sideW)
}
