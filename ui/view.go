package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/keys"
	"confab/ui/overlay"
	"confab/ui/screen"
	"confab/ui/widget"
)

// View draws the screen, or returns what was drawn last while that is recent.
func (m *Model) View() tea.View {
	if drawn, isRecent := m.throttle.View(); isRecent {
		return drawn
	}
	frame := m.frame()
	content := frame.Draw()
	if m.theme.ScreenReader {
		content = screen.Linearize(content)
	}
	v := tea.NewView(m.o.Mask.Drawn(content))
	v.AltScreen = true
	v.ReportFocus = true
	v.KeyboardEnhancements.ReportAlternateKeys = true // the place of a key, for layouts without Latin letters
	work := m.work()
	v.WindowTitle = m.o.Mask.String(work.WindowTitle(m.header().Session.Name))
	v.ProgressBar = work.ProgressBar()
	if m.mouse.IsOn {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if v.Cursor = frame.Cursor(); v.Cursor != nil && m.o.Terminal.ReducesMotion {
		v.Cursor.Blink = false
	}
	if p := m.styles.Palette; m.theme.PaintsBackground() {
		v.BackgroundColor, v.ForegroundColor = lipgloss.Color(p.Background), lipgloss.Color(p.Text)
	}
	m.throttle.Keep(v)
	return v
}

// frame returns what is on the screen: nothing before its size is known and once the program ends.
func (m *Model) frame() screen.Frame {
	if m.w == 0 || m.isLeaving {
		return screen.Frame{}
	}
	return screen.Frame{W: m.w, H: m.h, Layout: m.layout, Keys: m.o.Keys, Styles: m.styles, Regions: m.regions(),
		Focused: m.region(m.focus), Dialog: m.dialogs.Top(), Header: m.header, Footer: m.footer,
		Progress: m.progress, Border: m.border}
}

// work counts the answers and cells that are under way.
func (m *Model) work() screen.Work {
	ended, all := m.turns.Progress()
	endedCells, cells := m.table.Progress()
	return screen.Work{Ended: ended + endedCells, All: all + cells,
		HasFailed:        m.turns.HasFailed() || m.table.HasFailed(),
		HasUnseenFailure: m.desktop.HasUnseenFailure()}
}

// progress counts the answers that are under way, with the key that stops them while it would not close a layer
// instead, or the cells of a run that is not on the screen, with the key that lists runs.
func (m *Model) progress() screen.Progress {
	p := screen.Progress{Shows: m.o.Keys.Key(keys.Everywhere, keys.Pane2)}
	p.Ended, p.All = m.turns.Progress()
	switch {
	case m.mode == modeTable && m.table.HasProgress(p.All):
		return screen.Progress{}
	case p.All == 0:
		p.Ended, p.All = m.table.Progress()
		p.Shows = m.o.Keys.Key(keys.Everywhere, keys.ShowRuns)
		p.Hints = m.o.Keys.Hints(keys.Everywhere, keys.ShowRuns)
		return p
	}
	reads := m.focus == action.PaneConversation && (m.mode != modePanes || m.conversation.IsFinding()) ||
		m.focus == action.PaneModels || m.focus == action.PaneSystem
	if m.dialogs.Len() == 0 && !reads && !m.isZoomed && !m.capturesText() {
		p.Hints = m.o.Keys.HintAs(keys.Everywhere, keys.Back, m.composer.BackDoes())
	}
	return p
}

// header is about what the screen shows: the open session, or in place of it what is known of a run, of two runs, or of
// the answers of one, which are not in the open session. It repeats no line of the view.
func (m *Model) header() screen.Header {
	h := screen.Header{Styles: m.styles, Width: m.w, Endpoint: m.engines.Endpoint(),
		IsUnreachable: m.engines.IsUnreachable(), Models: m.composer.Models, IsSaving: m.composer.IsSaving,
		NotUploaded: m.env.Service.NotUploaded(), IsAnswering: m.turns.Running() > 0}
	run, of := m.table.ShownRun(), m.compare.Case()
	switch title, right := m.compare.Heading(); {
	case m.mode == modeTable:
		h.Session = m.table.Header(m.Session())
	case m.showsComparison() && of.Run != 0 && of.Run == run.ID:
		h.Session, h.Right = history.Session{Name: title, IsShared: run.IsShared, Owner: run.Owner}, right
	case m.showsComparison() && title != "":
		h.Session.Name, h.Right = title, right
	default:
		h.Session, h.Sums = m.turns.Counted(m.Session()), m.conversation.Sums()
		h.IsForgetful = !m.composer.Settings().HasContext
		if m.showsComparison() && m.compare.ShowsPrompt(h.Session.NameTurn) {
			h.Session.Name = ""
		}
	}
	return h
}

// border returns what the border of a pane says.
func (m *Model) border(r screen.Region, hasFocus bool) screen.Border {
	switch {
	case r.ID == action.PaneModels:
		var hints []keys.Hint
		if hasFocus {
			hints = m.composer.Models.Hints()
			hints = hints[:min(len(hints), 2)]
		}
		return screen.Border{Title: widget.Pieces{{Text: "Models"}}, Right: m.composer.Models.PositionText(),
			Bottom: widget.HintLine(m.styles, hints), Hints: hints}
	case r.ID == action.PaneSystem:
		return screen.Border{Title: widget.Pieces{{Text: m.composer.SystemTitle()}}, Bottom: m.composer.SystemNote()}
	case r.ID == action.PanePrompt:
		return m.promptBorder(hasFocus)
	case m.showsStart:
		return screen.Border{Title: widget.Pieces{{Text: "Start"}}}
	}
	return screen.Border{Title: widget.Pieces{{Text: "Conversation"}}, Bottom: m.conversation.BottomText(),
		Hints: m.conversation.BottomHints()}
}

// promptBorder returns what the border of the prompt says: where the prompt goes, the keys that send and compare, and
// the system prompt, with the key that picks another one, while its pane is not on the screen.
func (m *Model) promptBorder(hasFocus bool) screen.Border {
	hints := append(m.composer.Hints(), m.sideBySideHint()...)
	if send := m.o.Keys.Hints(keys.Prompt, keys.Send); len(send) > 0 {
		switch {
		case m.canContinue():
			hints[0].Text = "continue " + m.start.ContinueName()
		case m.Session().Owner != "":
			hints[0].Text = "send in a copy"
		}
	}
	if borders, _ := overlay.SplitHints(hints, m.w); len(borders) > 0 {
		hints = borders[0] // none is cut
	}
	var notes []string
	if text := widget.HintLine(m.styles, hints); hasFocus && text != "" {
		notes = append(notes, text)
	}
	count, used := format.Count(m.composer.Counted(), "character"), termtext.Width(strings.Join(notes, ""))+3
	if hasFocus && m.composer.Counted() > 0 && used+len(count) <= m.w-6 { // a dialog would show half of it
		notes = append(notes, m.styles.Faint.On(count))
	}
	b := screen.Border{Bottom: strings.Join(notes, m.styles.Faint.On(widget.HintGap)), Hints: hints}
	var system []keys.Hint
	b.Title, b.Right, system = m.composer.PromptTitle(m.styles, hasFocus, m.w,
		m.layout.Panes[action.PaneSystem].Empty())
	b.Hints = append(b.Hints, system...)
	return b
}
