package dialog_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/themes"
	"confab/ui/action"
	"confab/ui/dialog"
)

// screen is a stack of dialogs on a screen, and what they asked for.
type screen struct {
	t      *testing.T
	w, h   int
	stack  dialog.Stack
	styles *themes.Styles
	asked  []action.Action // all that was asked for, oldest first
	cmds   []tea.Cmd
}

func newScreen(t *testing.T, w, h int) *screen {
	s := &screen{t: t, w: w, h: h, styles: &themes.Styles{}}
	s.stack.SetStyles(s.styles)
	s.stack.SetSize(w, h)
	return s
}

func (s *screen) open(d dialog.Dialog) { s.took(s.stack.Push(d)) }

func (s *screen) took(a action.Action, cmd tea.Cmd) {
	if several, ok := a.(action.Several); ok {
		s.asked = append(s.asked, several...)
	} else if a != nil {
		s.asked = append(s.asked, a)
	}
	if cmd != nil {
		s.cmds = append(s.cmds, cmd)
	}
}

func (s *screen) send(msg tea.Msg) { s.took(s.stack.Update(msg)) }

// run carries out the commands that are due and gives their messages back.
func (s *screen) run() {
	cmds := s.cmds
	s.cmds = nil
	for _, cmd := range cmds {
		s.deliver(cmd())
	}
}

func (s *screen) deliver(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			if cmd != nil {
				s.deliver(cmd())
			}
		}
	default:
		s.send(msg)
	}
}

// typed types text, a character at a time.
func (s *screen) typed(text string) {
	for _, r := range text {
		s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// press presses keys by their names.
func (s *screen) press(names ...string) {
	for _, name := range names {
		s.send(key(name))
	}
}

// key returns the key press of a name, as "alt+x" or "enter".
func key(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	for {
		mod, rest, ok := strings.Cut(name, "+")
		if !ok || rest == "" {
			break
		}
		k.Mod |= map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[mod]
		name = rest
	}
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp,
		"pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, "f1": tea.KeyF1, "f2": tea.KeyF2,
	}
	if code, ok := named[name]; ok {
		k.Code = code
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod == 0 {
		k.Text = name
	}
	return k
}

// last returns the newest wish of a kind.
func last[A action.Action](s *screen) A {
	s.t.Helper()
	for i := len(s.asked) - 1; i >= 0; i-- {
		if a, ok := s.asked[i].(A); ok {
			return a
		}
	}
	var none A
	s.t.Fatalf("nothing asked for a %T; asked: %#v", none, s.asked)
	return none
}

// found answers the newest search.
func (s *screen) found(items []dialog.Item, total int, problem string) {
	s.t.Helper()
	s.foundIn(last[action.Search](s).List, dialog.FoundMsg{Items: items, Total: total, Problem: problem})
}

func (s *screen) foundAt(place string, items []dialog.Item) {
	s.t.Helper()
	s.foundIn(action.ListFiles, dialog.FoundMsg{Items: items, Total: len(items), Place: place})
}

// foundIn answers the newest search of a list.
func (s *screen) foundIn(list action.List, msg dialog.FoundMsg) {
	s.t.Helper()
	for i := len(s.asked) - 1; i >= 0; i-- {
		if q, ok := s.asked[i].(action.Search); ok && q.List == list {
			msg.List, msg.Gen = list, q.Gen
			s.send(msg)
			return
		}
	}
	s.t.Fatalf("nothing searched the %s", list)
}

// previewed lets the cursor rest and answers the preview, where one is shown.
func (s *screen) previewed(lines ...string) {
	s.run()
	for i := len(s.asked) - 1; i >= 0; i-- {
		if p, ok := s.asked[i].(action.Preview); ok {
			s.send(dialog.PreviewedMsg{List: p.List, Gen: p.Gen, ID: p.ID, Lines: lines})
			return
		}
	}
}

// view returns the view of the top dialog after judging its size. The real
// cursor is drawn as ▏, so that a golden shows where it is.
func (s *screen) view() string {
	s.t.Helper()
	d := s.stack.Top()
	view := d.View()
	lines := strings.Split(view, "\n")
	if view == "" {
		lines = nil
	}
	if len(lines) > s.h {
		s.t.Fatalf("%dx%d: %d lines\n%s", s.w, s.h, len(lines), view)
	}
	for i, line := range lines {
		if got, want := ansi.StringWidth(line), ansi.StringWidth(lines[0]); got != want || got > s.w {
			s.t.Fatalf("%dx%d: line %d is %d cells, the first is %d\n%s", s.w, s.h, i, got, want, view)
		}
	}
	if c := d.Cursor(); c != nil && len(lines) > 0 {
		if c.Y >= len(lines) || c.X >= ansi.StringWidth(lines[0]) || c.X < 0 || c.Y < 0 {
			s.t.Fatalf("%dx%d: the cursor is at %d,%d\n%s", s.w, s.h, c.X, c.Y, view)
		}
		line := lines[c.Y]
		lines[c.Y] = ansi.Truncate(line, c.X, "") + "▏" + ansi.TruncateLeft(line, c.X+1, "")
	}
	return strings.Join(lines, "\n") + "\n"
}
