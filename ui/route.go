package ui

import (
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
)

// Update routes a message; the order is told in the package comment. What a
// pane asks for is carried out here, and what the screen needs to be drawn is
// asked for last.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	wish, cmd := m.route(msg)
	cmds := []tea.Cmd{cmd, m.handleAction(wish)}
	m.conversation.SetWelcome(m.welcome())
	wish, cmd = m.work()
	cmds = append(cmds, cmd, m.handleAction(wish), m.dialogs.Work(), m.armTick(),
		m.graphics.Show(m.graphicsFrame))
	m.notice.EndUntrue()
	m.guard.follow(m.target(), m.isFromPerson(msg), m.o.Now())
	return m, tea.Batch(cmds...)
}

func (m *Model) route(msg tea.Msg) (action.Action, tea.Cmd) {
	if cmd, ok := m.terminalFact(msg); ok {
		return nil, cmd
	}
	if cmd, ok := m.data(msg); ok {
		return nil, cmd
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return nil, m.routePress(msg)
	case tea.PasteMsg:
		return m.routeText(msg)
	case tea.MouseMsg:
		return m.routeMouse(msg)
	}
	return nil, nil
}

// terminalFact handles what the terminal tells of itself.
func (m *Model) terminalFact(msg tea.Msg) (tea.Cmd, bool) {
	_, ask := m.desktop.Update(msg)
	cmd, ok := m.handleTerminalFact(msg)
	return tea.Batch(ask, cmd), ok
}

func (m *Model) handleTerminalFact(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		// A closed connection can report a size of nothing.
		if msg.Width > 0 && msg.Height > 0 {
			m.w, m.h = msg.Width, msg.Height
			m.relayout()
			return tea.Batch(m.graphics.SetSize(m.w, m.h),
				m.handleAction(m.browser.SetSize(m.w, m.h, m.dialogs.Top()))), true
		}
	case tea.BackgroundColorMsg:
		if msg.Color != nil && msg.IsDark() != m.theme.IsDark {
			m.theme.IsDark = msg.IsDark()
			m.restyle()
		}
	case tea.ColorProfileMsg:
		m.setColours(msg.Profile)
	case tea.EnvMsg:
		return tea.Batch(m.askColours(msg), m.updateGraphics(msg)), true
	case uv.SecondaryDeviceAttributesEvent:
	case uv.KittyGraphicsEvent, uv.PrimaryDeviceAttributesEvent, uv.CellSizeEvent, uv.PixelSizeEvent,
		tea.TerminalVersionMsg:
		return m.updateGraphics(msg), true
	case uv.UnknownDcsEvent:
		return m.colourAnswer(string(msg)), true
	case tea.KeyboardEnhancementsMsg:
		m.prompt.SetEnhanced()
	case tea.FocusMsg:
		return m.graphics.Focused(), true
	case tea.BlurMsg:
	case tea.ResumeMsg:
		return tea.Sequence(m.graphics.Forget(), tea.ClearScreen), true
	default:
		return nil, false
	}
	return nil, true
}

// lookUp finds the command of a key press. No other place does: panes and dialogs get the command.
func (m *Model) lookUp(msg tea.KeyPressMsg) keys.Press {
	everywhere := keys.In(keys.Everywhere)
	if top := m.dialogs.Top(); top != nil {
		return m.keys.Find(msg, slices.Concat(part.Lookups(top), everywhere))
	}
	own := part.Lookups(m.pane(m.focus))
	if m.capturesText() { // esc ends a filter or a search before it does anything else
		return m.keys.Find(msg, slices.Concat(own, everywhere))
	}
	return m.keys.Find(msg, slices.Concat(everywhere, own, m.exampleLookup()))
}

// exampleLookup finds the keys of the examples in an empty session, which shows them, whatever has the focus.
func (m *Model) exampleLookup() []keys.Lookup {
	if len(m.conversation.Turns()) > 0 {
		return nil
	}
	return []keys.Lookup{{Scope: keys.Prompt, Only: []keys.Command{keys.Example1, keys.Example2, keys.Example3}}}
}

// routePress routes a key from the terminal, unless it may be part of a paste.
func (m *Model) routePress(msg tea.KeyPressMsg) tea.Cmd {
	r := m.pastes.Press(msg)
	cmds := []tea.Cmd{m.handleAction(r.Action), r.Cmd}
	for _, msg := range r.Msgs {
		route := m.routeText
		if key, ok := msg.(tea.KeyPressMsg); ok {
			route = func(tea.Msg) (action.Action, tea.Cmd) { return m.routeKey(key) }
		}
		then, cmd := route(msg)
		cmds = append(cmds, cmd, m.handleAction(then))
	}
	m.pastes.KeyHandled()
	return tea.Batch(cmds...)
}

// routeKey gives a key to the top dialog, to the commands everywhere, or to the focused pane.
func (m *Model) routeKey(msg tea.KeyPressMsg) (action.Action, tea.Cmd) {
	press := m.lookUp(msg)
	if press.Command != keys.Interrupt {
		m.quitAt = m.o.Now().Add(-1 << 40)
	}
	if a, ok := m.tooSoon(press); ok {
		return a, nil
	}
	switch {
	case m.dialogs.Len() > 0:
		return m.dialogs.Update(press)
	case press.Scope == keys.Everywhere && (press.Command != keys.Back || !m.capturesText()):
		return m.handleCommand(press.Command)
	case slices.ContainsFunc(m.exampleLookup(),
		func(l keys.Lookup) bool { return slices.Contains(l.Only, press.Command) }):
		return m.prompt.HandleCommand(press.Command)
	}
	return m.routeText(press)
}

// capturesText tells whether letters are text in the focused pane although it is no text: of a filter or a search.
func (m *Model) capturesText() bool {
	c, ok := m.pane(m.focus).(interface{ Capturing() bool })
	return ok && c.Capturing()
}

// routeText gives a key or a paste to the focused pane, and notes what changed
// in the texts a person writes.
func (m *Model) routeText(msg tea.Msg) (action.Action, tea.Cmd) {
	if m.dialogs.Len() > 0 {
		return m.dialogs.Update(msg)
	}
	if _, paste := msg.(tea.PasteMsg); paste && m.focus != action.PaneSystem && !m.capturesText() {
		m.setFocus(action.PanePrompt)
	}
	wish, cmd := m.pane(m.focus).Update(msg)
	if m.focus == action.PanePrompt || m.focus == action.PaneSystem {
		cmd = tea.Batch(cmd, m.noteChange())
	}
	return wish, cmd
}

// routeMouse gives the mouse to the top dialog or to the pane under it.
func (m *Model) routeMouse(msg tea.MouseMsg) (action.Action, tea.Cmd) {
	at := image.Pt(msg.Mouse().X, msg.Mouse().Y)
	if click, ok := msg.(tea.MouseClickMsg); ok && click.Button == tea.MouseLeft {
		if wish, cmd, ok := m.clickHint(at); ok {
			return wish, cmd
		}
	}
	if m.dialogs.Len() > 0 {
		box := m.dialogBox()
		return m.dialogs.Update(moved(msg, box.Min))
	}
	_, pressed := msg.(tea.MouseClickMsg)
	_, released := msg.(tea.MouseReleaseMsg)
	if _, wheel := msg.(tea.MouseWheelMsg); !pressed && !wheel && m.dragging {
		// A drag belongs to the pane it began in, wherever it goes.
		m.dragging = !released
		return m.pane(m.focus).Update(moved(msg, m.corner(m.focus)))
	}
	if r := m.layout.Beside; at.In(r) {
		m.dragging = false
		if _, wheel := msg.(tea.MouseWheelMsg); wheel {
			return m.sidePane.Update(moved(msg, r.Min.Add(image.Pt(1, 1))))
		}
		return nil, nil
	}
	m.dragging = pressed
	for p, r := range m.layout.Panes {
		if !at.In(r) {
			continue
		}
		var cmd tea.Cmd
		if _, click := msg.(tea.MouseClickMsg); click {
			cmd = m.setFocus(action.Pane(p))
		}
		wish, more := m.pane(action.Pane(p)).Update(moved(msg, m.corner(action.Pane(p))))
		return wish, tea.Batch(cmd, more)
	}
	return nil, nil
}

// moved returns the mouse message with coordinates relative to a corner.
func moved(msg tea.MouseMsg, corner image.Point) tea.Msg {
	mouse := msg.Mouse()
	mouse.X -= corner.X
	mouse.Y -= corner.Y
	switch msg.(type) {
	case tea.MouseClickMsg:
		return tea.MouseClickMsg(mouse)
	case tea.MouseReleaseMsg:
		return tea.MouseReleaseMsg(mouse)
	case tea.MouseWheelMsg:
		return tea.MouseWheelMsg(mouse)
	}
	return tea.MouseMotionMsg(mouse)
}

// data takes what commands of the root bring.
func (m *Model) data(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case startedMsg:
		return m.afterStart(msg), true
	case modelsMsg:
		m.models.SetModels(msg.models)
		m.prompt.SetKinds(m.models.Kinds())
	case sessionMsg:
		return m.afterSession(msg), true
	case turnsMsg:
		m.afterTurns(msg)
	case conversation.FoundTurnsMsg:
		m.conversation.FoundTurns(msg)
	case recalledMsg:
		m.prompt.Recalled(msg.back, msg.text, msg.found)
		m.relayout()
	case doneMsg:
		return m.afterDone(msg), true
	case part.Result:
		wish, cmd := msg.To.Update(msg.Msg)
		return tea.Batch(cmd, m.handleAction(wish)), true
	case part.ActionMsg:
		return m.handleAction(msg.Action), true
	case showMsg:
		return m.handleAction(msg.wish), true
	case tickMsg:
		m.tick(msg)
	case settingsMsg:
		m.afterSettings(msg)
	case graphics.SentMsg, graphics.PreviewMsg:
		return m.updatePictures(msg), true
	case graphics.Msg:
		return m.updateGraphics(msg), true
	default:
		return nil, false
	}
	return nil, true
}
