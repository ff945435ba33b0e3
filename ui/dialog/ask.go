package dialog

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/textedit"
)

// manyLines is the height of a text of several lines.
const manyLines = 8

// AskText asks for a text of one line, or of several.
type AskText struct {
	overlay.Base
	ask  action.AskText
	w, h int
	line textedit.Field
	area textarea.Model
}

// NewAskText returns the dialog that asks for a text, with the value that it has now.
func NewAskText(ask action.AskText, m keys.Map, s *themes.Styles) *AskText {
	d := &AskText{Base: overlay.NewBase("ask", keys.Form, m, s), ask: ask}
	if ask.Many {
		d.area = newArea(ask.Value, m)
	} else {
		d.line = textedit.NewField(ask.Value, "")
	}
	d.SetStyles(s)
	return d
}

func newArea(value string, m keys.Map) textarea.Model {
	area := textarea.New()
	area.Prompt = ""
	area.ShowLineNumbers = false
	area.CharLimit = 0
	area.MaxHeight = 0 // would refuse further lines as well (bubbles v2.2.1)
	area.SetVirtualCursor(false)
	// These two use the clipboard of the machine confab runs on, which over SSH is not the user's.
	area.KeyMap.Paste.SetEnabled(false)
	area.KeyMap.CopySelection.SetEnabled(false)
	if e, ok := m.Entry(keys.Prompt, keys.NewLine); ok {
		area.KeyMap.InsertNewline.SetKeys(e.Keys...)
	}
	area.SetValue(normalLines(value))
	area.MoveToEnd()
	area.Focus()
	return area
}

// normalLines turns the line ends of other systems into line feeds: the text area makes two lines of CRLF.
func normalLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// SetStyles implements [action.Dialog].
func (d *AskText) SetStyles(s *themes.Styles) {
	d.Styles, d.line.Styles = s, s
	if d.ask.Many {
		d.area.SetStyles(s.Editor)
	}
}

// SetSize implements [action.Dialog].
func (d *AskText) SetSize(w, h int) {
	if !d.ask.Many {
		d.w, d.h = overlay.Size(w, h, questionWidth, 5)
		d.line.SetWidth(d.w - 4)
		return
	}
	d.w, d.h = overlay.Size(w, h, questionWidth, 4+manyLines)
	d.area.SetWidth(max(d.w-4, 1))
	d.area.SetHeight(max(d.h-4, 1))
}

// Lookups implements [part.KeyLooker]. In a text of several lines, enter and the keys for a new line do what they do in
// the prompt.
func (d *AskText) Lookups() []keys.Lookup {
	if !d.ask.Many {
		return keys.In(keys.Form)
	}
	return []keys.Lookup{{Scope: keys.Prompt, Only: []keys.Command{keys.Send, keys.NewLine}}, {Scope: keys.Form}}
}

// Update implements [action.Dialog].
func (d *AskText) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	key, ok := msg.(keys.Press)
	if !ok || key.Text != "" {
		return nil, d.edit(msg)
	}
	switch key.Command {
	case keys.Accept, keys.Send:
		return overlay.CloseThen(d.result()), nil
	case keys.Close:
		return action.CloseDialog{}, nil
	}
	if a := d.CommonKey(key); a != nil {
		return a, nil
	}
	if key.Scope != keys.Form && !d.edits(key) {
		return overlay.Unused(key), nil
	}
	return nil, d.edit(msg)
}

// edits tells whether a key edits the text or moves in it.
func (d *AskText) edits(key keys.Press) bool {
	if d.ask.Many {
		return textedit.EditsArea(d.area, key.KeyPressMsg)
	}
	return d.line.Edits(key)
}

func (d *AskText) edit(msg tea.Msg) tea.Cmd {
	if !d.ask.Many {
		d.line.Update(msg)
		return nil
	}
	switch msg := msg.(type) {
	case tea.PasteMsg:
		d.area.InsertString(normalLines(msg.Content))
		return nil
	case keys.Press:
		var cmd tea.Cmd
		d.area, cmd = textedit.UpdateArea(d.area, msg.KeyPressMsg)
		return cmd
	}
	return nil
}

func (d *AskText) result() action.Action {
	if d.ask.Then == nil {
		return nil
	}
	if d.ask.Many {
		return d.ask.Then(d.area.Value())
	}
	return d.ask.Then(strings.TrimSpace(d.line.Value()))
}

// View implements [action.Dialog].
func (d *AskText) View() string {
	lines := []string{d.Styles.Muted.On(termtext.Line(d.ask.Label))}
	if d.ask.Many {
		lines = append(lines, "")
		lines = append(lines, strings.Split(termtext.Allow(d.area.View()), "\n")...)
	} else {
		lines = append(lines, d.line.View(true))
	}
	borders, _ := d.Hints()
	return frame.Draw(d.Box(termtext.Line(d.ask.Title), "", borders[0], d.w, d.h), lines)
}

// Hints implements [action.Dialog].
func (d *AskText) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	hints := d.Keys.Hints(keys.Form, keys.Accept, keys.Close)
	if d.ask.Many {
		hints = slices.Concat(overlay.Hint(d.Keys, keys.Prompt, keys.Send, "accept"),
			d.Keys.Hints(keys.Form, keys.Close), d.Keys.Hints(keys.Prompt, keys.NewLine))
	}
	return d.BorderHints(hints, d.w)
}

// Cursor implements [action.Dialog].
func (d *AskText) Cursor() *tea.Cursor {
	if d.w < 5 || d.h < 4 {
		return nil
	}
	if !d.ask.Many {
		return d.line.Cursor(2, 2)
	}
	c := d.area.Cursor()
	if c != nil {
		c.X += 2
		c.Y += 3
	}
	return c
}
