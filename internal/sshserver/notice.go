package sshserver

import (
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// notice is a message of the server to the user of a screen.
type notice string

// noticeModel wraps the model of a program. It draws a notice over the last line until the user types something.
type noticeModel struct {
	tea.Model
	notice        string
	width, height int
	isNoticeShown atomic.Bool
}

// showsNotice reports whether a notice is drawn. It may be called from any goroutine.
func (f *noticeModel) showsNotice() bool { return f.isNoticeShown.Load() }

// Update implements [tea.Model].
func (f *noticeModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case notice:
		f.notice = string(msg)
		f.isNoticeShown.Store(true)
		return f, nil
	case tea.WindowSizeMsg:
		if msg.Width <= 0 || msg.Height <= 0 {
			return f, nil // a connection that is closing may report such a size
		}
		f.width, f.height = msg.Width, msg.Height
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		f.notice = ""
		f.isNoticeShown.Store(false)
	}
	var cmd tea.Cmd
	f.Model, cmd = f.Model.Update(msg)
	return f, cmd
}

// View implements [tea.Model].
func (f *noticeModel) View() tea.View {
	v := f.Model.View()
	if f.notice == "" || f.width == 0 || f.height == 0 {
		return v
	}
	lines := strings.Split(v.Content, "\n")
	for len(lines) < f.height {
		lines = append(lines, "")
	}
	text := ansi.Truncate(f.notice, f.width, "…")
	lines[f.height-1] = "\x1b[7m" + text + strings.Repeat(" ", max(0, f.width-ansi.StringWidth(text))) + "\x1b[m"
	v.Content = strings.Join(lines[:f.height], "\n")
	return v
}
