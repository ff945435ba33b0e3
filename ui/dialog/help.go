package dialog

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/keys"
	"confab/ui/overlay"
)

// helpKeys is the most cells that keys take in the help.
const helpKeys = 18

// Help shows every key of one scope and those that work everywhere.
type Help struct {
	overlay.Base
	about            keys.Scope
	screenW, screenH int
	w, h             int
	pager            overlay.Pager
}

// NewHelp returns the help about a scope of the key map.
func NewHelp(m keys.Map, about keys.Scope, s *themes.Styles) *Help {
	return &Help{Base: overlay.NewBase("help", keys.TextViewer, m, s), about: about}
}

// SetStyles implements [action.Dialog].
func (d *Help) SetStyles(s *themes.Styles) {
	d.Styles = s
	d.SetSize(d.screenW, d.screenH)
}

// SetSize implements [action.Dialog].
func (d *Help) SetSize(w, h int) {
	d.screenW, d.screenH = w, h
	d.w, d.h = overlay.Size(w, h, 160, h)
	lines := d.columns(max(d.w-4, 0))
	d.h = min(d.h, len(lines)+2)
	d.pager.Set(lines, d.h-2)
}

// Lookups implements [part.KeyLooker]: the key that opened the help closes it too.
func (d *Help) Lookups() []keys.Lookup {
	return []keys.Lookup{{Scope: keys.TextViewer}, {Scope: d.about, Only: []keys.Command{keys.Help}}}
}

// Update implements [action.Dialog].
func (d *Help) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if d.pager.Update(msg) {
		return nil, nil
	}
	key, ok := msg.(keys.Press)
	if !ok {
		return nil, nil
	}
	if key.Command == keys.Close || key.Command == keys.Help {
		return action.CloseDialog{}, nil
	}
	return d.CommonOrUnused(key), nil
}

// View implements [action.Dialog].
func (d *Help) View() string {
	borders, _ := d.Hints()
	return frame.Draw(d.Box("Keys", d.pager.Position(), borders[0], d.w, d.h), d.pager.View())
}

// Hints implements [action.Dialog].
func (d *Help) Hints() (borders [][]keys.Hint, footer []keys.Hint) {
	commands := []keys.Command{keys.Close}
	if d.pager.Scrolls() {
		commands = append(commands, keys.PageDown)
	}
	return overlay.SplitHints(d.Keys.Hints(keys.TextViewer, commands...), d.w)
}

// columns lays the sections out side by side where there is room for two.
func (d *Help) columns(w int) []string {
	hasOwn := d.about != keys.Everywhere && len(d.Keys.Entries(d.about)) > 0
	if w < 100 {
		lines := d.section(keys.Everywhere, w)
		if hasOwn {
			lines = append(append(d.section(d.about, w), ""), lines...)
		}
		return lines
	}
	half := (w - 3) / 2
	left := d.section(keys.Everywhere, half)
	var right []string
	if hasOwn {
		left, right = d.section(d.about, half), left
	} else {
		middle := (len(left) + 1) / 2
		left, right = left[:middle], append([]string{""}, left[middle:]...)
	}
	return sideBySide(left, right, func(l, r string) string { return termtext.Fit(l, half) + "   " + r })
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
		keysW = max(keysW, min(termtext.Width(strings.Join(e.Keys, " ")), helpKeys))
	}
	for _, e := range entries {
		names := termtext.Wrap(termtext.Line(strings.Join(e.Keys, " ")), keysW)
		lines = append(lines,
			sideBySide(names, termtext.Wrap(e.Long, max(w-keysW-2, 10)), func(name, text string) string {
				gap := strings.Repeat(" ", max(keysW+2-termtext.Width(name), 0))
				return d.Styles.Key.On(name) + gap + d.Styles.KeyText.On(text)
			})...)
	}
	return lines
}

// sideBySide joins two columns line by line; the shorter one is continued with empty lines.
func sideBySide(left, right []string, join func(left, right string) string) []string {
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out[i] = join(l, r)
	}
	return out
}
