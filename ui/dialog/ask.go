package dialog

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"
	"confab/ui/widget"
)

// Heights of the text areas, and the most characters that a name takes.
const (
	oneLineRows   = 2 // a longer name wraps
	manyLinesRows = 8
	maxNameLength = 4096
)

// AskText asks for a text of one line, or of several.
type AskText struct {
	overlay.Base
	ask  action.AskText
	w, h int
	area textarea.Model
}

var _ part.KeyLooker = (*AskText)(nil)

// NewAskText returns the dialog that asks for a text, with the value that it has now.
func NewAskText(ask action.AskText, m keys.Map, s *themes.Styles) *AskText {
	d := &AskText{Base: overlay.NewBase("ask", keys.Form, m, s), ask: ask, area: widget.NewArea(m)}
	value := widget.NormalizeLines(ask.Value)
	if !ask.Many {
		d.area.KeyMap.InsertNewline.SetEnabled(false)
		d.area.CharLimit = maxNameLength
		value = widget.OneLine(value)
	}
	widget.SetAreaText(&d.area, value)
	d.area.MoveToEnd()
	d.area.Focus()
	d.SetStyles(s)
	return d
}

// SetStyles implements [action.Dialog].
func (d *AskText) SetStyles(s *themes.Styles) {
	d.Styles = s
	d.area.SetStyles(s.Editor)
}

// SetSize implements [action.Dialog].
func (d *AskText) SetSize(w, h int) {
	rows := oneLineRows
	if d.ask.Many {
		rows = manyLinesRows
	}
	d.w, d.h = overlay.Size(w, h, questionWidth, 3+rows)
	d.area.SetWidth(max(d.w-4, 1))
	d.area.SetHeight(max(d.h-3, 1))
}

// Lookups implements [part.KeyLooker]. In a text of several lines, enter and the keys for a new line do what they do in
// the prompt.
func (d *AskText) Lookups() []keys.Lookup {
	if !d.ask.Many {
		return keys.LookupsIn(keys.Form)
	}
	return []keys.Lookup{{Scope: keys.Prompt, Only: []keys.Command{keys.Send, keys.NewLine}}, {Scope: keys.Form}}
}

// Update implements [action.Dialog].
func (d *AskText) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		text := widget.NormalizeLines(msg.Content)
		if !d.ask.Many {
			text = widget.OneLine(text)
		}
		d.area.InsertString(text)
	case keys.Press:
		return d.key(msg)
	}
	return nil, nil
}

func (d *AskText) key(msg keys.Press) (action.Action, tea.Cmd) {
	if msg.Text == "" { // letters are text, whatever they mean elsewhere
		switch msg.Command {
		case keys.Accept, keys.Send:
			return d.accept(), nil
		case keys.Close:
			return action.CloseDialog{}, nil
		}
		if a := d.CommonKey(msg); a != nil {
			return a, nil
		}
		if !widget.EditsArea(d.area, msg.KeyPressMsg) {
			return overlay.UnusedKey(msg), nil
		}
	}
	var cmd tea.Cmd
	d.area, cmd = widget.UpdateArea(d.area, msg.KeyPressMsg)
	return nil, cmd
}

func (d *AskText) accept() action.Action {
	value := d.area.Value()
	if !d.ask.Many {
		value = strings.TrimSpace(value)
	}
	if d.ask.Then == nil {
		return action.CloseDialog{}
	}
	return overlay.CloseThen(d.ask.Then(value))
}

// View implements [action.Dialog].
func (d *AskText) View() string {
	lines := append([]string{d.Styles.Muted.On(termtext.Line(d.ask.Label))},
		strings.Split(termtext.Allow(d.area.View()), "\n")...)
	borders, _ := d.Hints()
	return widget.DrawBox(d.Box(termtext.Line(d.ask.Title), "", borders[0], d.w, d.h), lines)
}

// Hints implements [action.Dialog].
func (d *AskText) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	hints := d.Keys.Hints(keys.Form, keys.Accept, keys.Close)
	if d.ask.Many {
		hints = slices.Concat(d.Keys.HintAs(keys.Prompt, keys.Send, "accept"),
			d.Keys.Hints(keys.Form, keys.Close), d.Keys.Hints(keys.Prompt, keys.NewLine))
	}
	return d.BorderHints(hints, d.w)
}

// Cursor implements [action.Dialog].
func (d *AskText) Cursor() *tea.Cursor {
	c := d.area.Cursor()
	if c == nil || d.w < 5 || d.h < 4 {
		return nil
	}
	c.X += 2
	c.Y += 2
	return c
}
