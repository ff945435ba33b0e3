package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
)

// A paste that a terminal sends without brackets is keys, much faster than
// anyone types, and its line breaks are enter. Nobody wants each of its lines
// sent: an enter that comes with other keys waits for a moment, and is a line
// break when text follows.
const (
	burstGap = 40 * time.Millisecond // between keys of a paste, drawing included; enter is hardly ever typed that fast
	holdFor  = 60 * time.Millisecond // an enter that no key has followed yet
)

// burst follows keys that come faster than they can be typed.
type burst struct {
	last  time.Time        // when the newest key was dealt with
	held  *tea.KeyPressMsg // an enter that waits for what follows
	seq   int              // of the newest that was held
	lines int              // line breaks that were made of enters
}

// heldMsg ends the wait of an enter, unless something followed it.
type heldMsg struct{ seq int }

// routePress takes a key from the terminal.
func (m *Model) routePress(msg tea.KeyPressMsg) (action.Action, tea.Cmd) {
	b := &m.burst
	fast := m.o.Now().Sub(b.last) < burstGap
	if !fast {
		b.lines = 0
	}
	var wish action.Action
	var cmd tea.Cmd
	if held := b.held; held != nil {
		b.held = nil
		if msg.Text != "" || m.wouldSend(msg) {
			m.breakLine()
		} else {
			wish, cmd = m.routeKey(*held)
		}
	}
	defer func() { b.last = m.o.Now() }()
	if fast && m.wouldSend(msg) {
		b.held = &msg
		b.seq++
		seq := b.seq
		return wish, tea.Batch(cmd, tea.Tick(holdFor, func(time.Time) tea.Msg { return heldMsg{seq} }))
	}
	more, then := m.routeKey(msg)
	return action.Several{wish, more}, tea.Batch(cmd, then)
}

// afterHold sends what an enter ended; the last line break of a paste of several
// lines sends nothing.
func (m *Model) afterHold(msg heldMsg) (action.Action, tea.Cmd) {
	held := m.burst.held
	if held == nil || msg.seq != m.burst.seq {
		return nil, nil
	}
	m.burst.held = nil
	if m.burst.lines > 0 && m.wouldSend(*held) {
		m.breakLine()
		return nil, tea.Batch(m.written(), m.notify(action.Info, "The lines that were pasted are one prompt; enter sends it."))
	}
	return m.routeKey(*held)
}

// wouldSend tells whether a key would send what is in the prompt.
func (m *Model) wouldSend(msg tea.KeyPressMsg) bool {
	return m.dialogs.Len() == 0 && m.focus == action.PanePrompt && !m.prompt.Empty() && m.keys.Effect(keys.Prompt, msg) == keys.Send
}

func (m *Model) breakLine() {
	m.burst.lines++
	m.prompt.Update(tea.PasteMsg{Content: "\n"}) // it wishes for nothing
	m.written()
}
