package widget

import (
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/keys"
)

// Finder is a text that is searched for, with the line in which it is typed.
type Finder struct {
	IsTyping bool
	Text     string
	field    Field
}

// FindStep is what a key or a paste did to a search.
type FindStep int

const (
	FindIgnored  FindStep = iota // the key means nothing in the line
	FindSame                     // the text stayed
	FindChanged                  // there is another text
	FindAccepted                 // typing has ended
	FindClosed                   // the search has ended
)

// Start lets the text be typed, or edited, in a pane of w cells.
func (f *Finder) Start(m keys.Map, s *themes.Styles, w int) {
	f.IsTyping, f.field = true, NewField(m, f.Text, "")
	f.field.Styles = s
	f.field.SetWidth(max(w/2, 1))
}

// Update takes a key or a paste while the text is typed.
func (f *Finder) Update(msg tea.Msg) FindStep {
	if press, ok := msg.(keys.Press); ok {
		switch command := press.LineCommand(); {
		case press.Scope == keys.Vi:
		case command == keys.Accept && f.Text != "":
			f.IsTyping = false
			return FindAccepted
		case command == keys.Accept || command == keys.Close:
			*f = Finder{}
			return FindClosed
		case !f.field.Edits(press):
			return FindIgnored
		}
	}
	if !f.field.Update(msg) {
		return FindSame
	}
	f.Text = f.field.Value()
	return FindChanged
}

// Takes reports whether a key belongs to vi's mode of the line.
func (f *Finder) Takes(msg tea.KeyPressMsg) bool { return f.IsTyping && f.field.Takes(msg) }

const findLabel = "find"

// View draws the label and the text.
func (f *Finder) View(s *themes.Styles) string {
	text := termtext.Line(f.Text)
	if f.IsTyping {
		text, _ = f.field.Visible()
	}
	return s.Key.On(findLabel) + "  " + s.Text.On(text)
}

// Cursor returns the cursor of a View whose first cell is at (x, y), nil while nothing is typed.
func (f *Finder) Cursor(x, y int) *tea.Cursor {
	if !f.IsTyping {
		return nil
	}
	return f.field.Cursor(x+len(findLabel)+2, y)
}
