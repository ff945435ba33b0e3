package ui

import (
	"fmt"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/frame"
	"confab/ui/header"
)

// View draws the screen. It changes nothing.
func (m *Model) View() tea.View {
	v := tea.NewView(m.content())
	v.AltScreen = true
	v.ReportFocus = true
	v.WindowTitle = m.title()
	v.ProgressBar = m.progressBar()
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.w > 0 && !m.layout.TooSmall {
		v.Cursor = m.cursor()
	}
	if p := m.styles.Palette; p.Dark != m.theme.IsDark && p.Background != "" {
		v.BackgroundColor, v.ForegroundColor = lipgloss.Color(p.Background), lipgloss.Color(p.Text)
	}
	return v
}

func (m *Model) content() string {
	switch {
	case m.w == 0 || m.leaving:
		return " "
	case m.layout.TooSmall:
		return termtext.Fit("confab needs more room", m.w)
	}
	screen := m.screen()
	if m.dialogs.Len() == 0 {
		return screen
	}
	box := m.dialogBox()
	return lipgloss.NewCompositor(
		lipgloss.NewLayer(screen).Z(0),
		lipgloss.NewLayer(m.dialogs.Top().View()).X(box.Min.X).Y(box.Min.Y).Z(1),
	).Render()
}

// dialogBox is where the top dialog stands: in the middle.
func (m *Model) dialogBox() image.Rectangle {
	w, h := lipgloss.Size(m.dialogs.Top().View())
	x, y := max((m.w-w)/2, 0), max((m.h-h)/2, 0)
	return image.Rect(x, y, x+w, y+h)
}

// screen draws header, panes and footer.
func (m *Model) screen() string {
	rows := make([]string, 0, m.h)
	rows = append(rows, m.header())
	body := make([]strings.Builder, m.layout.Footer.Min.Y-1)
	for _, p := range []action.Pane{action.PaneModels, action.PaneConversation, action.PaneSystem, action.PanePrompt} {
		r := m.layout.Panes[p]
		if r.Empty() {
			continue
		}
		for i, line := range m.box(p, r) {
			body[r.Min.Y-1+i].WriteString(line)
		}
		if p != action.PaneConversation || m.layout.Beside.Empty() {
			continue
		}
		for i, line := range m.sidePane.Lines(m.layout.Beside.Dx(), m.layout.Beside.Dy(), m.styles) {
			body[r.Min.Y-1+i].WriteString(line)
		}
	}
	for i := range body {
		rows = append(rows, body[i].String())
	}
	return strings.Join(append(rows, m.footer()), "\n")
}

// box draws a pane with its border.
func (m *Model) box(p action.Pane, r image.Rectangle) []string {
	focused := p == m.focus && m.dialogs.Len() == 0
	if v := m.staged(); v != nil && p == action.PaneConversation {
		return v.View()
	}
	if r.Dy() == 1 {
		return []string{m.folded(r.Dx())}
	}
	b := frame.Box{W: r.Dx(), H: r.Dy(), Focused: focused, Styles: m.styles}
	switch p {
	case action.PaneModels:
		b.Title = "Models"
		b.Bottom = m.hintText(m.modelHints())
	case action.PaneConversation:
		b.Title, b.Bottom = "Conversation", m.position()
	case action.PaneSystem:
		b.Title, b.Bottom = "System prompt", m.systemNote()
	case action.PanePrompt:
		b.Title, b.Bottom = m.promptTitle(), m.promptNote(focused)
	}
	return frame.Lines(b, m.pane(p).View())
}

// folded is the title line of an empty system prompt.
func (m *Model) folded(w int) string {
	title := m.styles.Title.Render(" System prompt ") + m.styles.Faint.Render("none ")
	hint := ""
	if h := m.personaHints(); len(h) > 0 {
		hint = m.styles.Faint.Render(" " + m.hintText(h) + " ")
	}
	rule := max(w-4-termtext.Width(title)-termtext.Width(hint), 0)
	line := m.styles.Border.Render("──") + title + m.styles.Border.Render(strings.Repeat("─",
		rule)) + hint + m.styles.Border.Render("──")
	return termtext.Fit(line, w)
}

// position says where the reader is in the conversation.
func (m *Model) position() string {
	if len(m.conversation.Turns()) == 0 {
		return ""
	}
	percent, following := m.conversation.Position()
	if following {
		return "↓ newest   follow"
	}
	return fmt.Sprintf("↓ %d %%", percent)
}

// systemNote says what the system prompt is, or which models take none.
func (m *Model) systemNote() string {
	var none []string
	for _, slug := range m.models.Marked() {
		if info, ok := m.models.Info(slug); ok && (info.Kind != "text" || !info.TakesSystem) {
			none = append(none, termtext.Line(slug))
		}
	}
	if len(none) > 0 && !m.system.Empty() {
		return "not sent to " + strings.Join(none, ", ")
	}
	if name := m.persona.of(m.system.Text()); name != "" {
		return termtext.Line(name)
	}
	return ""
}

// promptTitle says where the prompt goes.
func (m *Model) promptTitle() string {
	marked := m.models.Marked()
	to := "no model marked"
	switch len(marked) {
	case 0:
	case 1:
		to = "→ " + termtext.Line(marked[0])
	default:
		to = fmt.Sprintf("→ %d models", len(marked))
		if m.w < 100 {
			to = fmt.Sprintf("→ %s +%d", termtext.Line(marked[0]), len(marked)-1)
		}
	}
	title := "Prompt  " + to
	if m.layout.Panes[action.PaneSystem].Empty() && !m.system.Empty() {
		name := m.persona.of(m.system.Text())
		if name == "" {
			name = m.system.Text()
		}
		title += "   system: " + ansi.Truncate(termtext.Line(name), 24, "…")
	}
	if m.prompt.Settings().Context {
		title += "   with context"
	}
	return title
}

func (m *Model) promptNote(focused bool) string {
	note := ""
	if focused {
		note = m.hintText(append(m.prompt.Hints(), m.layoutHint()...))
	}
	if n := m.prompt.Counted(); n > 0 {
		if note != "" {
			note += " · "
		}
		note += format.Count(n, "character")
	}
	return note
}

// header returns the line at the top.
func (m *Model) header() string {
	name := m.session.Name
	if of := m.compare.Case().Name; m.mode == comparison && of != "" {
		name = of
	}
	return header.Header{Styles: m.styles, Width: m.w, Endpoint: m.endpoint, IsUnreachable: m.unreachable,
		Models: m.models, Name: name, Session: m.session, IsSaving: m.saving,
		HasContext: m.prompt.Settings().Context}.Line()
}

// bar counts answers.
func (m *Model) bar(ended, all int) string {
	w := 18
	if m.w < 100 {
		w = 9
	}
	full := w * ended / max(all, 1)
	return m.styles.Progress.Render(strings.Repeat("█", full)) + m.styles.Faint.Render(strings.Repeat("░", w-full))
}

// title is the window's.
func (m *Model) title() string {
	title := "confab"
	if m.session.Name != "" {
		title += " · " + m.session.Name
	}
	if ended, all := m.turns.Progress(); all > 0 {
		title = fmt.Sprintf("%d/%d %s", ended, all, title)
	}
	return termtext.Title(title)
}

// progressBar is the terminal's own indicator (OSC 9;4).
func (m *Model) progressBar() *tea.ProgressBar {
	ended, all := m.turns.Progress()
	if all == 0 {
		return nil
	}
	return tea.NewProgressBar(tea.ProgressBarDefault, 100*ended/all)
}

// cursor is the real one: of the top dialog, else of the focused pane.
func (m *Model) cursor() *tea.Cursor {
	corner := m.corner(m.focus)
	var c *tea.Cursor
	if m.dialogs.Len() > 0 {
		corner = m.dialogBox().Min
		c = m.dialogs.Top().Cursor()
	} else {
		c = m.pane(m.focus).Cursor()
	}
	if c == nil {
		return nil
	}
	c.X += corner.X
	c.Y += corner.Y
	c.Color = m.styles.Cursor
	return c
}
