package browse

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service/pictures"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// PickSource opens a tab of the picker of a source picture: pictures of the session, files, or a URL. Each tab is a
// list that the next one replaces.
func (b *Browser) PickSource(a action.PickSource) (action.Action, tea.Cmd) {
	session, scope := b.env.Session().ID, "session"
	if session == 0 {
		scope = "pictures"
	}
	var c Config
	switch a.Tab {
	case 0:
		c = b.pictures(session)
	case 1:
		c = b.files()
	}
	return b.showList(SourceTab(a.Tab, c, scope, b.env.Settings().Source != nil, b.env.Keys)), nil
}

// SourceTab turns a list of pictures or of files into a tab of the picker; the tab for a URL ignores c. The text scope
// names the tab of the pictures. Where a picture is taken already, a key takes none.
func SourceTab(tab int, c Config, scope string, isTaken bool, m keys.Map) Config {
	switch tab {
	case 0:
		c.Empty += m.Phrase(keys.Form, keys.NextField, " For a picture of your own: %s.")
		c.OnChoose = func(i Item) action.Action { return compose(history.Source{Answer: i.ID, Path: i.Key}) }
	case 1:
		c.OnChoose = func(i Item) action.Action { return compose(history.Source{Path: i.Key}) }
		c.OnText = func(path string) (action.Action, string) {
			if !strings.HasPrefix(path, "/") {
				return nil, ""
			}
			return compose(history.Source{Path: path}), ""
		}
	default:
		c = Config{
			Texts: Texts{Placeholder: "https://…",
				Empty: "The service itself fetches the picture from this address."},
			Reactions: Reactions{OnText: func(address string) (action.Action, string) {
				address = strings.TrimSpace(address)
				if err := pictures.CheckSourceURL(address); err != nil {
					return nil, part.Sentence(err)
				}
				return compose(history.Source{URL: address}), ""
			}},
		}
	}
	c.Name, c.Title, c.Verb = "source", "Source", "take"
	if isTaken {
		c.Keys = map[keys.Command]action.Action{
			keys.Remove: action.Sequence{action.CloseDialog{}, compose(history.Source{})}}
		c.Labels = map[keys.Command]string{keys.Remove: "no picture"}
	}
	c.Tab, c.Tabs = tab, []Tab{{scope, action.PickSource{}}, {"files", action.PickSource{Tab: 1}},
		{"URL", action.PickSource{Tab: 2}}}
	return c
}

func compose(src history.Source) action.Action { return action.Compose{Source: &src} }
