package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/screen"
	"confab/ui/widget"
)

// View draws the screen. It changes nothing.
func (m *Model) View() tea.View {
	content := m.content()
	if m.o.ScreenReader {
		content = screen.Linearize(content)
	}
	v := tea.NewView(content)
	v.AltScreen = true
	v.ReportFocus = true
	ended, all := m.turns.Progress()
	v.WindowTitle = "confab"
	if name := m.Session().Name; name != "" {
		v.WindowTitle += " · " + name
	}
	if all > 0 {
		v.WindowTitle = fmt.Sprintf("%d/%d %s", ended, all, v.WindowTitle)
		v.ProgressBar = tea.NewProgressBar(tea.ProgressBarDefault, 100*ended/all)
	}
	v.WindowTitle = termtext.Title(v.WindowTitle)
	if m.hasMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.w > 0 && !m.layout.TooSmall {
		if v.Cursor = m.cursor(); v.Cursor != nil && m.o.Still {
			v.Cursor.Blink = false
		}
	}
	if p := m.styles.Palette; p.Dark != m.theme.IsDark && p.Background != "" {
		v.BackgroundColor, v.ForegroundColor = lipgloss.Color(p.Background), lipgloss.Color(p.Text)
	}
	return v
}

// content draws the main screen, and the top dialog over it.
func (m *Model) content() string {
	switch {
	case m.w == 0 || m.isLeaving:
		return " "
	case m.layout.TooSmall:
		return termtext.Fit("confab needs more room", m.w)
	}
	if m.dialogs.Len() == 0 {
		return m.mainScreen()
	}
	return screen.DrawLayers(m.styles, m.mainScreen(), m.dialogs.Top().View(), m.dialogBox())
}

// mainScreen draws header, panes and footer.
func (m *Model) mainScreen() string {
	body := make([]strings.Builder, m.layout.Footer.Min.Y)
	body[0].WriteString(m.headerLine())
	for _, r := range m.regions() {
		for i, line := range m.regionLines(r) {
			body[r.rect.Min.Y+i].WriteString(line)
		}
	}
	lines := make([]string, len(body), len(body)+1)
	for i := range body {
		lines[i] = body[i].String()
	}
	ended, all := m.turns.Progress()
	progress := screen.Progress{Ended: ended, All: all, Stop: m.stopHints()}
	return strings.Join(append(lines, m.footer.Line(m.w, progress, m.footerHints())), "\n")
}

func (m *Model) headerLine() string {
	session := m.Session()
	name := session.Name
	if of := m.compare.Case().Name; m.showsComparison() && of != "" {
		name = of
	}
	return screen.Header{Styles: m.styles, Width: m.w, Endpoint: m.engines.Endpoint(),
		IsUnreachable: m.engines.IsUnreachable(), Models: m.models, Name: name, Session: session,
		IsSaving: m.sessions.IsSaving(), Sums: m.conversation.Sums(), HasContext: m.prompt.Settings().Context}.Line()
}

// regionLines draws a pane with its border.
func (m *Model) regionLines(r region) []string {
	w, h := r.rect.Dx(), r.rect.Dy()
	switch {
	case r.isSide:
		return m.sidePane.Lines(w, h, m.styles)
	case r.drawsBorder():
		return r.pane.View()
	case h == 1:
		title := m.styles.Title.Render(" System prompt ") + m.styles.Faint.Render("none ")
		return []string{widget.Rule(m.styles, w, title, keys.JoinHints(m.borderHints(r)))}
	}
	hasFocus := r.id == m.focus && m.dialogs.Len() == 0
	b := widget.Box{W: w, H: h, Focused: hasFocus, Styles: m.styles}
	switch r.id {
	case action.PaneModels:
		b.Title, b.Bottom = "Models", keys.JoinHints(m.borderHints(r))
	case action.PaneConversation:
		if !m.showsStart {
			b.Title, b.Bottom = "Conversation", m.conversation.PositionText()
		}
	case action.PaneSystem:
		b.Title, b.Bottom = "System prompt", m.composer.SystemNote()
	case action.PanePrompt:
		b.Title = m.composer.PromptTitle(m.w, !m.layout.Panes[action.PaneSystem].Empty())
		var notes []string
		if text := keys.JoinHints(m.borderHints(r)); hasFocus && text != "" {
			notes = append(notes, text)
		}
		if n := m.prompt.Counted(); n > 0 {
			notes = append(notes, format.Count(n, "character"))
		}
		b.Bottom = strings.Join(notes, " · ")
	}
	return widget.BoxLines(b, r.pane.View())
}
