package dialog

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/widget"
)

// viewer is a box of lines to be read.
type viewer struct {
	overlay.Base
	title            string
	maxWidth, leastH int                  // of the box, in cells; of its lines
	layOut           func(w int) []string // returns the lines for a width, drawn
	commands         []keys.Command       // that the border shows, besides scrolling
	isHelp           bool
	screenW, screenH int
	w, h             int
	pager            overlay.Pager
}

// SetStyles implements [action.Dialog].
func (v *viewer) SetStyles(s *themes.Styles) {
	v.Styles = s
	v.SetSize(v.screenW, v.screenH)
}

// SetSize implements [action.Dialog].
func (v *viewer) SetSize(w, h int) {
	v.screenW, v.screenH = w, h
	v.w, v.h = overlay.Size(w, h, v.maxWidth, h)
	lines := v.layOut(max(v.w-4, 0))
	v.h = min(v.h, max(len(lines), v.leastH)+2)
	v.pager.Set(lines, v.h-2)
}

// Update implements [action.Dialog].
func (v *viewer) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	key, isKey := msg.(keys.Press)
	if v.pager.Update(msg) || !isKey {
		return nil, nil
	}
	if key.Command == keys.Close {
		return action.CloseDialog{}, nil
	}
	return v.CommonOrUnused(key), nil
}

// View implements [action.Dialog].
func (v *viewer) View() string {
	borders, _ := v.Hints()
	return widget.DrawBox(v.Box(v.title, v.pager.Position(), borders[0], v.w, v.h), v.pager.View())
}

// Hints implements [action.Dialog].
func (v *viewer) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	hints := v.Keys.Hints(keys.TextViewer, v.commands...)
	if v.pager.Scrolls() {
		hints = append(hints, v.Keys.Hints(keys.TextViewer, keys.PageDown)...)
	}
	if v.isHelp {
		return overlay.SplitHints(hints, v.w)
	}
	return v.BorderHints(hints, v.w)
}

// Text shows a text to read: a request, what is known of a model, a system prompt. It draws the text cleaned and copies
// it as it is.
type Text struct {
	viewer
	text   string
	answer int64
}

// NewText returns a text view. Answer is set where the text is about a request that can be copied as a curl command.
func NewText(title, text string, answer int64, m keys.Map, s *themes.Styles) *Text {
	clean := termtext.Clean(text)
	t := &Text{text: text, answer: answer}
	t.viewer = viewer{
		Base: overlay.NewBase("text", keys.TextViewer, m, s), title: termtext.Line(title),
		maxWidth: 104, leastH: 3, // longer lines are hard to read
		commands: []keys.Command{keys.Close, keys.CopyView},
		layOut: func(w int) []string {
			return styled(t.Styles.Text, termtext.Wrap(clean, max(w, 2)))
		},
	}
	if answer != 0 {
		t.commands = append(t.commands, keys.CopyCurl)
	}
	return t
}

// Update implements [action.Dialog].
func (t *Text) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if key, ok := msg.(keys.Press); ok {
		switch {
		case key.Command == keys.CopyView:
			return action.Copy{Text: t.text, What: t.title}, nil
		case key.Command == keys.CopyCurl && t.answer != 0:
			return action.Curl{Answer: t.answer}, nil
		case key.Command == keys.CopyCurl:
			return action.Unused{Key: key.String(), Why: "This text tells of no request."}, nil
		}
	}
	return t.viewer.Update(msg)
}

// maxKeysWidth is the most cells that keys take in the help.
const maxKeysWidth = 18

// Help shows every key of one scope and those that work everywhere.
type Help struct {
	viewer
	about keys.Scope
}

// NewHelp returns the help about a scope of the key map.
func NewHelp(m keys.Map, about keys.Scope, s *themes.Styles) *Help {
	d := &Help{about: about}
	d.viewer = viewer{Base: overlay.NewBase("help", keys.TextViewer, m, s), title: "Keys", maxWidth: 160,
		commands: []keys.Command{keys.Close}, layOut: d.columns, isHelp: true}
	return d
}

// Lookups implements [part.KeyLooker]: the key that opened the help closes it too.
func (d *Help) Lookups() []keys.Lookup {
	return []keys.Lookup{{Scope: keys.TextViewer}, {Scope: d.about, Only: []keys.Command{keys.Help}}}
}

// Update implements [action.Dialog].
func (d *Help) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if key, ok := msg.(keys.Press); ok && key.Command == keys.Help {
		return action.CloseDialog{}, nil
	}
	return d.viewer.Update(msg)
}

// columns lays the sections out side by side where there is room for two.
func (d *Help) columns(w int) []string {
	half := w
	if w >= 100 {
		half = (w - 3) / 2
	}
	left := d.section(keys.Everywhere, half)
	var right []string
	switch {
	case d.about != keys.Everywhere && len(d.Keys.Entries(d.about)) > 0:
		left, right = d.section(d.about, half), left
		if half == w {
			return append(append(left, ""), right...)
		}
	case half == w:
		return left
	default:
		middle := (len(left) + 1) / 2
		left, right = left[:middle], append([]string{""}, left[middle:]...)
	}
	return beside(half+3, left, right)
}

// section draws a scope's keys at a width, under its name.
func (d *Help) section(scope keys.Scope, w int) []string {
	name := []rune(string(scope))
	if len(name) > 0 {
		name[0] = unicode.ToUpper(name[0])
	}
	lines := []string{d.Styles.Strong.On(string(name))}
	entries := d.Keys.Entries(scope)
	keysW := 0
	for _, e := range entries {
		keysW = max(keysW, min(termtext.Width(strings.Join(e.Keys, " ")), maxKeysWidth))
	}
	for _, e := range entries {
		names := styled(d.Styles.Key, termtext.Wrap(termtext.Line(strings.Join(e.Keys, " ")), keysW))
		texts := styled(d.Styles.KeyText, termtext.Wrap(e.Long, max(w-keysW-2, 10)))
		lines = append(lines, beside(keysW+2, names, texts)...)
	}
	return lines
}

func styled(style themes.Style, lines []string) []string {
	for i, line := range lines {
		lines[i] = style.On(line)
	}
	return lines
}

// beside puts two blocks of lines next to each other, the second one from a column on.
func beside(column int, left, right []string) []string {
	block := lipgloss.NewStyle().Width(column).Render(strings.Join(left, "\n"))
	return strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, block, strings.Join(right, "\n")), "\n")
}
