package browse

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/format"
	"confab/ui/action"
)

// PickFile lists the files of the current folder that can go with a prompt.
func (b *Browser) PickFile() (action.Action, tea.Cmd) {
	return b.showList(fileList(b.search(func(_ string, now time.Time) SearchResult {
		found, err := b.env.Service.Paths().Walk(b.env.Ctx)
		items := make([]Item, len(found))
		for i, f := range found {
			items[i] = Item{Key: f.Path, Title: f.Name,
				Facts: format.Size(f.Size) + "   " + format.Day(f.Modified, now),
				Enter: action.Sequence{action.Attach{Name: f.Name}, action.Focus{Pane: action.PanePrompt}}}
		}
		return SearchResult{Items: items, Total: len(items), Err: err}
	}))), nil
}

// fileList returns the list of files that can go with a prompt. A text that matches none is a path or an address.
func fileList(search func(string) func() SearchResult) Config {
	c := Config{Name: "attach", Content: Content{Search: search, SearchesOnce: true},
		Texts: Texts{Title: "Files", Verb: "attach", Placeholder: "part of a path, or a path or address",
			Empty: "No file matches. Enter uses what you typed as a path, pattern or address."}}
	c.OnText = func(name string) (action.Action, string) {
		if name == "" {
			return nil, ""
		}
		return action.Sequence{action.Attach{Name: name}, action.Focus{Pane: action.PanePrompt}}, ""
	}
	return c
}
