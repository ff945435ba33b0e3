package dialog

import (
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/keys"
	"confab/ui/overlay"
)

// textWidth is the widest text view: longer lines are hard to read.
const textWidth = 104

// Text shows a text to read: a request, what is known of a model, a system prompt. It draws the text cleaned and copies
// it as it is.
type Text struct {
	overlay.Base
	title  string
	text   string
	answer int64
	clean  string
	w, h   int
	pager  overlay.Pager
}

// NewText returns a text view. Answer is set where the text is about a request that can be copied as a curl command.
func NewText(title, text string, answer int64, m keys.Map, s *themes.Styles) *Text {
	return &Text{Base: overlay.NewBase("text", keys.TextViewer, m, s), title: termtext.Line(title), text: text,
		answer: answer, clean: termtext.Clean(text)}
}

// SetSize implements [action.Dialog].
func (t *Text) SetSize(w, h int) {
	t.w, t.h = overlay.Size(w, h, textWidth, h)
	lines := termtext.Wrap(t.clean, max(t.w-4, 2))
	t.h = min(t.h, max(len(lines), 3)+2)
	t.pager.Set(lines, t.h-2)
}

// Update implements [action.Dialog].
func (t *Text) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if t.pager.Update(msg) {
		return nil, nil
	}
	key, ok := msg.(keys.Press)
	if !ok {
		return nil, nil
	}
	switch key.Command {
	case keys.CopyView:
		return action.Copy{Text: t.text, What: t.title}, nil
	case keys.CopyCurl:
		if t.answer != 0 {
			return action.Curl{Answer: t.answer}, nil
		}
		return action.Unused{Key: key.String(), Why: "This text tells of no request."}, nil
	case keys.Close:
		return action.CloseDialog{}, nil
	}
	return t.CommonOrUnused(key), nil
}

// View implements [action.Dialog].
func (t *Text) View() string {
	lines := make([]string, 0, t.h)
	for _, line := range t.pager.View() {
		lines = append(lines, t.Styles.Text.On(line))
	}
	borders, _ := t.Hints()
	return frame.Draw(t.Box(t.title, t.pager.Position(), borders[0], t.w, t.h), lines)
}

// Hints implements [action.Dialog].
func (t *Text) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	commands := []keys.Command{keys.Close, keys.CopyView}
	if t.answer != 0 {
		commands = append(commands, keys.CopyCurl)
	}
	if t.pager.Scrolls() {
		commands = append(commands, keys.PageDown)
	}
	return t.BorderHints(t.Keys.Hints(keys.TextViewer, commands...), t.w)
}
