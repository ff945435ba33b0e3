package browse

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/export"
	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
)

// listLimit is how many items a list reads at most.
const listLimit = 200

// search returns a [Content.Search] that calls find in a command, with the time when the search began.
func (b *Browser) search(find func(query string, now time.Time) SearchResult) func(query string) func() SearchResult {
	return func(query string) func() SearchResult {
		now := b.env.Now()
		return func() SearchResult { return find(query, now) }
	}
}

// sessions returns the list of the user's own sessions, or of those that others share.
func (b *Browser) sessions(isTeam bool) Config {
	open := b.env.Session().ID
	c := Config{
		Name: action.ListSessions,
		Texts: Texts{Title: "Sessions", Verb: "open",
			Empty:       "No sessions yet. The first prompt you send starts one.",
			Placeholder: "text, or model:phi, rated:best, after:yesterday", HasQuery: true},
		Preview: b.preview(previewer.session),
		Content: Content{Search: b.search(func(query string, now time.Time) SearchResult {
			hits, total, err := b.env.Service.Sessions(b.env.Ctx, query, listLimit)
			return sessionItems(hits, total, err, now, open)
		})},
	}
	if isTeam {
		c.Name, c.Empty = action.ListTeam, "Nobody has shared a session with you."
		c.Search = b.search(func(query string, now time.Time) SearchResult {
			hits, err := b.env.Service.TeamSessions(b.env.Ctx, query, listLimit)
			return sessionItems(hits, len(hits), err, now, open)
		})
	}
	return b.withTeam(c, isTeam, action.ListSessions, action.ListTeam)
}

// withTeam adds the tabs of the own and of the shared entries to one of these two lists if there are other users.
func (b *Browser) withTeam(c Config, isTeam bool, own, team action.List) Config {
	if b.env.CanShare() {
		c.Tabs = []Tab{{"yours", action.ShowList{List: own}}, {"team", action.ShowList{List: team}}}
	}
	if isTeam {
		c.Tab = 1
	}
	return c
}

// sessionItems returns the items of sessions. Those of one name have the minute of their newest turn, or the second.
func sessionItems(hits []history.SessionHit, total int, err error, now time.Time, open int64) SearchResult {
	r := searchResult(hits, total, err, func(h history.SessionHit) Item { return sessionItem(h, now, open) })
	names, moments := map[string]int{}, map[string]int{}
	moment := func(h history.SessionHit) string {
		return strings.TrimPrefix(format.Moment(h.Updated, now), "today ")
	}
	for _, h := range hits {
		names[h.Name]++
		moments[h.Name+"\n"+moment(h)]++
	}
	for i, h := range hits {
		switch text := moment(h); {
		case names[h.Name] < 2:
		case h.ID == open:
			r.Items[i].Facts += ", " + text
		case moments[h.Name+"\n"+text] > 1:
			r.Items[i].Facts = text + h.Updated.Local().Format(":05")
		default:
			r.Items[i].Facts = text
		}
	}
	return r
}

func sessionItem(h history.SessionHit, now time.Time, open int64) Item {
	owner, turns := h.Owner, format.Count(h.Turns, "turn")
	if h.IsShared && h.Owner == "" {
		owner = "shared"
	}
	if h.Run != 0 {
		turns = fmt.Sprintf("run %d", h.Run)
	}
	item := Item{
		ID: h.ID, Title: cmp.Or(h.Name, "unnamed session"), Columns: []string{owner, turns}, Models: h.Models,
		Facts: format.Ago(h.Updated, now), Detail: h.Snippet, Match: h.Match, Marked: h.ID == open,
		Turn: h.Turn, Answer: h.Answer,
		Enter: action.OpenSession{Session: h.ID, Turn: h.Turn, Answer: h.Answer},
		Keys: map[keys.Command]action.Action{
			keys.Rename: action.AskSessionName(h.ID, h.Name),
			keys.Fork:   action.Fork{Session: h.ID},
			keys.Export: action.ShowWrite{Session: h.ID, As: export.FormatMarkdown},
			keys.Share:  action.ShareSession{Session: h.ID, Stop: h.IsShared},
			keys.Remove: action.Delete{Session: h.ID},
		},
	}
	if prompt := format.FirstLine(h.LastPrompt); !isNamedAfter(item.Title, prompt) {
		item.Note = prompt
	}
	if h.Answer != 0 && len(h.Match) == 0 && h.Snippet != "" { // found by a filter alone
		item.Note = format.FirstLine(h.Snippet)
	}
	if h.ID == open {
		item.Facts = "open"
	}
	if h.Run != 0 && h.Turn == 0 {
		item.Enter = action.ShowRun{Run: h.Run}
	}
	if h.Owner != "" { // read only
		for _, command := range []keys.Command{keys.Rename, keys.Share, keys.Remove} {
			delete(item.Keys, command)
		}
	}
	return item
}

func (b *Browser) prompts() Config {
	return Config{
		Name: action.ListPrompts,
		Texts: Texts{Title: "Prompts", Verb: "use",
			Placeholder: "text of an earlier prompt, or rated:best", HasQuery: true,
			Empty: "No prompts yet. Prompts you send are listed here."},
		Preview: b.preview(previewer.turn),
		Content: Content{Search: b.search(func(query string, now time.Time) SearchResult {
			hits, err := b.env.Service.Prompts(b.env.Ctx, 0, query, listLimit)
			slices.SortStableFunc(hits, func(a, b history.PromptHit) int { // those that a person has typed are first
				return strings.Compare(fmt.Sprint(a.IsOfRun), fmt.Sprint(b.IsOfRun)) // false before true
			})
			return searchResult(hits, len(hits), err, func(h history.PromptHit) Item { return promptItem(h, now) })
		})},
	}
}

// promptItem returns the item of a prompt. That of several which a template has made is the template.
func promptItem(h history.PromptHit, now time.Time) Item {
	text, system := cmp.Or(h.Template, h.Prompt), cmp.Or(h.SystemTemplate, h.System)
	item := Item{
		ID: h.Turn, Title: format.FirstLine(text), Facts: format.Ago(h.Created, now),
		Models: h.Models,
		Enter:  action.Sequence{action.Compose{Text: &text, System: &system}, action.Focus{Pane: action.PanePrompt}},
		Keys: map[keys.Command]action.Action{
			keys.GoToSession: action.Sequence{action.CloseDialog{},
				action.OpenSession{Session: h.Session, Turn: h.Turn}},
		},
	}
	if h.IsOfRun {
		item.Group = "of runs"
	}
	for _, values := range h.Values {
		var all []string
		for _, name := range slices.Sorted(maps.Keys(values)) {
			all = append(all, name+" = "+values[name])
		}
		item.Values = append(item.Values, strings.Join(all, ", "))
	}
	if item.Title == h.Prompt { // a prompt of one line has no detail
		item.hits = h.Match
	} else {
		item.Detail, item.Match = h.Prompt, h.Match
	}
	return item
}

// pictures returns the list of the pictures of a session, or of all sessions for 0.
func (b *Browser) pictures(session int64) Config {
	c := Config{
		Name:  action.ListPictures,
		Texts: pictureTexts(b.env.Keys),
		Content: Content{Search: b.search(func(query string, now time.Time) SearchResult {
			hits, err := b.env.Service.Pictures(b.env.Ctx, session, query, listLimit)
			return searchResult(hits, len(hits), err, func(h history.PictureHit) Item { return pictureItem(h, now) })
		})},
	}
	if b.showsPictures() {
		c.Preview = b.preview(previewer.picture)
	}
	return c
}

func pictureItem(h history.PictureHit, now time.Time) Item {
	p := h.Answer.Picture
	item := Item{
		ID: h.Answer.ID, Key: p.Path, File: graphics.FileOf(p), Title: format.FirstLine(h.Turn.Prompt),
		Columns: []string{fmt.Sprintf("%d×%d", p.Width, p.Height)}, Models: []string{h.Answer.Model},
		Facts:  format.Day(h.Turn.Created, now),
		Detail: h.Answer.Model + "   " + filepath.Base(p.Path) + "   " + h.SessionName,
		Enter:  action.OpenSession{Session: h.Turn.Session, Turn: h.Turn.ID},
		Keys:   pictureKeys(history.Source{Answer: h.Answer.ID, Path: p.Path}),
	}
	item.Keys[keys.ViewLarge] = action.ViewPictures{Album: PictureList{h}}
	item.Keys[keys.Remove] = action.Delete{Answer: h.Answer.ID}
	return item
}

// pictureTexts returns the words of the gallery and of the list of pictures.
func pictureTexts(m keys.Map) Texts {
	how := m.Phrase(keys.Everywhere, keys.ChooseModels, " (%s)")
	return Texts{Title: "Pictures", Verb: "go to", HasQuery: true,
		Placeholder: "text of the prompt, or as in model:sim rated:best",
		Empty:       "No pictures yet. Mark a model under IMAGE" + how + " and send a prompt."}
}

// createPersona keeps the system prompt under a name. Without a text it opens the editor to write one.
func (b *Browser) createPersona() action.Action {
	text := b.env.SystemPrompt()
	if text == "" && b.env.Settings().Params.IsZero() {
		return action.Sequence{action.CloseDialog{}, action.RunCommand{Scope: keys.Everywhere, Command: keys.Personas}}
	}
	return action.KeepPersona{Text: text}
}

func (b *Browser) personas() Config {
	how := " %s makes one."
	if b.env.SystemPrompt() != "" {
		how = " %s saves the current prompt."
	}
	empty := "No personas yet. A persona is a system prompt with a name." +
		b.env.Keys.Phrase(keys.Browser, keys.Create, how)
	return Config{
		Name: action.ListPersonas,
		Texts: Texts{Title: "Personas", Verb: "use", Empty: empty,
			Placeholder: "name or text"},
		Reactions: Reactions{Keys: map[keys.Command]action.Action{keys.Create: b.createPersona()}},
		Preview: b.preview(func(p previewer, item Item) (Preview, error) {
			return Preview{Lines: p.text(item.Detail)}, nil
		}),
		Content: Content{Search: b.search(func(query string, _ time.Time) SearchResult {
			personas, err := b.env.Service.Personas(b.env.Ctx, query)
			return searchResult(personas, len(personas), err, personaItem)
		})},
	}
}

func personaItem(p history.Persona) Item {
	text := p.Text
	save := func(name, text string) action.Action {
		changed := p
		changed.Name, changed.Text = name, text
		return action.SavePersona{Persona: changed}
	}
	use := action.Compose{System: &text, Models: p.Models}
	if !p.Params.IsZero() {
		use.Params = &p.Params
	}
	return Item{
		ID: p.ID, Title: p.Name, Note: format.FirstLine(text), Detail: text, Models: p.Models,
		Facts: service.ParamsText(p.Params),
		Enter: action.Sequence{use, action.Focus{Pane: action.PanePrompt},
			action.Notify{Severity: action.Good, Text: p.Name + ": " + service.PersonaContents(p)}},
		Keys: map[keys.Command]action.Action{
			keys.Rename: action.AskText{Title: "Rename the persona", Label: "name", Value: p.Name,
				Then: func(name string) action.Action { return save(name, text) }},
			keys.Edit: action.AskText{Title: "Persona " + p.Name, Label: "text", Value: text, Many: true,
				Then: func(text string) action.Action { return save(p.Name, text) }},
			keys.Remove: action.Confirm{Title: "Delete a persona",
				Question: "Delete the persona " + p.Name + "? This cannot be undone.",
				Yes:      action.DeletePersona{ID: p.ID}},
		},
	}
}

func searchResult[T any](hits []T, total int, err error, item func(T) Item) SearchResult {
	items := make([]Item, len(hits))
	for i, h := range hits {
		items[i] = item(h)
	}
	return SearchResult{Items: items, Total: total, Err: err}
}
