package browse

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
)

// recentCommands is how many of the commands chosen last the palette lists first.
const recentCommands = 5

// commands returns the palette: the commands that apply now, those chosen last first.
func (b *Browser) commands() Config {
	var items, absent []Item
	for _, item := range PaletteItems(b.env.Keys) {
		if run := item.Enter.(action.RunCommand); b.env.Offers(run.Scope, run.Command) {
			items = append(items, item)
		} else {
			absent = append(absent, item)
		}
	}
	// A key of another pane may be that of another command here. Every text has the keys of the scope Text.
	lookups := slices.Concat(b.env.Lookups(), keys.LookupsIn(keys.Everywhere, keys.Text))
	for i, item := range items {
		scope := item.Enter.(action.RunCommand).Scope
		if !slices.ContainsFunc(lookups, func(l keys.Lookup) bool { return l.Scope == scope }) {
			if items[i].Facts != "" {
				items[i].Place = "from the " + string(scope)
			}
		}
	}
	for _, command := range slices.Backward(b.recent) { // the newest is inserted last, at the top
		i := slices.IndexFunc(items, func(i Item) bool { return i.Key == command })
		if i < 0 {
			continue
		}
		item := items[i]
		item.Group = "recent"
		items = slices.Insert(slices.Delete(items, i, i+1), 0, item)
	}
	return Config{
		Name: action.ListCommands,
		Texts: Texts{Title: "Commands", Empty: "No commands.", Verb: "run",
			Placeholder: "command"},
		Content: Content{Items: items, Absent: absent},
		Reactions: Reactions{OnChoose: func(i Item) action.Action {
			return action.Sequence{action.CloseDialog{}, action.NoteCommand{Command: i.Key}, i.Enter}
		}},
	}
}

// PaletteItems returns an item for every command that the palette can have, by groups.
func PaletteItems(m keys.Map) []Item {
	entries := slices.DeleteFunc(m.All(), func(e keys.Entry) bool { return e.Title == "" })
	slices.SortStableFunc(entries, func(a, b keys.Entry) int { return cmp.Compare(a.Group, b.Group) })
	items := make([]Item, len(entries))
	for i, e := range entries {
		items[i] = Item{Title: e.Title, Key: string(e.Command), Detail: e.Long, Group: e.Group.String(),
			Facts: m.Key(e.Scope, e.Command), Words: e.Words,
			Enter: action.RunCommand{Scope: e.Scope, Command: e.Command}}
	}
	return items
}

// NoteCommand stores a chosen command as the most recent one.
func (b *Browser) NoteCommand(a action.NoteCommand) (action.Action, tea.Cmd) {
	recent := slices.DeleteFunc(slices.Clone(b.recent), func(c string) bool { return c == a.Command })
	recent = append([]string{a.Command}, recent...)
	b.recent = recent[:min(len(recent), recentCommands)]
	return action.SaveSetting{Name: "commands", Value: strings.Join(b.recent, " ")}, nil
}

// SetRecentCommands restores the commands that [Browser.NoteCommand] has stored.
func (b *Browser) SetRecentCommands(stored string) { b.recent = strings.Fields(stored) }

// themes returns the list of themes. Moving the cursor applies a theme at once.
func (b *Browser) themes() Config {
	former := b.env.Theme()
	item := func(name, facts string) Item {
		return Item{Key: name, Title: name, Facts: facts, Marked: name == former,
			Enter: action.Sequence{action.SetTheme{Name: name, Save: true},
				action.Notify{Severity: action.Good, Text: "Theme: " + name + ". Saved for later starts."}}}
	}
	items := []Item{item("auto", "follow the terminal's background")}
	for _, p := range b.env.Palettes {
		facts := "light"
		if p.Dark {
			facts = "dark"
		}
		if p.Name == former {
			facts += ", in use"
		}
		items = append(items, item(p.Name, facts))
	}
	return Config{
		Name: action.ListThemes,
		Texts: Texts{Title: "Themes", Empty: "No themes.", Verb: "keep",
			Placeholder: "theme name"},
		Content: Content{Items: items},
		Preview: b.preview(func(p previewer, _ Item) (Preview, error) {
			return Preview{Lines: themes.Sample(p.styles, p.w)}, nil
		}),
		Reactions: Reactions{
			OnMove:  func(i Item) action.Action { return action.SetTheme{Name: i.Key} },
			OnLeave: action.SetTheme{Name: former}},
	}
}
