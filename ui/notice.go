package ui

import (
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/part"
)

// notify shows a notice for as long as it takes to read it.
func (m *Model) notify(severity action.Severity, text string) tea.Cmd {
	return m.notice.Show(action.Notify{Severity: severity, Text: text})
}

// notifyWhile shows a notice until it was read, or until what it says does not hold any more.
func (m *Model) notifyWhile(holds func() bool, severity action.Severity, text string) tea.Cmd {
	return m.notice.Show(action.Notify{Severity: severity, Text: text, While: holds})
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
