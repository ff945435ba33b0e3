package compose

import (
	"slices"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// textCommands are the commands of every text field. The fields look them up for keys that mean nothing else.
var textCommands = part.Table[*editor]{Scope: keys.Text, Bindings: []part.Binding[*editor]{
	{Command: keys.UndoEdit, Keys: "ctrl+/ ctrl+_", Short: "undo",
		Long: "Undo the last change", Group: keys.GroupPrompt, Title: "Undo in the text",
		Offered: func(e *editor) bool { return e.area.CanUndo() },
		Do:      func(e *editor) action.Action { return e.run(keys.UndoEdit) }},
	{Command: keys.RedoEdit, Keys: "alt+/ ctrl+shift+z", Short: "redo",
		Long:    "Redo",
		Offered: func(e *editor) bool { return e.area.CanRedo() },
		Do:      func(e *editor) action.Action { return e.run(keys.RedoEdit) }},
	{Command: keys.CursorLeft, Section: "move in the text",
		Keys: "left ctrl+b", Short: "left", Long: "Character left"},
	{Command: keys.CursorRight, Keys: "right ctrl+f", Short: "right", Long: "Character right"},
	{Command: keys.CursorUp, Keys: "up", Short: "up", Long: "Line up"},
	{Command: keys.CursorDown, Keys: "down", Short: "down", Long: "Line down"},
	{Command: keys.CursorPageUp, Keys: "pgup", Short: "page up", Long: "Page up"},
	{Command: keys.CursorPageDown, Keys: "pgdown", Short: "page down", Long: "Page down"},
	{Command: keys.CursorWordLeft, Keys: "ctrl+left alt+left alt+b", Short: "word left",
		Long: "To the start of the word"},
	{Command: keys.CursorWordRight, Keys: "ctrl+right alt+right alt+f", Short: "word right",
		Long: "To the end of the word"},
	{Command: keys.CursorLineStart, Keys: "home ctrl+a", Short: "line start", Long: "To the start of the line"},
	{Command: keys.CursorLineEnd, Keys: "end ctrl+e", Short: "line end", Long: "To the end of the line"},
	{Command: keys.CursorTextStart, Keys: "ctrl+home alt+<", Short: "text start", Long: "To the start of the text"},
	{Command: keys.CursorTextEnd, Keys: "ctrl+end alt+>", Short: "text end", Long: "To the end of the text"},
	{Command: keys.SelectLeft, Section: "select",
		Keys: "shift+left", Short: "left", Long: "Select a character to the left"},
	{Command: keys.SelectRight, Keys: "shift+right", Short: "right", Long: "Select a character to the right"},
	{Command: keys.SelectUp, Keys: "shift+up", Short: "up", Long: "Select a line of the screen up"},
	{Command: keys.SelectDown, Keys: "shift+down", Short: "down", Long: "Select a line of the screen down"},
	{Command: keys.SelectWordLeft, Keys: "ctrl+shift+left alt+shift+left", Short: "word left",
		Long: "Select to the start of the word"},
	{Command: keys.SelectWordRight, Keys: "ctrl+shift+right alt+shift+right", Short: "word right",
		Long: "Select to the end of the word"},
	{Command: keys.SelectLineStart, Keys: "shift+home", Short: "line start",
		Long: "Select to the start of the line"},
	{Command: keys.SelectLineEnd, Keys: "shift+end", Short: "line end", Long: "Select to the end of the line"},
	{Command: keys.SelectTextStart, Keys: "ctrl+shift+home", Short: "text start",
		Long: "Select to the start of the text"},
	{Command: keys.SelectTextEnd, Keys: "ctrl+shift+end", Short: "text end",
		Long: "Select to the end of the text"},
	{Command: keys.SelectAll, Keys: "alt+g ctrl+shift+a", Short: "select all",
		Long: "Select the whole text", Group: keys.GroupPrompt, Title: "Select the whole text",
		Do: func(e *editor) action.Action { return e.run(keys.SelectAll) }},
	{Command: keys.CopySelection, Section: "copy", Keys: "alt+o ctrl+insert ctrl+shift+c", Short: "copy",
		Long: "Copy the selection", Group: keys.GroupPrompt, Title: "Copy the selected text",
		Offered: func(e *editor) bool { return e.area.HasSelection() },
		Do:      func(e *editor) action.Action { return e.run(keys.CopySelection) }},
	{Command: keys.CutSelection, Keys: "ctrl+x shift+delete", Short: "cut",
		Long: "Cut the selection"},
	{Command: keys.PutDeleted, Keys: "ctrl+y", Short: "insert deleted",
		Long: "Insert the text last deleted or copied"},
	{Command: keys.DeleteLeft, Section: "delete", Keys: "backspace ctrl+h", Short: "left",
		Long: "Delete the character before the cursor, or the selection"},
	{Command: keys.DeleteRight, Keys: "delete ctrl+d", Short: "right",
		Long: "Delete the character after the cursor, or the selection"},
	{Command: keys.DeleteBlankWord, Keys: "ctrl+w", Short: "back to a blank",
		Long: "Delete to the blank before the cursor"},
	{Command: keys.DeleteWordLeft, Keys: "alt+backspace ctrl+backspace", Short: "word left",
		Long: "Delete to the start of the word"},
	{Command: keys.DeleteWordRight, Keys: "alt+d alt+delete ctrl+delete", Short: "word right",
		Long: "Delete to the end of the word"},
	{Command: keys.DeleteToLineStart, Keys: "ctrl+u", Short: "line start",
		Long: "Delete to the start of the line; in a filter, a search or a line of a form, all of it"},
	{Command: keys.DeleteToLineEnd, Keys: "ctrl+k", Short: "line end", Long: "Delete to the end of the line"},
}}

// withText is the commands of a pane, with those of its text.
type withText struct {
	part.Commands
	text part.Commands
}

func (w withText) of(command keys.Command) part.Commands {
	if slices.ContainsFunc(textCommands.Bindings, func(b part.Binding[*editor]) bool { return b.Command == command }) {
		return w.text
	}
	return w.Commands
}

// Run implements [part.Commands].
func (w withText) Run(command keys.Command) action.Action { return w.of(command).Run(command) }

// Refusal implements [part.Commands].
func (w withText) Refusal(command keys.Command) string { return w.of(command).Refusal(command) }

// Offers implements [part.Commands].
func (w withText) Offers(command keys.Command) bool { return w.of(command).Offers(command) }
