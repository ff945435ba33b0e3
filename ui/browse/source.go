package browse

import (
	"net/url"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/textedit"
)

// The tabs of [Source].
const (
	tabPictures = iota
	tabFiles
	tabURL
	tabs
)

// Source is the picker of the picture that an edit starts from: a picture of the session, a file, or a URL.
type Source struct {
	overlay.Base
	tab     int
	lists   [2]*List
	names   [tabs]string
	url     textedit.Field
	problem string
}

// NewSource returns the picker from lists of pictures and of files; scope names what the pictures are of.
func NewSource(pictures, files Config, scope string, m keys.Map, s *themes.Styles) *Source {
	d := &Source{Base: overlay.NewBase("source", keys.Form, m, s), url: textedit.NewField("", "https://…"),
		names: [tabs]string{scope, "files", "URL"}}
	next := overlay.Hint(m, keys.Form, keys.NextField, "next tab")
	pictures.Verb, pictures.Extra, pictures.Title = "take", next, d.title(tabPictures)
	pictures.Hints = []keys.Command{keys.Choose, keys.Close, keys.OpenPicture}
	pictures.Take = func(i Item) action.Action { return compose(history.Source{Answer: i.ID, Path: i.Key}) }
	files.Extra, files.Title = next, d.title(tabFiles)
	files.Take = func(i Item) action.Action { return compose(history.Source{Path: i.Key}) }
	files.Typed = func(typed string) action.Action {
		if !strings.HasPrefix(typed, "/") {
			return nil
		}
		return compose(history.Source{Path: typed})
	}
	d.lists = [2]*List{NewList(pictures, m, s), NewList(files, m, s)}
	d.SetStyles(s)
	return d
}

func compose(src history.Source) action.Action { return action.Compose{Source: &src} }

// Scope implements [action.Dialog].
func (d *Source) Scope() keys.Scope {
	if d.tab == tabURL {
		return keys.Form
	}
	return keys.Browser
}

// Lookups implements [part.KeyLooker].
func (d *Source) Lookups() []keys.Lookup {
	if d.tab == tabURL {
		return keys.In(keys.Form)
	}
	return []keys.Lookup{{Scope: keys.Browser},
		{Scope: keys.Form, Only: []keys.Command{keys.NextField, keys.PrevField}}}
}

// Target tells what is selected in the open tab.
func (d *Source) Target() string {
	if d.tab == tabURL {
		return ""
	}
	return d.lists[d.tab].Target()
}

// Searched tells whether the open tab shows the first that a search has found.
func (d *Source) Searched() bool { return d.tab == tabURL || d.lists[d.tab].Searched() }

// SetStyles implements [action.Dialog].
func (d *Source) SetStyles(s *themes.Styles) {
	d.Styles, d.url.Styles = s, s
	for _, l := range d.lists {
		l.SetStyles(s)
	}
}

// SetSize implements [action.Dialog].
func (d *Source) SetSize(w, h int) {
	for _, l := range d.lists {
		l.SetSize(w, h)
	}
	bw, _ := d.box()
	d.url.SetWidth(bw - 8)
}

// box returns the size of the whole dialog, which is that of its lists.
func (d *Source) box() (w, h int) {
	p := d.lists[0].layout
	if p.beside {
		return p.listW + p.previewW, p.listH
	}
	return p.listW, p.listH + p.previewH
}

// title shows which tab is open.
func (d *Source) title(open int) string {
	title := "Source "
	for i, name := range d.names {
		if i == open {
			title += "‹" + name + "›"
		} else {
			title += " " + name + " "
		}
	}
	return title
}

// Work does the work of both lists.
func (d *Source) Work() tea.Cmd { return tea.Batch(d.lists[0].Work(), d.lists[1].Work()) }

// Update implements [action.Dialog].
func (d *Source) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case RefreshMsg, graphics.SentMsg:
		_, first := d.lists[0].Update(msg)
		_, second := d.lists[1].Update(msg)
		return nil, tea.Batch(first, second)
	case keys.Press:
		if d.changeTab(msg) {
			return nil, nil
		}
	}
	if d.tab != tabURL {
		return d.lists[d.tab].Update(msg)
	}
	return d.updateURL(msg)
}

// changeTab goes to another tab by a key for which the list has no command.
func (d *Source) changeTab(msg keys.Press) bool {
	switch msg.Command {
	case keys.NextField:
		d.tab = (d.tab + 1) % tabs
	case keys.PrevField:
		d.tab = (d.tab + tabs - 1) % tabs
	default:
		return false
	}
	return true
}

func (d *Source) updateURL(msg tea.Msg) (action.Action, tea.Cmd) {
	key, ok := msg.(keys.Press)
	if !ok || key.Text != "" {
		if d.url.Update(msg) {
			d.problem = ""
		}
		return nil, nil
	}
	switch key.Command {
	case keys.Accept:
		address := strings.TrimSpace(d.url.Value())
		if d.problem = urlProblem(address); d.problem != "" {
			return nil, nil
		}
		return overlay.CloseThen(compose(history.Source{URL: address})), nil
	case keys.Close:
		return action.CloseDialog{}, nil
	}
	if a := d.CommonKey(key); a != nil {
		return a, nil
	}
	if !d.url.Edits(key) {
		return overlay.Unused(key), nil
	}
	if d.url.Update(key) {
		d.problem = ""
	}
	return nil, nil
}

// urlProblem says what is wrong with an address, "" for nothing.
func urlProblem(address string) string {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return "Type the address of a picture."
	case err != nil:
		return "This is not an address."
	case u.Scheme != "http" && u.Scheme != "https":
		return "The address must begin with https:// or http://."
	case u.Hostname() == "":
		return "The address names no host."
	case u.User != nil:
		return "The address must not hold a name or password."
	}
	return ""
}

// View implements [action.Dialog].
func (d *Source) View() string {
	if d.tab != tabURL {
		return d.lists[d.tab].View()
	}
	w, h := d.box()
	lines := []string{
		"", d.Styles.Accent.On("  > ") + d.url.View(true), "",
	}
	ink, text := d.Styles.Faint, "The service fetches the picture from this address itself."
	if d.problem != "" {
		ink, text = d.Styles.Danger, d.problem
	}
	for _, line := range termtext.Wrap(text, max(w-8, 2)) {
		lines = append(lines, "    "+ink.On(line))
	}
	borders, _ := d.Hints()
	box := d.Box(d.title(tabURL), "", borders[0], w, h)
	box.Pad = 0
	return frame.Draw(box, lines)
}

// Hints implements [action.Dialog].
func (d *Source) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	if d.tab != tabURL {
		return d.lists[d.tab].Hints()
	}
	w, _ := d.box()
	return d.BorderHints(slices.Concat(overlay.Hint(d.Keys, keys.Form, keys.Accept, "take"),
		d.Keys.Hints(keys.Form, keys.Close), overlay.Hint(d.Keys, keys.Form, keys.NextField, "next tab")), w)
}

// Pictures returns the picture of the preview, where it is drawn.
func (d *Source) Pictures() []graphics.Placement {
	if d.tab == tabURL {
		return nil
	}
	return d.lists[d.tab].Pictures()
}

// Cursor implements [action.Dialog].
func (d *Source) Cursor() *tea.Cursor {
	if d.tab != tabURL {
		return d.lists[d.tab].Cursor()
	}
	w, h := d.box()
	if w < 10 || h < 4 {
		return nil
	}
	return d.url.Cursor(5, 2)
}
