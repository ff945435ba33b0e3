package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
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
	v.WindowTitle, v.ProgressBar = m.windowTitle(), m.progressBar()
	if m.hasMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.w > 0 && !m.layout.TooSmall {
		if v.Cursor = m.cursor(); v.Cursor != nil && m.o.ReducesMotion {
			v.Cursor.Blink = false
		}
	}
	if p := m.styles.Palette; p.Dark != m.theme.IsDark && p.Background != "" {
		v.BackgroundColor, v.ForegroundColor = lipgloss.Color(p.Background), lipgloss.Color(p.Text)
	}
	return v
}

// progress counts the answers and cells that are under way: those that have ended, and all.
func (m *Model) progress() (ended, all int) {
	endedAnswers, answers := m.turns.Progress()
	endedCells, cells := m.suiteRuns.Progress()
	return endedAnswers + endedCells, answers + cells
}

func (m *Model) windowTitle() string {
	title := "confab"
	if name := m.Session().Name; name != "" {
		title += " · " + name
	}
	if ended, all := m.progress(); all > 0 {
		title = fmt.Sprintf("%d/%d %s", ended, all, title)
	}
	return termtext.Title(title)
}

// progressBar is what the terminal itself shows of the work that is under way, and of a failure until it is seen; nil
// for nothing.
func (m *Model) progressBar() *tea.ProgressBar {
	ended, all := m.progress()
	switch {
	case all > 0 && (m.turns.HasFailed() || m.suiteRuns.HasFailed()):
		return tea.NewProgressBar(tea.ProgressBarError, 100*ended/all)
	case all > 0:
		return tea.NewProgressBar(tea.ProgressBarDefault, 100*ended/all)
	case m.desktop.HasUnseenFailure():
		return tea.NewProgressBar(tea.ProgressBarError, 100)
	}
	return nil
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
	body[0].WriteString(m.header().Line())
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

func (m *Model) header() screen.Header {
	session := m.Session()
	name := session.Name
	if of := m.compare.Case().Name; m.showsComparison() && of != "" {
		name = of
	}
	return screen.Header{Styles: m.styles, Width: m.w, Endpoint: m.engines.Endpoint(),
		IsUnreachable: m.engines.IsUnreachable(), Models: m.models, Name: name, Session: session,
		IsSaving: m.sessions.IsSaving(), NotUploaded: m.env.Service.NotUploaded(), Sums: m.conversation.Sums(),
		HasContext: m.prompt.Settings().Context}
}

// regionLines draws a pane with its border.
func (m *Model) regionLines(r region) []string {
	w, h := r.rect.Dx(), r.rect.Dy()
	switch {
	case r.isSide:
		return m.sidePane.Lines(w, h, m.styles)
	case r.drawsBorder():
		return r.pane.View()
	}
	hasFocus := r.id == m.focus && m.dialogs.Len() == 0
	b := widget.Box{W: w, H: h, Focused: hasFocus, Styles: m.styles}
	switch r.id {
	case action.PaneModels:
		b.Title, b.Bottom = "Models", widget.HintLine(m.styles, m.borderHints(r))
	case action.PaneConversation:
		if !m.showsStart {
			b.Title, b.Bottom = "Conversation", m.conversation.PositionText()
		}
	case action.PaneSystem:
		b.Title, b.Bottom = "System prompt", m.composer.SystemNote()
	case action.PanePrompt:
		title := m.styles.Title
		if hasFocus {
			title = m.styles.TitleFocused
		}
		b.Title = m.composer.PromptTitle(m.styles, title, m.w)
		b.Right = widget.HintLine(m.styles, m.systemHint())
		var notes []string
		if text := widget.HintLine(m.styles, m.borderHints(r)); hasFocus && text != "" {
			notes = append(notes, text)
		}
		if n := m.prompt.Counted(); n > 0 {
			notes = append(notes, m.styles.Faint.On(format.Count(n, "character")))
		}
		b.Bottom = strings.Join(notes, m.styles.Faint.On(widget.HintGap))
	}
	return widget.BoxLines(b, r.pane.View())
}
