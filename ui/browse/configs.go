package browse

import (
	"slices"

	"confab/ui/action"
	"confab/ui/keys"
)

// Shipped returns the configuration of a list as confab shows it; the caller
// adds what only it knows: static items, the session, the theme in use.
func Shipped(list action.List) Config {
	c := Config{List: list}
	switch list {
	case action.ListSessions:
		c.Title, c.Empty, c.Verb = "Sessions", "There are no sessions yet.", "open"
		c.Placeholder = "text, or model: kind: state: rated: before: after:"
		c.Hints = []keys.Command{keys.Choose, keys.Close, keys.Rename, keys.Fork, keys.Export, keys.Remove, keys.PreviewDown}
		c.Preview = true
	case action.ListPrompts:
		c.Title, c.Empty, c.Verb = "Prompts", "No prompt has been sent yet.", "use"
		c.Placeholder = "text of an earlier prompt"
		c.Hints, c.Labels = []keys.Command{keys.Choose, keys.Close, keys.Fork,
			keys.PreviewDown}, map[keys.Command]string{keys.Fork: "its session"}
		c.Preview = true
	case action.ListPictures:
		c.Title, c.Empty, c.Verb = "Pictures", "No picture has been made yet.", "go to"
		c.Placeholder = "text of its prompt, or model: rated: before: after:"
		c.Hints = []keys.Command{keys.Choose, keys.Close, keys.ViewLarge, keys.OpenPicture, keys.CopyPath, keys.Edit,
			keys.Remove}
		c.Preview, c.BesideFrom = true, 76
	case action.ListPersonas:
		c.Title, c.Empty, c.Verb = "Personas", "There are no saved system prompts yet.", "use"
		c.Placeholder = "name or text of a system prompt"
		c.Hints = []keys.Command{keys.Choose, keys.Close, keys.Create, keys.Edit, keys.Rename, keys.Remove}
		c.Preview = true
	case action.ListCommands:
		c.Title, c.Empty, c.Verb = "Commands", "There are no commands.", "run"
		c.Placeholder = "what to do"
		c.Hints = []keys.Command{keys.Choose, keys.Close}
		c.Static, c.Compact, c.Width = true, true, 84
	case action.ListThemes:
		c.Title, c.Empty, c.Verb = "Themes", "There are no themes.", "keep"
		c.Placeholder = "name of a theme"
		c.Hints = []keys.Command{keys.Choose, keys.Close}
		c.Static, c.Compact, c.Preview, c.Width = true, true, true, 120
	case action.ListEdits:
		c.Title, c.Empty, c.Verb = "Edits", "There is no picture.", "go to"
		c.Placeholder = "text of a prompt, or a model"
		c.Hints = []keys.Command{keys.Choose, keys.Close, keys.Edit, keys.OpenPicture, keys.CopyPath}
		c.Static, c.Compact, c.Preview, c.BesideFrom = true, true, true, 76
	case action.ListRuns:
		c.Title, c.Empty, c.Verb = "Runs", "No suite has been run yet.", "open"
		c.Placeholder = "name of a suite, or its number"
		c.Hints = []keys.Command{keys.Choose, keys.Close, keys.Create}
		c.Preview = true
	case action.ListSuites:
		c.Title, c.Empty, c.Verb = "Suites", "There are no suites (.yaml) and no folders here.", "open"
		c.Placeholder = "name, or a path ending in /"
		c.Hints = []keys.Command{keys.Choose, keys.Close}
		c.Compact, c.Preview, c.BesideFrom = true, true, 76
	case action.ListFiles:
		c.Title, c.Empty, c.Verb = "Files", "There are no pictures and no folders here.", "take"
		c.Placeholder = "name, or a path ending in /"
		c.Hints = []keys.Command{keys.Choose, keys.Close}
		c.Compact, c.Preview, c.BesideFrom = true, true, 76
	}
	return c
}

// Commands returns an item for every command that can be had outside dialogs,
// with its key. Movements are left out: they are of no use from a list.
func Commands(m keys.Map) []Item {
	skip := []keys.Command{
		keys.Back, keys.Interrupt, keys.NextPane, keys.PreviousPane, keys.Commands, keys.CommandsEmpty,
		keys.Send, keys.NewLine, keys.QuitWhenEmpty, keys.EarlierPrompt, keys.LaterPrompt,
		keys.Down, keys.Up, keys.PageDown, keys.PageUp, keys.HalfDown, keys.HalfUp, keys.MarkModel, keys.OneModel,
		keys.NextTurn, keys.PreviousTurn, keys.NextAnswer, keys.PrevAnswer, keys.FindNext, keys.FindPrevious,
		keys.NextSample, keys.PrevSample,
	}
	var items []Item
	for _, e := range m.All() {
		switch e.Scope {
		case keys.Browser, keys.Gallery, keys.Viewing, keys.Viewer, keys.Form:
			continue
		}
		if slices.Contains(skip, e.Command) || (e.Command == keys.Help && e.Scope != keys.Everywhere) {
			continue
		}
		item := Item{
			Title: e.Long, Key: string(e.Command),
			Enter: action.RunCommand{Scope: e.Scope, Command: e.Command},
		}
		if e.Scope != keys.Everywhere {
			item.Facts = string(e.Scope)
		}
		if len(e.Keys) > 0 {
			item.Facts += "  " + e.Keys[0]
		}
		items = append(items, item)
	}
	return items
}
