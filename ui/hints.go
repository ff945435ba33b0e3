package ui

import (
	"slices"

	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
)

// footerHints returns the keys of the top layer that do something now, the most useful first. A dialog shows the first
// of its keys in its border.
func (m *Model) footerHints() []keys.Hint {
	if top := m.dialogs.Top(); top != nil {
		_, footer := top.Hints()
		return footer
	}
	focused := m.region(m.focus)
	own := focused.pane.Hints()
	switch {
	case focused.drawsBorder():
		n := min(len(own), 3)
		return keys.UniqueHints(slices.Concat(own[:n], m.o.Keys.Hints(keys.Everywhere, keys.Back), own[n:],
			m.o.Keys.Hints(keys.Everywhere, keys.Help)))
	case m.focus == action.PanePrompt:
		return m.o.Keys.Hints(keys.Everywhere, keys.Commands, keys.Help, keys.ChooseModels, keys.Sessions,
			keys.OldPrompts, keys.NextPane)
	case m.focus == action.PaneModels && !focused.rect.Empty():
		own = own[len(m.borderHints(focused)):]
	}
	n := min(len(own), 4)
	everywhere := m.o.Keys.Hints(keys.Everywhere, keys.Help, keys.NextPane, keys.Commands)
	return keys.UniqueHints(slices.Concat(own[:n], everywhere, own[n:]))
}

// stopHints returns the key that stops what runs, while it would not close a layer instead.
func (m *Model) stopHints() []keys.Hint {
	reads := m.focus == action.PaneConversation && (m.mode != modePanes || m.conversation.IsFinding())
	if m.dialogs.Len() > 0 || reads || m.isZoomed || m.capturesText() {
		return nil
	}
	return overlay.Hint(m.o.Keys, keys.Everywhere, keys.Back, "cancel")
}

// borderHints returns the hints in the border of a pane.
func (m *Model) borderHints(r region) []keys.Hint {
	switch {
	case r.isSide:
		return m.o.Keys.Hints(keys.Conversation, keys.CompareAnswers)
	case r.drawsBorder():
		return r.pane.Hints()
	case r.id == action.PaneModels:
		hints := r.pane.Hints()
		return hints[:min(len(hints), 2)]
	case r.id == action.PanePrompt:
		hints := append(r.pane.Hints(), m.sideBySideHint()...)
		if send := m.o.Keys.Hints(keys.Prompt, keys.Send); m.canContinue() && len(send) > 0 {
			hints[0].Text = "continue " + m.start.ContinueName()
		}
		return hints
	case r.id == action.PaneConversation && !m.showsStart:
		return overlay.Hint(m.o.Keys, keys.Conversation, keys.Bottom, "end")
	}
	return nil
}

// systemHint names the system prompt in the border of the prompt, with the key that picks another one, while its pane
// is not on screen.
func (m *Model) systemHint() []keys.Hint {
	if !m.layout.Panes[action.PaneSystem].Empty() {
		return nil
	}
	return overlay.Hint(m.o.Keys, keys.Everywhere, keys.Personas, "system: "+m.composer.SystemName())
}
