package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// notice is the short message in the status line.
type notice struct {
	severity action.Severity
	text     string
	seq      int
	holds    func() bool // what the text says still holds; nil where that cannot end before the text was read
}

// noticeEndMsg ends the notice of that number; a later one stays.
type noticeEndMsg struct{ seq int }

func (n *notice) end(msg noticeEndMsg) {
	if msg.seq == n.seq {
		n.text = ""
	}
}

// endUntrue ends the notice when what it says does not hold any more.
func (n *notice) endUntrue() {
	if n.holds != nil && !n.holds() {
		n.text, n.holds = "", nil
	}
}

// notify shows a notice for as long as it takes to read it.
func (m *Model) notify(severity action.Severity, text string) tea.Cmd {
	shown := 4*time.Second + time.Duration(len(text))*40*time.Millisecond
	if severity == action.Bad {
		shown *= 2
	}
	return m.notifyFor(shown, severity, text)
}

// notifyFor shows a notice for a while.
func (m *Model) notifyFor(shown time.Duration, severity action.Severity, text string) tea.Cmd {
	m.notice = notice{severity: severity, text: text, seq: m.notice.seq + 1}
	end := noticeEndMsg{seq: m.notice.seq}
	return tea.Tick(shown, func(time.Time) tea.Msg { return end })
}

// notifyWhile shows a notice until it was read, or until what it says does not hold any more.
func (m *Model) notifyWhile(holds func() bool, severity action.Severity, text string) tea.Cmd {
	cmd := m.notify(severity, text)
	m.notice.holds = holds
	return cmd
}

// unusedText says that a key does nothing where it was pressed, and what to do instead.
func (m *Model) unusedText(a action.Unused) string {
	if a.Why != "" {
		return a.Why
	}
	name := a.Key
	if press, ok := keys.Parse(a.Key); ok {
		if e, ok := m.keys.Entry(keys.Everywhere, m.keys.Find(press, keys.In(keys.Everywhere)).Command); ok {
			name += " (" + e.Short + ")"
		}
	}
	return termtext.Line(name) + " does nothing here" + m.keys.Phrase(keys.Everywhere, keys.Help,
		"; %s shows the keys that do") + "."
}

// fail shows what went wrong in one sentence.
func (m *Model) fail(err error) tea.Cmd {
	return m.notify(action.Bad, part.Sentence(err))
}
