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
	"confab/ui/textedit"
)

// manyLines is the height of a text of several lines.
const manyLines = 8

// AskText asks for a text of one line, or of several.
type AskText struct {
	ask    action.AskText
	m      keys.Map
	styles *themes.Styles
	w, h   int
	line   field
	area   textarea.Model
}

// NewAskText returns the dialog that asks for a text, with the value that it
// has now.
func NewAskText(ask action.AskText, m keys.Map, s *themes.Styles) *AskText {
	d := &AskText{ask: ask, m: m}
	if ask.Many {
		d.area = newArea(ask.Value, m)
	} else {
		d.line = newField(ask.Value, "")
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
	// These two reach for the clipboard of the machine confab runs on, which
	// over SSH is not the user's.
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

// normalLines turns the line ends of other systems into line feeds: the text
// area makes two lines of CRLF.
func normalLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// Name implements [Dialog].
func (d *AskText) Name() string { return "ask" }

// Scope implements [Dialog].
func (d *AskText) Scope() keys.Scope { return keys.Form }

// SetStyles implements [Dialog].
func (d *AskText) SetStyles(s *themes.Styles) {
	d.styles = s
	d.line.styles = s
	if d.ask.Many {
		d.area.SetStyles(s.Editor)
	}
}

// SetSize implements [Dialog].
func (d *AskText) SetSize(w, h int) {
	wish := 5
	if d.ask.Many {
		wish = 4 + manyLines
	}
	d.w, d.h = formSize(w, h, questionWidth, wish)
	if d.ask.Many {
		d.area.SetWidth(max(d.w-4, 1))
		d.area.SetHeight(max(d.h-4, 1))
		return
	}
	d.line.setWidth(d.w - 4)
}

// Update implements [Dialog].
func (d *AskText) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok || key.Text != "" {
		return nil, d.edit(msg)
	}
	effect := d.m.Effect(keys.Form, key)
	if d.ask.Many {
		// Enter and the keys for a new line do what they do in the prompt.
		switch d.m.Effect(keys.Prompt, key) {
		case keys.Send:
			effect = keys.Accept
		case keys.NewLine:
			effect = ""
		}
	}
	switch effect {
	case keys.Accept:
		return done(d.result()), nil
	case keys.Close:
		return action.CloseDialog{}, nil
	}
	if a := elsewhere(d.m, keys.Form, key); a != nil {
		return a, nil
	}
	if effect == "" && !d.edits(key) {
		return unused(key), nil
	}
	return nil, d.edit(msg)
}

// edits tells whether a key edits the text or moves in it.
func (d *AskText) edits(key tea.KeyPressMsg) bool {
	if d.ask.Many {
		return textedit.EditsArea(d.area, key)
	}
	return d.line.edits(key)
}

func (d *AskText) edit(msg tea.Msg) tea.Cmd {
	if !d.ask.Many {
		d.line.update(msg)
		return nil
	}
	switch msg := msg.(type) {
	case tea.PasteMsg:
		d.area.InsertString(normalLines(msg.Content))
		return nil
	case tea.KeyPressMsg:
		var cmd tea.Cmd
		d.area, cmd = textedit.UpdateArea(d.area, msg)
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
	return d.ask.Then(strings.TrimSpace(d.line.value()))
}

// View implements [Dialog].
func (d *AskText) View() string {
	lines := []string{d.styles.Muted.On(termtext.Line(d.ask.Label))}
	if d.ask.Many {
		lines = append(lines, "")
		lines = append(lines, strings.Split(termtext.Allow(d.area.View()), "\n")...)
	} else {
		lines = append(lines, d.line.view(true))
	}
	return frame.Draw(frame.Box{
		Title: termtext.Line(d.ask.Title), Bottom: hintLine(d.styles, borderHints(d.hints(), d.w-6)),
		Focused: true, W: d.w, H: d.h, Pad: 1, Styles: d.styles,
	}, lines)
}

// Hints implements [Dialog].
func (d *AskText) Hints() (border, footer []keys.Hint) { return divide(d.hints(), d.w-6) }

func (d *AskText) hints() []keys.Hint {
	if !d.ask.Many {
		return withHelp(d.m, d.m.Hints(keys.Form, keys.Accept, keys.Close))
	}
	return withHelp(d.m, slices.Concat(hint(d.m, keys.Prompt, keys.Send, "accept"),
		d.m.Hints(keys.Form, keys.Close), d.m.Hints(keys.Prompt, keys.NewLine)))
}

// Cursor implements [Dialog].
func (d *AskText) Cursor() *tea.Cursor {
	if d.w < 5 || d.h < 4 {
		return nil
	}
	if !d.ask.Many {
		c := d.line.cursor()
		c.X += 2
		c.Y += 2
		return c
	}
	c := d.area.Cursor()
	if c != nil {
		c.X += 2
		c.Y += 3
	}
	return c
}
