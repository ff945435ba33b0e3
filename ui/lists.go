package ui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/format"
	"confab/service/export"
	"confab/service/userpath"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/keys"
	"confab/ui/part"
)

// listLimit bounds how many items a list reads at once.
const listLimit = 200

// listing says which list is open, to be read again after a change.
type listing struct{ open action.List }

// showList opens a list dialog.
func (m *Model) showList(list action.List) tea.Cmd {
	if list == action.ListPictures {
		return m.showPictures()
	}
	c := browse.Shipped(list)
	switch list {
	case action.ListCommands:
		c.Items = browse.Commands(m.keys)
	case action.ListRuns:
		c.Keys = map[keys.Command]action.Action{keys.Create: action.ShowList{List: action.ListSuites}}
		if m.suites.other != 0 {
			c.Title, c.Verb = fmt.Sprintf("Compare run %d with", m.suites.other), "compare"
			c.Empty = "There is no other run to compare with."
		}
	case action.ListThemes:
		c.Items, c.Former = m.themeItems(), m.theme.Name
	case action.ListPersonas:
		text := m.system.Text()
		c.Keys = map[keys.Command]action.Action{keys.Create: action.AskText{
			Title: "Save the system prompt as a persona", Label: "name",
			Then: func(name string) action.Action {
				return action.SavePersona{Persona: history.Persona{Name: name, Text: text}}
			}}}
	}
	m.lists.open = list
	return m.push(browse.NewBrowser(c, m.keys, m.styles))
}

// search reads the items of a list in a command.
func (m *Model) search(a action.Search) tea.Cmd {
	ctx, svc, now, session := m.ctx, m.o.Service, m.o.Now(), m.session.ID
	other, live := m.suites.other, m.suites.id()
	return func() tea.Msg {
		msg := browse.FoundMsg{List: a.List, Gen: a.Gen}
		var err error
		switch a.List {
		case action.ListSessions:
			var hits []history.SessionHit
			hits, msg.Total, err = svc.Sessions(ctx, a.Query, listLimit)
			for _, h := range hits {
				msg.Items = append(msg.Items, sessionItem(h, now, session))
			}
		case action.ListPrompts:
			var hits []history.PromptHit
			hits, err = svc.Prompts(ctx, a.Query, listLimit)
			for _, h := range hits {
				msg.Items = append(msg.Items, promptItem(h, now))
			}
			msg.Total = len(hits)
		case action.ListPictures:
			var hits []history.PictureHit
			hits, err = svc.Pictures(ctx, a.Session, a.Query, listLimit)
			for _, h := range hits {
				msg.Items = append(msg.Items, pictureItem(h, now))
			}
			msg.Total = len(hits)
		case action.ListPersonas:
			var personas []history.Persona
			personas, err = svc.Personas(ctx, a.Query)
			for _, p := range personas {
				msg.Items = append(msg.Items, personaItem(p))
			}
			msg.Total = len(personas)
		case action.ListFiles, action.ListSuites:
			of := userpath.PictureFiles
			if a.List == action.ListSuites {
				of = userpath.SuiteFiles
			}
			var folder userpath.Folder
			folder, err = svc.Paths().List(ctx, a.Query, of)
			msg.Place = folder.Path
			for _, e := range folder.Entries {
				msg.Items = append(msg.Items, fileItem(e, a.List, now))
			}
			msg.Total = len(msg.Items)
		case action.ListRuns:
			var runs []history.Run
			runs, err = svc.Runner().List(ctx, "", listLimit)
			if i := slices.IndexFunc(runs, func(r history.Run) bool { return r.ID == other }); i >= 0 {
				suite := runs[i].Path
				slices.SortStableFunc(runs, func(x, y history.Run) int { return ofSuite(y, suite) - ofSuite(x, suite) })
			}
			for _, r := range runs {
				if r.ID != other && matches(r, a.Query) {
					msg.Items = append(msg.Items, runItem(r, other, live, now))
				}
			}
			msg.Total = len(msg.Items)
		}
		if err != nil {
			msg.Problem = part.Sentence(err)
		}
		return msg
	}
}

// ofSuite is 1 for a run of a suite's file, else 0.
func ofSuite(r history.Run, path string) int {
	if r.Path == path {
		return 1
	}
	return 0
}

func sessionItem(h history.SessionHit, now time.Time, open int64) browse.Item {
	name := h.Name
	if name == "" {
		name = "unnamed session"
	}
	return browse.Item{
		ID: h.ID, Title: name, Facts: format.Day(h.Updated, now) + "   " + format.Count(h.Turns,
			"turn"), Detail: h.Snippet, Match: h.Match,
		Marked: h.ID == open,
		Enter:  action.OpenSession{Session: h.ID},
		Keys: map[keys.Command]action.Action{
			keys.Rename: action.AskText{Title: "Rename the session", Label: "name", Value: h.Name,
				Then: func(name string) action.Action {
					return action.Rename{Session: h.ID, Name: name}
				}},
			keys.Fork:   action.Fork{Session: h.ID},
			keys.Export: action.Write{What: export.Request{Session: h.ID, As: export.FormatMarkdown}},
			keys.Remove: action.Delete{Session: h.ID},
		},
	}
}

func promptItem(h history.PromptHit, now time.Time) browse.Item {
	text, system := h.Prompt, h.System
	return browse.Item{
		ID: h.Turn, Title: firstLine(text), Facts: format.Day(h.Created, now) + "   " + format.Count(len(h.Models), "model"),
		Detail: text, Match: h.Match,
		Enter: action.Several{action.Compose{Text: &text, System: &system}, action.Focus{Pane: action.PanePrompt}},
		Keys: map[keys.Command]action.Action{
			keys.Fork: action.Several{action.CloseDialog{}, action.OpenSession{Session: h.Session, Turn: h.Turn}},
		},
	}
}

func pictureItem(h history.PictureHit, now time.Time) browse.Item {
	p := h.Answer.Picture
	source := history.Source{Answer: h.Answer.ID, Path: p.Path}
	return browse.Item{
		ID: h.Answer.ID, Key: p.Path, Title: firstLine(h.Turn.Prompt),
		Facts:  fmt.Sprintf("%s   %d×%d", format.Day(h.Turn.Created, now), p.Width, p.Height),
		Detail: h.Answer.Model + "   " + filepath.Base(p.Path) + "   " + h.SessionName,
		Enter:  action.OpenSession{Session: h.Turn.Session, Turn: h.Turn.ID},
		Keys: map[keys.Command]action.Action{
			keys.ViewLarge:   action.ViewPictures{Album: browse.Shots{h}},
			keys.OpenPicture: action.Open{Target: p.Path},
			keys.CopyPath:    action.Copy{Text: p.Path, What: "the picture's path"},
			keys.Remove:      action.Delete{Answer: h.Answer.ID},
			keys.Edit: action.Several{action.CloseDialog{}, action.Compose{Source: &source},
				action.Focus{Pane: action.PanePrompt}},
		},
	}
}

func personaItem(p history.Persona) browse.Item {
	text := p.Text
	edit := func(value string) action.Action {
		return action.SavePersona{Persona: history.Persona{ID: p.ID, Name: p.Name, Text: value}}
	}
	return browse.Item{
		ID: p.ID, Title: p.Name, Detail: text,
		Enter: action.Several{action.Compose{System: &text, Persona: p.Name}, action.Focus{Pane: action.PanePrompt}},
		Keys: map[keys.Command]action.Action{
			keys.Rename: action.AskText{Title: "Rename the persona", Label: "name", Value: p.Name,
				Then: func(name string) action.Action {
					return action.SavePersona{Persona: history.Persona{ID: p.ID, Name: name, Text: text}}
				}},
			keys.Edit: action.AskText{Title: "Persona " + p.Name, Label: "text", Value: text, Many: true, Then: edit},
			keys.Remove: action.Confirm{Title: "Delete a persona",
				Question: "Delete the persona " + p.Name + "? It cannot be brought back.",
				Yes:      action.DeletePersona{ID: p.ID}},
		},
	}
}

func fileItem(e userpath.Entry, list action.List, now time.Time) browse.Item {
	item := browse.Item{Key: e.Path, Title: e.Name, Facts: format.Day(e.Modified, now)}
	if e.Dir {
		item.Title += "/"
		item.Enter = action.Search{List: list, Query: e.Path}
		return item
	}
	item.Facts = format.Size(e.Size) + "   " + item.Facts
	if list == action.ListSuites {
		item.Enter = action.OpenSuite{Path: e.Path}
		return item
	}
	source := history.Source{Path: e.Path}
	item.Enter = action.Several{action.Compose{Source: &source}, action.Focus{Pane: action.PanePrompt}}
	return item
}

// themeItems lists the themes; moving over one shows it at once.
func (m *Model) themeItems() []browse.Item {
	items := []browse.Item{{Key: "auto", Title: "auto", Facts: "by the terminal's background", Marked: m.theme.Name == "auto",
		Enter: action.Theme{Name: "auto", Keep: true}}}
	for _, p := range m.o.Palettes {
		facts := "light"
		if p.Dark {
			facts = "dark"
		}
		items = append(items, browse.Item{Key: p.Name, Title: p.Name, Facts: facts, Marked: m.theme.Name == p.Name,
			Enter: action.Theme{Name: p.Name, Keep: true}})
	}
	return items
}

// preview makes the lines beside a list.
func (m *Model) preview(a action.Preview) tea.Cmd {
	ctx, svc, styles, profile, load := m.ctx, m.o.Service, m.styles, m.graphics.Profile(), m.graphics.Load()
	id, aspect := m.graphics.IDs().ID(a.Path), m.graphics.CellAspect()
	return func() tea.Msg {
		msg := browse.PreviewedMsg{List: a.List, Gen: a.Gen, ID: a.ID}
		d := previewer{styles: styles, profile: profile, w: a.W, h: a.H, load: load, id: id, aspect: aspect}
		switch a.List {
		case action.ListSessions:
			s, err := svc.Session(ctx, a.ID)
			if err == nil {
				var turns []history.Turn
				turns, err = svc.Turns(ctx, a.ID, history.Page{Limit: 12})
				msg.Lines = d.session(s, turns)
			}
			if err != nil {
				msg.Lines = d.text(part.Sentence(err))
			}
		case action.ListPrompts:
			if t, err := svc.Turn(ctx, a.ID); err == nil {
				msg.Lines = d.turn(t)
			}
		case action.ListPictures, action.ListEdits:
			msg.Lines, msg.Picture = d.picture(a.Path)
		case action.ListFiles:
			if folder, err := svc.Paths().List(ctx, a.Path, userpath.PictureFiles); err == nil && a.Path != "" {
				msg.Lines = d.folder(folder)
				break
			}
			msg.Lines, msg.Picture = d.picture(a.Path)
		case action.ListPersonas:
			personas, err := svc.Personas(ctx, "")
			if err != nil {
				msg.Lines = d.text(part.Sentence(err))
			}
			for _, p := range personas {
				if p.ID == a.ID {
					msg.Lines = d.text(p.Text)
				}
			}
		case action.ListRuns:
			t, err := svc.Runner().Table(ctx, a.ID)
			if msg.Lines = d.run(t); err != nil {
				msg.Lines = d.text(part.Sentence(err))
			}
		case action.ListSuites:
			if !strings.HasSuffix(a.Path, ".yaml") && !strings.HasSuffix(a.Path, ".yml") {
				break // a folder
			}
			f, err := svc.OpenSuite(ctx, a.Path)
			if msg.Lines = d.suite(f); err != nil {
				msg.Lines = d.text(part.Sentence(err))
			}
		case action.ListThemes:
			msg.Lines = themes.Sample(styles, a.W)
		}
		return msg
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// pickSource opens the picker of an edit's source picture.
func (m *Model) pickSource() tea.Cmd {
	m.lists.open = action.ListPictures
	return m.push(browse.NewSource(m.session.ID, "", m.keys, m.styles))
}
