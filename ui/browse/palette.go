package browse

import (
	"slices"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
)

// commands is the palette: every command that can be performed outside dialogs.
func (b *Browser) commands() Config {
	return Config{
		Name: action.ListCommands, Title: "Commands", Empty: "There are no commands.", Verb: "run",
		Placeholder: "what to do", Hints: []keys.Command{keys.Choose, keys.Close},
		Compact: true, Width: 84, Items: Commands(b.env.Keys),
	}
}

// Commands returns an item for every command that can be performed outside dialogs, with its key. Movements are left
// out: they are of no use from a list.
func Commands(m keys.Map) []Item {
	skip := []keys.Command{
		keys.Back, keys.Interrupt, keys.NextPane, keys.PreviousPane, keys.Commands, keys.CommandsEmpty,
		keys.Send, keys.NewLine, keys.QuitWhenEmpty, keys.EarlierPrompt, keys.LaterPrompt,
		keys.Down, keys.Up, keys.PageDown, keys.PageUp, keys.HalfDown, keys.HalfUp, keys.MarkModel, keys.MarkOneModel,
		keys.NextTurn, keys.PreviousTurn, keys.NextAnswer, keys.PreviousAnswer, keys.FindNext, keys.FindPrevious,
		keys.NextSample, keys.PreviousSample,
	}
	var items []Item
	for _, e := range m.All() {
		switch e.Scope {
		case keys.Browser, keys.Gallery, keys.PictureViewer, keys.TextViewer, keys.Form:
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

// themes is the list of themes; moving over one shows it at once.
func (b *Browser) themes() Config {
	former := b.env.Theme()
	item := func(name, facts string) Item {
		return Item{Key: name, Title: name, Facts: facts, Marked: name == former,
			Enter: action.SetTheme{Name: name, Save: true}}
	}
	items := []Item{item("auto", "by the terminal's background")}
	for _, p := range b.env.Palettes {
		facts := "light"
		if p.Dark {
			facts = "dark"
		}
		items = append(items, item(p.Name, facts))
	}
	return Config{
		Name: action.ListThemes, Title: "Themes", Empty: "There are no themes.", Verb: "keep",
		Placeholder: "name of a theme", Hints: []keys.Command{keys.Choose, keys.Close},
		Compact: true, Width: 120, Items: items,
		Preview: b.preview(func(p previewer, _ Item) (Preview, error) {
			return Preview{Lines: themes.Sample(p.styles, p.w)}, nil
		}),
		OnMove:  func(i Item) action.Action { return action.SetTheme{Name: i.Key} },
		OnLeave: action.SetTheme{Name: former},
	}
}
