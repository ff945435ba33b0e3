package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/browse"
)

// settingsMsg brings the choices that were kept from earlier screens.
type settingsMsg struct{ theme, models, layouts string }

// readSettings reads what was chosen in earlier screens. What the
// configuration says stays stronger.
func (m *Model) readSettings() tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		var msg settingsMsg
		msg.theme, _ = svc.Setting(ctx, "theme")
		msg.models, _ = svc.Setting(ctx, "models")
		msg.layouts, _ = svc.Setting(ctx, "layouts")
		return msg
	}
}

func (m *Model) afterSettings(msg settingsMsg) {
	m.compare.SetChosenLayouts(msg.layouts)
	if msg.theme != "" && m.theme.IsAuto() {
		m.theme.Name = msg.theme
		m.restyle()
	}
	if msg.models != "" && len(m.o.Default) == 0 && !m.drafts.Loaded() && len(m.conversation.Turns()) == 0 {
		m.mark(strings.Fields(msg.models))
		m.relayout()
	}
}

// keepSetting keeps a choice for later screens.
func (m *Model) keepSetting(name, value string) tea.Cmd {
	if !m.saving || !m.started {
		return nil
	}
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		if err := svc.SetSetting(ctx, name, value); err != nil {
			return doneMsg{err: err}
		}
		return nil
	}
}

func joinSlugs(slugs []string) string { return strings.Join(slugs, " ") }

// setTheme applies a theme; a preview is not kept.
func (m *Model) setTheme(a action.Theme) tea.Cmd {
	m.theme.Name = a.Name
	m.restyle()
	if !a.Keep {
		return nil
	}
	return m.keepSetting("theme", a.Name)
}

// refreshList reads the open lists again after a change.
func (m *Model) refreshList() tea.Cmd {
	wish, cmd := m.dialogs.Update(browse.RefreshMsg{})
	return tea.Batch(cmd, m.handleAction(wish))
}
