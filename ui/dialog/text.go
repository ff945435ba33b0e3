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
	pager  pager
}

// NewText returns a text view. Answer is set where the text is about a request that can be copied as a curl command.
func NewText(title, text string, answer int64, m keys.Map, s *themes.Styles) *Text {
	return &Text{Base: overlay.NewBase("text", keys.Viewer, m, s), title: termtext.Line(title), text: text,
		answer: answer, clean: termtext.Clean(text)}
}

// SetSize implements [action.Dialog].
func (t *Text) SetSize(w, h int) {
	t.w, t.h = overlay.Size(w, h, textWidth, h)
	lines := termtext.Wrap(t.clean, max(t.w-4, 2))
	t.h = min(t.h, max(len(lines), 3)+2)
	t.pager.set(lines, t.h-2)
}

// Update implements [action.Dialog].
func (t *Text) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if t.pager.update(msg) {
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
	for _, line := range t.pager.view() {
		lines = append(lines, t.Styles.Text.On(line))
	}
	borders, _ := t.Hints()
	return frame.Draw(t.Box(t.title, t.pager.position(), borders[0], t.w, t.h), lines)
}

// Hints implements [action.Dialog].
func (t *Text) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	commands := []keys.Command{keys.Close, keys.CopyView}
	if t.answer != 0 {
		commands = append(commands, keys.CopyCurl)
	}
	if t.pager.scrolls() {
		commands = append(commands, keys.PageDown)
	}
	return t.BorderHints(t.Keys.Hints(keys.Viewer, commands...), t.w)
}

// pager scrolls lines in a window of h lines.
type pager struct {
	lines []string
	top   int
	h     int
}

// set replaces the lines and stays as near to the position as possible.
func (p *pager) set(lines []string, h int) {
	p.lines, p.h = lines, max(h, 0)
	p.scroll(0)
}

func (p *pager) scroll(by int) { p.top = max(min(p.top+by, len(p.lines)-p.h), 0) }

// scrolls tells whether there is more than the window shows.
func (p *pager) scrolls() bool { return len(p.lines) > p.h }

// update scrolls by a key of the viewers' scope or by the wheel, and tells whether the message was one of these.
func (p *pager) update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.scroll(keys.Wheel(msg))
		return true
	case keys.Press:
		by, ok := msg.Command.Lines(p.h, 1, max(len(p.lines), 1))
		p.scroll(by)
		return ok
	}
	return false
}

// view returns the lines of the window.
func (p *pager) view() []string { return p.lines[p.top:min(p.top+p.h, len(p.lines))] }

// position says how far the window reaches into the lines.
func (p *pager) position() string { return frame.ScrollPosition(p.top, p.h, len(p.lines)) }
