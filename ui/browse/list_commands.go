package browse

import (
	"math"
	"slices"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
)

// Commands returns the commands of the start page, of lists, of the gallery and of one picture.
func Commands() []keys.Entry {
	return slices.Concat(startCommands.Entries(), listCommands.Entries(), galleryCommands.Entries(),
		pictureCommands.Entries())
}

var listCommands = part.Table[*List]{Scope: keys.Browser, Bindings: slices.Concat([]part.Binding[*List]{
	{Command: keys.Choose, Keys: "enter", Acts: true, Short: "open", Long: "Open or use the selected item",
		Rank: part.RankIf(1, (*List).canChoose), Word: func(l *List) string { return l.Verb },
		Do: func(l *List) action.Action { return action.WithCmd(l.choose()) }},
}, cursorBindings[*List]("ctrl+home", "ctrl+end", "preview"), []part.Binding[*List]{
	onItem(8, keys.Rename, "alt+r", "rename", "Rename"),
	onItem(9, keys.Fork, "alt+f", "fork", "Fork: copy the session to continue from here"),
	onItem(9, keys.GoToSession, "alt+g", "its session", "Go to the session of the prompt"),
	onItem(4, keys.CompareRuns, "alt+c", "compare", "Compare the run with another one"),
	onItem(10, keys.Export, "alt+w", "export", "Export to a file"),
	onItem(13, keys.Share, "alt+h", "share", "Share with the team, or stop sharing"),
	onItem(11, keys.Remove, "alt+x", "delete", "Delete; undo restores a session or picture"),
	onItem(3, keys.Create, "alt+n", "new", "New"),
	onItem(3, keys.RunSuite, "f4", "open a suite", "Open a suite"),
	onItem(7, keys.Edit, "alt+e", "edit", "Edit"),
	onItem(4, keys.ViewLarge, "alt+z", "large", "Show the picture full screen"),
	onItem(5, keys.OpenPicture, "alt+o", "open", "Open the picture in another program"),
	onItem(6, keys.CopyPath, "alt+p", "copy path", "Copy the picture's path"),
	{Command: keys.Help, Keys: "?", WhenEmpty: true, Short: "help", Long: "Help for lists, while the filter is empty",
		Action: action.ShowHelp{Scope: keys.Browser}},
	{Command: keys.Close, Keys: "esc", Short: "close", Long: "Close", Rank: part.Ranked[*List](2),
		Do: func(l *List) action.Action { return l.leave(nil) }},
})}

// moving returns the action of a key that moves the cursor.
func moving[T entries](move func(T) bool) func(T) action.Action {
	return func(d T) action.Action {
		if !move(d) {
			return nil
		}
		return action.WithCmd(d.moved())
	}
}

// cursorBindings returns the commands that move the cursor, and those that scroll the box beside the entries.
func cursorBindings[T entries](top, end, beside string) []part.Binding[T] {
	moveRows := func(command keys.Command, key, short, long string, moves int, rows func(T) int) part.Binding[T] {
		return part.Binding[T]{Command: command, Keys: key, Short: short, Long: long,
			Do: moving(func(d T) bool { return d.moveRows(moves * rows(d)) })}
	}
	one := func(T) int { return 1 }
	return []part.Binding[T]{
		moveRows(keys.ListDown, "down ctrl+j ctrl+n", "down", "Next row", 1, one),
		moveRows(keys.ListUp, "up ctrl+k", "up", "Previous row", -1, one),
		moveRows(keys.ListPageDown, "pgdown", "page down", "Page down", 1, T.page),
		moveRows(keys.ListPageUp, "pgup", "page up", "Page up", -1, T.page),
		{Command: keys.ListTop, Keys: top, Short: "first", Long: "First",
			Do: moving(func(d T) bool { return d.moveTo(0) })},
		{Command: keys.ListEnd, Keys: end, Short: "last", Long: "Last",
			Do: moving(func(d T) bool { return d.moveTo(math.MaxInt) })},
		{Command: keys.PreviewDown, Keys: "shift+down alt+j", Short: beside + " down",
			Long: "Scroll the " + beside + " down", Rank: part.RankIf(12, T.scrollsSide),
			Do: func(d T) action.Action { return d.scrollSide(true) }},
		{Command: keys.PreviewUp, Keys: "shift+up alt+k", Short: beside + " up",
			Long: "Scroll the " + beside + " up", Do: func(d T) action.Action { return d.scrollSide(false) }},
	}
}

// onItem returns the binding of a command for which items or the list have actions.
func onItem(rank int, command keys.Command, key, short, long string) part.Binding[*List] {
	return part.Binding[*List]{Command: command, Keys: key, Short: short, Long: long,
		Acts: command != keys.Create && command != keys.RunSuite && command != keys.ViewLarge,
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
				return " does nothing in this list."
			}
			return ": nothing selected."
		},
		Do: func(l *List) action.Action { return l.itemAction(command) }}
}

// hides reports whether the hint of sharing is left out, without other users.
func (l *List) hides(command keys.Command) bool { return command == keys.Share && len(l.c.Tabs) == 0 }

// Hints implements [action.Dialog]. The key of the next tab follows the one that closes the list.
func (l *List) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	hints := l.Commands.Hints()
	if n := len(l.c.Tabs); n > 0 {
		tab := l.Keys.HintAs(keys.Form, keys.NextField, l.c.Tabs[(l.c.Tab+1)%n].Name)
		at := slices.IndexFunc(hints, func(h keys.Hint) bool { return h.Key == l.Keys.Key(keys.Browser, keys.Close) })
		hints = slices.Insert(hints, at+1, tab...)
	}
	if l.filter.Value() != "" {
		hints = slices.Insert(hints, min(2, len(hints)), l.Keys.HintAs(keys.Text, "delete_to_line_start", "clear")...)
	}
	// What scrolls the preview stands in its border, and nothing else. Hints without room are in the help.
	down := l.Keys.Key(keys.Browser, keys.PreviewDown)
	isOfSide := func(h keys.Hint) bool { return h.Key == down }
	side := slices.DeleteFunc(slices.Clone(hints), func(h keys.Hint) bool { return !isOfSide(h) })
	borders, _ = overlay.SplitHints(slices.DeleteFunc(hints, isOfSide), l.listW)
	ofSide, _ := overlay.SplitHints(side, l.sideW)
	return append(borders, ofSide...), nil
}
