package browse

import (
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/textedit"
)

// finder is what lists and the gallery have in common: a filter, the search by it, and a cursor among what was found.
type finder struct {
	overlay.Base
	selection
	list   action.List
	w, h   int // of the box with the filter
	filter textedit.Field

	problem string // why the search failed, "" for nothing
	gen     int    // of the newest search
	found   int    // the generation of the search whose results are shown
	pending bool   // enter was pressed before the newest search was answered
	fresh   bool   // the results shown are the first of their query
}

func newFinder(list action.List, scope keys.Scope, placeholder string, m keys.Map, s *themes.Styles) finder {
	name := string(list)
	if scope == keys.Gallery {
		name = "gallery"
	}
	f := finder{Base: overlay.NewBase(name, scope, m, s), list: list, filter: textedit.NewField("", placeholder)}
	f.SetStyles(s)
	return f
}

// SetStyles implements [action.Dialog].
func (f *finder) SetStyles(s *themes.Styles) { f.Styles, f.filter.Styles = s, s }

// setBox sets the size of the box with the filter.
func (f *finder) setBox(w, h int) {
	f.w, f.h = w, h
	f.filter.SetWidth(w - 6)
}

// Cursor implements [action.Dialog].
func (f *finder) Cursor() *tea.Cursor {
	if f.w < 8 || f.h < 3 {
		return nil
	}
	return f.filter.Cursor(4, 1)
}

// Query returns what the filter says.
func (f *finder) Query() string { return f.filter.Value() }

// Searched tells whether what is shown are the first results of a search.
func (f *finder) Searched() bool { return f.fresh }

// message returns the lines that are shown in place of results: the problem, that they are being read, or why there are
// none. The text takes at most w cells.
func (f *finder) message(empty string, w int) []string {
	style, text := f.Styles.Muted, empty
	switch {
	case f.problem != "":
		style, text = f.Styles.Danger, f.problem
	case f.found == 0:
		text = "Reading…"
	case f.filter.Value() != "":
		text = "Nothing matches “" + f.filter.Value() + "”."
	}
	var out []string
	for _, line := range termtext.Wrap(termtext.Clean(text), max(w, 1)) {
		out = append(out, "  "+style.On(line))
	}
	return out
}

// commonKey handles a key press for which the dialog has no command of its own. leave is what closing the dialog does.
// isText tells that the key edits the filter or moves in it.
func (f *finder) commonKey(msg keys.Press, leave action.Action) (a action.Action, isText bool) {
	if list, ok := listOf(msg); ok {
		if list == f.list { // the key that opened it closes it
			return leave, false
		}
		return append(flatten(leave), action.RunCommand{Scope: keys.Everywhere, Command: msg.Command}), false
	}
	a = f.CommonKey(msg)
	if _, closes := a.(action.CloseDialog); closes {
		return leave, false
	}
	return a, a == nil && f.filter.Edits(msg)
}

func flatten(a action.Action) action.Several {
	if several, ok := a.(action.Several); ok {
		return several
	}
	return action.Several{a}
}

// listOf returns the list that a key opens, also from another one; "" for the models, which are no list.
func listOf(msg keys.Press) (list action.List, ok bool) {
	if msg.Scope != keys.Everywhere {
		return "", false
	}
	list, ok = map[keys.Command]action.List{
		keys.Commands: action.ListCommands, keys.Personas: action.ListPersonas,
		keys.Sessions: action.ListSessions, keys.OldPrompts: action.ListPrompts,
		keys.Pictures: action.ListPictures, keys.Themes: action.ListThemes,
		keys.ChooseModels: "",
	}[msg.Command]
	return list, ok
}

// selection is a cursor among n entries that are shown in rows of cols.
type selection struct {
	n, cols, rows int // rows that fit at once
	at, first     int // entry under the cursor, first row shown
}

// selected tells whether there is an entry under the cursor.
func (s *selection) selected() bool { return s.at >= 0 && s.at < s.n }

// moveTo puts the cursor on an entry, or on the nearest there is, and tells whether it moved.
func (s *selection) moveTo(to int) bool {
	former := s.at
	s.at = max(min(to, s.n-1), 0)
	s.reveal()
	return s.at != former
}

// moveRows moves the cursor by rows. It stays in its column, except in a last row that ends before it.
func (s *selection) moveRows(by int) bool {
	if s.cols < 1 || s.n == 0 {
		return false
	}
	row := max(min(s.at/s.cols+by, (s.n-1)/s.cols), 0)
	return s.moveTo(row*s.cols + s.at%s.cols)
}

// move moves the cursor by a command; page is how many rows a page has. handled tells whether it was such a command.
func (s *selection) move(command keys.Command, page int) (moved, handled bool) {
	switch command {
	case keys.ListDown:
		return s.moveRows(1), true
	case keys.ListUp:
		return s.moveRows(-1), true
	case keys.ListPgDown:
		return s.moveRows(page), true
	case keys.ListPgUp:
		return s.moveRows(-page), true
	case keys.ListTop:
		return s.moveTo(0), true
	case keys.ListEnd:
		return s.moveTo(s.n - 1), true
	case keys.PictureLeft:
		return s.moveTo(s.at - 1), true
	case keys.PictureRight:
		return s.moveTo(s.at + 1), true
	}
	return false, false
}

// reveal scrolls so that the row of the cursor is seen.
func (s *selection) reveal() {
	if s.cols < 1 {
		return
	}
	row, rows, all := s.at/s.cols, max(s.rows, 1), (s.n+s.cols-1)/s.cols
	s.first = min(s.first, row)
	s.first = max(s.first, row-rows+1)
	s.first = max(min(s.first, all-rows), 0)
}

// window returns the entries that are on screen, and those of so many further screens.
func (s *selection) window(further int) (from, to int) {
	from = min(max(s.first*s.cols, 0), s.n)
	return from, min(from+(1+further)*s.cols*s.rows, s.n)
}
