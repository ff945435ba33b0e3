package sshserver

import (
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// announcement is what the server has to say to a user.
type announcement string

// frame stands around a program's model and shows the server's announcements
// over its last line, until somebody does something.
type frame struct {
	tea.Model
	text string
	w, h int
	says atomic.Bool
}

// saying tells whether an announcement is shown; any goroutine may ask.
func (f *frame) saying() bool { return f.says.Load() }

// Update implements [tea.Model].
func (f *frame) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case announcement:
		f.text = string(msg)
		f.says.Store(true)
		return f, nil
	case tea.WindowSizeMsg:
		if msg.Width <= 0 || msg.Height <= 0 {
			return f, nil // a connection that closes can say so
		}
		f.w, f.h = msg.Width, msg.Height
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		f.text = ""
		f.says.Store(false)
	}
	var cmd tea.Cmd
	f.Model, cmd = f.Model.Update(msg)
	return f, cmd
}

// View implements [tea.Model].
func (f *frame) View() tea.View {
	v := f.Model.View()
	if f.text == "" || f.w == 0 || f.h == 0 {
		return v
	}
	lines := strings.Split(v.Content, "\n")
	for len(lines) < f.h {
		lines = append(lines, "")
	}
	text := ansi.Truncate(f.text, f.w, "…")
	lines[f.h-1] = "\x1b[7m" + text + strings.Repeat(" ", max(0, f.w-ansi.StringWidth(text))) + "\x1b[m"
	v.Content = strings.Join(lines[:f.h], "\n")
	return v
}
