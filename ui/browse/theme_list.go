package browse

import (
	"confab/themes"
	"confab/ui/action"
)

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
		Name: action.ListThemes,
		Texts: Texts{Title: "Themes", Empty: "There are no themes.", Verb: "keep",
			Placeholder: "name of a theme"},
		Size:    Size{Compact: true, Width: 120, PreviewHeight: 26},
		Content: Content{Items: items},
		Preview: b.preview(func(p previewer, _ Item) (Preview, error) {
			return Preview{Lines: themes.Sample(p.styles, p.w)}, nil
		}),
		Reactions: Reactions{
			OnMove:  func(i Item) action.Action { return action.SetTheme{Name: i.Key} },
			OnLeave: action.SetTheme{Name: former}},
	}
}
