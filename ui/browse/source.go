package browse

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/service/pictures"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
)

// Source is the picker of the picture that an edit starts from: a picture of the session, a file, or a URL. Each is a
// list in a tab; the open one is embedded.
type Source struct {
	*List
	tabs [3]*List
	tab  int
}

// NewSource returns the picker from lists of pictures and of files; scope names what the pictures are of.
func NewSource(ofPictures, files Config, scope string, m keys.Map, s *themes.Styles) *Source {
	ofPictures.Verb = "take"
	ofPictures.Hints = []keys.Command{keys.Choose, keys.Close, keys.OpenPicture}
	ofPictures.Take = func(i Item) action.Action { return compose(history.Source{Answer: i.ID, Path: i.Key}) }
	files.Take = func(i Item) action.Action { return compose(history.Source{Path: i.Key}) }
	files.Typed = func(path string) (action.Action, string) {
		if !strings.HasPrefix(path, "/") {
			return nil, ""
		}
		return compose(history.Source{Path: path}), ""
	}
	address := Config{
		Name: action.ListFiles, Placeholder: "https://…", Verb: "take", Width: 170,
		Hints: []keys.Command{keys.Choose, keys.Close},
		Empty: "The service fetches the picture from this address itself.",
		Typed: func(address string) (action.Action, string) {
			address = strings.TrimSpace(address)
			if err := pictures.CheckSourceURL(address); err != nil {
				return nil, part.Sentence(err)
			}
			return compose(history.Source{URL: address}), ""
		},
	}
	d := &Source{}
	for open, c := range []Config{ofPictures, files, address} {
		c.Title = "Source "
		for i, name := range []string{scope, "files", "URL"} {
			if i == open {
				c.Title += "‹" + name + "›"
			} else {
				c.Title += " " + name + " "
			}
		}
		c.Extra = overlay.Hint(m, keys.Form, keys.NextField, "next tab")
		d.tabs[open] = NewList(c, m, s)
	}
	d.List = d.tabs[0]
	return d
}

func compose(src history.Source) action.Action { return action.Compose{Source: &src} }

// Name implements [action.Dialog].
func (d *Source) Name() string { return "source" }

// Lookups implements [part.KeyLooker].
func (d *Source) Lookups() []keys.Lookup {
	return []keys.Lookup{{Scope: keys.Browser},
		{Scope: keys.Form, Only: []keys.Command{keys.NextField, keys.PreviousField}}}
}

// SetStyles implements [action.Dialog].
func (d *Source) SetStyles(s *themes.Styles) {
	for _, l := range d.tabs {
		l.SetStyles(s)
	}
}

// SetSize implements [action.Dialog].
func (d *Source) SetSize(w, h int) {
	for _, l := range d.tabs {
		l.SetSize(w, h)
	}
}

// Work does the work of all tabs.
func (d *Source) Work() tea.Cmd {
	var cmds []tea.Cmd
	for _, l := range d.tabs {
		cmds = append(cmds, l.Work())
	}
	return tea.Batch(cmds...)
}

// Update implements [action.Dialog].
func (d *Source) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case RefreshMsg, graphics.SentMsg:
		var cmds []tea.Cmd
		for _, l := range d.tabs {
			_, cmd := l.Update(msg)
			cmds = append(cmds, cmd)
		}
		return nil, tea.Batch(cmds...)
	case keys.Press:
		step := map[keys.Command]int{keys.NextField: 1, keys.PreviousField: len(d.tabs) - 1}[msg.Command]
		if step != 0 {
			d.tab = (d.tab + step) % len(d.tabs)
			d.List = d.tabs[d.tab]
			return nil, nil
		}
	}
	return d.List.Update(msg)
}
