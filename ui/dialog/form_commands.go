package dialog

import (
	"slices"
	"strings"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// Commands returns the commands of forms and of texts that are read.
func Commands() []keys.Entry { return slices.Concat(viewerCommands.Entries(), formCommands.Entries()) }

var formCommands = part.Table[*form]{Scope: keys.Form, Bindings: []part.Binding[*form]{
	{Command: keys.Accept, Keys: "enter", Acts: true, Short: "accept", Long: "Accept", Do: (*form).accepted,
		Rank: part.Ranked[*form](1), Word: (*form).acceptWord},
	{Command: keys.NextField, Keys: "tab down", Short: "next", Long: "Next field",
		Rank: part.RankIf(4, func(f *form) bool { return len(f.shown()) > 1 }),
		Do:   func(f *form) action.Action { return f.step(1) }},
	{Command: keys.PreviousField, Keys: "shift+tab up", Short: "previous", Long: "Previous field",
		Do: func(f *form) action.Action { return f.step(-1) }},
	{Command: keys.NextChoice, Keys: "right", Short: "change", Long: "Next choice of the field",
		Rank: part.RankIf(5, func(f *form) bool { return f.yes == nil && len(f.current().choices) > 1 }),
		Do:   func(f *form) action.Action { return f.change(1) }},
	{Command: keys.PreviousChoice, Keys: "left", Short: "change back", Long: "Previous choice of the field",
		Do: func(f *form) action.Action { return f.change(-1) }},
	{Command: keys.Yes, Keys: "y", Acts: true, Short: "yes", Long: "Yes", Rank: part.RankIf(2, (*form).isQuestion),
		Do: func(f *form) action.Action { return f.yes }},
	{Command: keys.No, Keys: "n", Short: "no", Long: "No", Rank: part.RankIf(4, (*form).isQuestion),
		Action: action.CloseDialog{}},
	{Command: keys.KeepAs, Keys: "ctrl+s", Short: "save", Long: "Save the system prompt as a persona",
		Do: func(f *form) action.Action { return f.own[keys.KeepAs]() }},
	{Command: keys.ListKept, Keys: "ctrl+t", Short: "personas", Long: "Choose a persona",
		Do: func(f *form) action.Action { return f.own[keys.ListKept]() }},
	{Command: keys.Close, Keys: "esc", Short: "cancel", Long: "Cancel", Do: (*form).close,
		Rank: part.Ranked[*form](3)},
}}

// acceptWord says what enter does, "" for accepting: in a question the answer that is chosen.
func (f *form) acceptWord() string {
	if f.isQuestion() {
		answer := f.rows[0]
		return strings.ToLower(answer.choices[answer.at])
	}
	return f.verb
}

// has reports whether a key runs its command now, and is not for the text of the row.
func (f *form) has(command keys.Command, r *row) bool {
	switch command {
	case keys.NextField, keys.PreviousField:
		return len(f.shown()) > 1 || r.choices != nil
	case keys.NextChoice, keys.PreviousChoice:
		return r.choices != nil
	case keys.Yes, keys.No:
		return f.isQuestion()
	}
	return command == keys.Accept || command == keys.Close || f.own[command] != nil
}

// step goes to another row, or to another choice of the only one.
func (f *form) step(by int) action.Action {
	n := len(f.shown())
	if n == 1 {
		return f.change(by)
	}
	f.at = (f.at + by + n) % n
	return nil
}

func (f *form) change(by int) action.Action {
	r := f.current()
	if len(r.choices) == 1 {
		return action.Unused{Why: "No other choice."}
	}
	r.at = (r.at + by + len(r.choices)) % len(r.choices)
	f.sync()
	return nil
}
