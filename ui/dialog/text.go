package dialog

import (
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/keys"
)

// textWidth is the widest text view: longer lines are hard to read.
const textWidth = 104

// Text shows a text to look at: a request, what is known of a model, a system
// prompt. It draws the text cleaned and copies it as it is.
type Text struct {
	title  string
	text   string
	answer int64
	m      keys.Map
	styles *themes.Styles
	clean  string
	w, h   int
	pager  pager
}

// NewText returns a text view. Answer is set where the text tells of a
// request that can be copied as a curl command.
func NewText(title, text string, answer int64, m keys.Map, s *themes.Styles) *Text {
	return &Text{title: termtext.Line(title), text: text, answer: answer, m: m, styles: s, clean: termtext.Clean(text)}
}

// Name implements [Dialog].
func (t *Text) Name() string { return "text" }

// Scope implements [Dialog].
func (t *Text) Scope() keys.Scope { return keys.Viewer }

// SetStyles implements [Dialog].
func (t *Text) SetStyles(s *themes.Styles) { t.styles = s }

// SetSize implements [Dialog].
func (t *Text) SetSize(w, h int) {
	t.w, t.h = formSize(w, h, textWidth, h)
	lines := termtext.Wrap(t.clean, max(t.w-4, 2))
	t.h = min(t.h, max(len(lines), 3)+2)
	t.pager.set(lines, t.h-2)
}

// Update implements [Dialog].
func (t *Text) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if t.pager.update(t.m, msg) {
		return nil, nil
	}
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, nil
	}
	switch t.m.Effect(keys.Viewer, key) {
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
	if a := elsewhere(t.m, keys.Viewer, key); a != nil {
		return a, nil
	}
	return unused(key), nil
}

// View implements [Dialog].
func (t *Text) View() string {
	ink := t.styles.Text
	lines := make([]string, 0, t.h)
	for _, line := range t.pager.view() {
		lines = append(lines, ink.On(line))
	}
	return frame.Draw(frame.Box{
		Title: t.title, Right: t.pager.place(),
		Bottom:  hintLine(t.styles, borderHints(t.hints(), t.w-6)),
		Focused: true, W: t.w, H: t.h, Pad: 1, Styles: t.styles,
	}, lines)
}

// Hints implements [Dialog].
func (t *Text) Hints() (border, footer []keys.Hint) { return divide(t.hints(), t.w-6) }

func (t *Text) hints() []keys.Hint {
	effects := []keys.Effect{keys.Close, keys.CopyView}
	if t.answer != 0 {
		effects = append(effects, keys.CopyCurl)
	}
	if t.pager.scrolls() {
		effects = append(effects, keys.PageDown)
	}
	return withHelp(t.m, t.m.Hints(keys.Viewer, effects...))
}

// Cursor implements [Dialog].
func (t *Text) Cursor() *tea.Cursor { return nil }
