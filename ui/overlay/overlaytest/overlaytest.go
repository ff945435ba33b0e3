// Package overlaytest is test support: a screen that shows dialogs and records what they ask for.
package overlaytest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/part"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// Screen is a stack of dialogs on a screen, and what they asked for.
type Screen struct {
	T      testing.TB
	W, H   int
	Stack  overlay.Stack
	Keys   keys.Map // the default keys at first
	Styles *themes.Styles
	Asked  []action.Action // all that was asked for, oldest first
	cmds   []tea.Cmd

	waiting int          // commands of [Screen.SettleAtOnce] that wait
	late    chan tea.Msg // what they bring
}

// New returns a screen of w×h cells.
func New(t testing.TB, w, h int) *Screen {
	s := &Screen{T: t, W: w, H: h, Styles: &themes.Styles{}, Keys: ui.Keys(), late: make(chan tea.Msg, 1000)}
	s.Stack.SetStyles(s.Styles)
	s.Stack.SetSize(w, h)
	return s
}

// Open shows a dialog on top of the others.
func (s *Screen) Open(d action.Dialog) {
	s.Stack.Push(d)
	s.work()
}

// Record records what a dialog asks for, and queues the commands.
func (s *Screen) Record(a action.Action, cmd tea.Cmd) {
	several, ok := a.(action.Sequence)
	if !ok && a != nil {
		several = action.Sequence{a}
	}
	for _, a := range several {
		if run, ok := a.(action.TeaCmd); ok {
			s.queue(run.Cmd)
		} else {
			s.Asked = append(s.Asked, a)
		}
	}
	s.queue(cmd)
	s.work()
}

func (s *Screen) queue(cmd tea.Cmd) {
	if cmd != nil {
		s.cmds = append(s.cmds, cmd)
	}
}

// work queues what the top dialog needs to be drawn, as the root does after every update.
func (s *Screen) work() { s.queue(s.Stack.Work()) }

// Send gives a message to the dialogs; key presses get their commands first.
func (s *Screen) Send(msg tea.Msg) {
	if press, ok := msg.(tea.KeyPressMsg); ok && s.Stack.Len() > 0 {
		msg = s.Keys.Find(press, append(s.Stack.Top().State().Lookups, keys.Lookup{Scope: keys.Everywhere}))
	}
	s.Record(s.Stack.Update(msg))
}

// Run runs the commands that are queued, without those that they lead to, and delivers their messages. It tells whether
// there were any.
func (s *Screen) Run() bool {
	cmds := s.cmds
	s.cmds = nil
	for _, cmd := range cmds {
		s.deliver(cmd())
	}
	return len(cmds) > 0
}

// SettleAtOnce runs commands until none is left but those that wait for time to pass, whose messages are delivered by
// the next Settle. It needs a bubble of synctest.
func (s *Screen) SettleAtOnce() {
	for len(s.cmds) > 0 {
		for _, cmd := range s.cmds {
			s.waiting++
			go func() { s.late <- cmd() }()
		}
		s.cmds = nil
		synctest.Wait()
		for len(s.late) > 0 {
			s.waiting--
			s.deliver(<-s.late)
		}
	}
}

// RunFirst runs the oldest queued command and delivers its message.
func (s *Screen) RunFirst() {
	cmd := s.cmds[0]
	s.cmds = s.cmds[1:]
	s.deliver(cmd())
}

// Settle runs commands until none is queued.
func (s *Screen) Settle() {
	s.T.Helper()
	for range 1000 {
		for ; s.waiting > 0; s.waiting-- {
			s.deliver(<-s.late)
		}
		if !s.Run() {
			return
		}
	}
	s.T.Fatal("it never has enough")
}

// Resize changes the size of the screen.
func (s *Screen) Resize(w, h int) {
	s.W, s.H = w, h
	s.Stack.SetSize(w, h)
	s.work()
}

func (s *Screen) deliver(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			if cmd != nil {
				s.deliver(cmd())
			}
		}
	case part.Result:
		s.Record(msg.To.Update(msg.Msg))
	case part.ActionMsg:
		s.Record(msg.Action, nil)
	default:
		s.Send(msg)
	}
}

// Type types text, a character at a time.
func (s *Screen) Type(text string) {
	for _, r := range text {
		s.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// Press presses keys by their names.
func (s *Screen) Press(names ...string) {
	for _, name := range names {
		press, ok := keys.Parse(name)
		if !ok {
			s.T.Fatalf("%q is no key", name)
		}
		s.Send(press)
	}
}

// Last returns the newest action of a type that was asked for.
func Last[A action.Action](s *Screen) A {
	s.T.Helper()
	for i := len(s.Asked) - 1; i >= 0; i-- {
		if a, ok := s.Asked[i].(A); ok {
			return a
		}
	}
	var none A
	s.T.Fatalf("nothing asked for a %T; asked: %#v", none, s.Asked)
	return none
}

// Shows fails the test unless the view, without its styles, has these texts.
func (s *Screen) Shows(texts ...string) {
	s.T.Helper()
	view := ansi.Strip(s.View())
	for _, text := range texts {
		if !strings.Contains(view, text) {
			s.T.Errorf("does not show %q:\n%s", text, view)
		}
	}
}

// Hides fails the test when the view has the text.
func (s *Screen) Hides(text string) {
	s.T.Helper()
	if view := s.View(); strings.Contains(view, text) {
		s.T.Errorf("shows %q:\n%s", text, view)
	}
}

// Wants fails the test unless exactly these actions were asked for since the last call of Wants.
func (s *Screen) Wants(want ...action.Action) {
	s.T.Helper()
	if len(s.Asked) == 0 && len(want) == 0 {
		return
	}
	if !reflect.DeepEqual(s.Asked, want) {
		s.T.Errorf("got %#v\nwant %#v", s.Asked, want)
	}
	s.Asked = nil
}

// View returns the view of the top dialog after judging its size. The real
// cursor is drawn as ▏, so that a golden shows where it is.
func (s *Screen) View() string {
	s.T.Helper()
	d := s.Stack.Top()
	view := d.View()
	lines := strings.Split(view, "\n")
	if view == "" {
		lines = nil
	}
	if len(lines) > s.H {
		s.T.Fatalf("%dx%d: %d lines\n%s", s.W, s.H, len(lines), view)
	}
	for i, line := range lines {
		if got, want := ansi.StringWidth(line), ansi.StringWidth(lines[0]); got != want || got > s.W {
			s.T.Fatalf("%dx%d: line %d is %d cells, the first is %d\n%s", s.W, s.H, i, got, want, view)
		}
	}
	if size := d.Size(); len(lines) > 0 && (size.X != ansi.StringWidth(lines[0]) || size.Y != len(lines)) {
		s.T.Fatalf("%dx%d: the dialog says it is %v\n%s", s.W, s.H, size, view)
	}
	if c := d.Cursor(); c != nil && len(lines) > 0 {
		if c.Y >= len(lines) || c.X >= ansi.StringWidth(lines[0]) || c.X < 0 || c.Y < 0 {
			s.T.Fatalf("%dx%d: the cursor is at %d,%d\n%s", s.W, s.H, c.X, c.Y, view)
		}
		line := lines[c.Y]
		lines[c.Y] = ansi.Truncate(line, c.X, "") + "▏" + ansi.TruncateLeft(line, c.X+1, "")
	}
	return strings.Join(lines, "\n") + "\n"
}

// Golden draws every dialog on screens of several sizes and compares the views with the golden files.
func Golden(t *testing.T, dialogs map[string]func(s *Screen)) {
	for name, open := range dialogs {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				var view string
				synctest.Test(t, func(t *testing.T) {
					s := New(t, size[0], size[1])
					open(s)
					view = s.View()
				})
				golden.RequireEqual(t, view)
			})
		}
	}
}

// Sizes draws every dialog on every small screen: a dialog must never be larger than the screen, all its lines must be
// equally wide, and the cursor must be within.
func Sizes(t *testing.T, dialogs map[string]func(s *Screen)) {
	for name, open := range dialogs {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(t, 120, 40)
				open(s)
				for _, w := range []int{0, 1, 2, 3, 5, 8, 12, 20, 31, 38, 59, 75, 76, 99, 100, 130} {
					for h := range 45 {
						s.Stack.SetSize(w, h)
						s.W, s.H = w, h
						s.View()
					}
				}
			})
		})
	}
}
