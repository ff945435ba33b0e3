// Package notice is the short message in the line at the bottom of the screen.
package notice

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/part"
)

// Line holds the newest notice.
type Line struct {
	shown  action.Notify
	number int // of the notices so far
}

// endMsg ends the notice of that number; a later one stays.
type endMsg struct{ number int }

// Show shows a notice for as long as it takes to read it.
func (l *Line) Show(a action.Notify) tea.Cmd {
	duration := 4*time.Second + time.Duration(len(a.Text))*40*time.Millisecond
	if a.Severity == action.Bad {
		duration *= 2
	}
	return l.ShowFor(duration, a)
}

// ShowFor shows a notice for a while.
func (l *Line) ShowFor(duration time.Duration, a action.Notify) tea.Cmd {
	l.shown = a
	l.number++
	end := part.Result{To: l, Msg: endMsg{l.number}}
	return tea.Tick(duration, func(time.Time) tea.Msg { return end })
}

// Update implements [part.Receiver].
func (l *Line) Update(msg tea.Msg) (action.Action, tea.Cmd) {
	if end, ok := msg.(endMsg); ok && end.number == l.number {
		l.shown = action.Notify{}
	}
	return nil, nil
}

// EndUntrue ends the notice when what it says does not hold any more.
func (l *Line) EndUntrue() {
	if l.shown.While != nil && !l.shown.While() {
		l.shown = action.Notify{}
	}
}

// View returns the notice as one line; "" for none.
func (l *Line) View(s *themes.Styles) string {
	if l.shown.Text == "" {
		return ""
	}
	style := s.Info
	switch l.shown.Severity {
	case action.Good:
		style = s.Success
	case action.Warn:
		style = s.Warning
	case action.Bad:
		style = s.Danger
	}
	return style.Render(termtext.Line(l.shown.Text))
}
