package dialog

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/keys"
)

// helpKeys is the most room that keys have in the help, in cells.
const helpKeys = 18

// Help shows every key of one scope and those that work everywhere.
type Help struct {
	m      keys.Map
	scope  keys.Scope
	styles *themes.Styles
	sw, sh int
	w, h   int
	pager  pager
}

// NewHelp returns the help for a scope of the key map.
func NewHelp(m keys.Map, scope keys.Scope, s *themes.Styles) *Help {
	return &Help{m: m, scope: scope, styles: s}
}

// Name implements [Dialog].
func (d *Help) Name() string { return "help" }

// Scope implements [Dialog].
func (d *Help) Scope() keys.Scope { return keys.Viewer }

// SetStyles implements [Dialog].
func (d *Help) SetStyles(s *themes.Styles) {
	d.styles = s
	d.SetSize(d.sw, d.sh)
}

// SetSize implements [Dialog].
func (d *Help) SetSize(w, h int) {
	d.sw, d.sh = w, h
	d.w, d.h = formSize(w, h, 160, h)
	lines := d.columns(max(d.w-4, 0))
	d.h = min(d.h, len(lines)+2)
	d.pager.set(lines, d.h-2)
}

// Update implements [Dialog].
func (d *Help) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if d.pager.update(d.m, msg) {
		return nil, nil
	}
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil, nil
	}
	// The key that opened the help closes it too.
	if d.m.Effect(keys.Viewer, key) == keys.Close || d.m.Effect(keys.Everywhere, key) == keys.Help ||
		d.m.Effect(d.scope, key) == keys.Help {
		return action.CloseDialog{}, nil
	}
	if a := elsewhere(d.m, keys.Viewer, key); a != nil {
		return a, nil
	}
	return unused(key), nil
}

// View implements [Dialog].
func (d *Help) View() string {
	return frame.Draw(frame.Box{
		Title: "Keys", Right: d.pager.place(),
		Bottom:  hintLine(d.styles, borderHints(d.hints(), d.w-6)),
		Focused: true, W: d.w, H: d.h, Pad: 1, Styles: d.styles,
	}, d.pager.view())
}

// Hints implements [Dialog].
func (d *Help) Hints() (border, footer []keys.Hint) { return divide(d.hints(), d.w-6) }

func (d *Help) hints() []keys.Hint {
	effects := []keys.Effect{keys.Close}
	if d.pager.scrolls() {
		effects = append(effects, keys.PageDown)
	}
	return d.m.Hints(keys.Viewer, effects...)
}

// Cursor implements [Dialog].
func (d *Help) Cursor() *tea.Cursor { return nil }

// columns lays the sections out side by side where there is room for two.
func (d *Help) columns(w int) []string {
	own := d.section(d.scope)
	if d.scope == keys.Everywhere || len(own(w)) == 1 {
		own = nil
	}
	all := d.section(keys.Everywhere)
	if w < 100 {
		lines := all(w)
		if own != nil {
			lines = append(append(own(w), ""), lines...)
		}
		return lines
	}
	half := (w - 3) / 2
	left, right := all(half), []string(nil)
	if own != nil {
		left, right = own(half), left
	} else {
		at := (len(left) + 1) / 2
		left, right = left[:at], append([]string{""}, left[at:]...)
	}
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out[i] = termtext.Fit(l, half) + "   " + r
	}
	return out
}

// section returns what draws a scope's keys at a width, its name first.
func (d *Help) section(scope keys.Scope) func(w int) []string {
	return func(w int) []string {
		name := []rune(string(scope))
		if len(name) > 0 {
			name[0] = unicode.ToUpper(name[0])
		}
		lines := []string{d.styles.Strong.On(string(name))}
		entries := d.m.Entries(scope)
		room := 0
		for _, e := range entries {
			room = max(room, min(ansi.StringWidth(strings.Join(e.Keys, " ")), helpKeys))
		}
		for _, e := range entries {
			lines = append(lines, d.entry(e, room, w)...)
		}
		return lines
	}
}

// entry draws one entry: its keys in the room on the left, what they do on the
// right.
func (d *Help) entry(e keys.Entry, room, w int) []string {
	key, text := d.styles.Key, d.styles.KeyText
	names := termtext.Wrap(termtext.Line(strings.Join(e.Keys, " ")), room)
	does := termtext.Wrap(e.Long, max(w-room-2, 10))
	out := make([]string, max(len(names), len(does)))
	for i := range out {
		var n, t string
		if i < len(names) {
			n = names[i]
		}
		if i < len(does) {
			t = does[i]
		}
		out[i] = key.On(n) + strings.Repeat(" ", max(room+2-ansi.StringWidth(n), 0)) + text.On(t)
	}
	return out
}
