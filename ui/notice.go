package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
)

// notice is the short message in the status line.
type notice struct {
	severity action.Severity
	text     string
	seq      int
}

// noticeEndMsg ends the notice of that number; a later one stays.
type noticeEndMsg struct{ seq int }

func (n *notice) end(msg noticeEndMsg) {
	if msg.seq == n.seq {
		n.text = ""
	}
}

// notify shows a notice for as long as it takes to read it.
func (m *Model) notify(severity action.Severity, text string) tea.Cmd {
	m.notice = notice{severity: severity, text: text, seq: m.notice.seq + 1}
	shown := 4*time.Second + time.Duration(len(text))*40*time.Millisecond
	if severity == action.Bad {
		shown *= 2
	}
	end := noticeEndMsg{seq: m.notice.seq}
	return tea.Tick(shown, func(time.Time) tea.Msg { return end })
}

// fail shows what went wrong in one sentence.
func (m *Model) fail(err error) tea.Cmd {
	return m.notify(action.Bad, sentence(err))
}
