package ui

import (
	"image"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/screen"
)

// Update routes a message as the package comment says, and handles the actions that it leads to. Then it asks for what
// the screen needs to be drawn and does not have yet.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(screen.DrawMsg); ok {
		return m, nil
	}
	_, own := m.desktop.Update(msg)
	cmds := []tea.Cmd{own}
	if result, ok := msg.(part.Result); ok {
		then, cmd := result.To.Update(result.Msg)
		cmds = append(cmds, cmd, m.do(then))
	} else if !m.sessions.Hold(msg) {
		then, cmd := m.route(msg)
		cmds = append(cmds, cmd, m.do(then))
	}
	m.fitView()
	cmds = append(cmds, m.followStart(), m.composer.CountMemory())
	for _, pane := range m.workers() {
		then, cmd := pane.Work()
		cmds = append(cmds, cmd, m.do(then))
	}
	cmds = append(cmds, m.dialogs.Work(), m.scheduleTick(), m.graphics.Show(func() graphics.Frame {
		frame := m.frame() // after the work that gives the pictures their places
		return graphics.Frame{Pictures: frame.Pictures(), Content: frame.Draw,
			HasCursor: func() bool { return frame.Cursor() != nil }}
	}))
	isPersons := isFromPerson(msg, m.composer.Pastes)
	m.footer.EndOutdated([...]any{m.dialogs.Top(), m.mode}, isPersons)
	m.guard.Follow(m.topLayer(), isPersons)
	return m, tea.Batch(append(cmds, m.throttle.Follow(msg))...)
}

// workers returns what is on the screen and has work.
func (m *Model) workers() []part.Worker {
	switch hasSide := !m.layout.SidePane.Empty(); {
	case m.showsComparison():
		return []part.Worker{m.compare}
	case m.mode == modeTable && hasSide:
		return []part.Worker{m.table, m.cellPreview}
	case m.mode == modeTable:
		return []part.Worker{m.table}
	case m.showsStart:
		return []part.Worker{m.start}
	case !hasSide:
		return []part.Worker{m.conversation}
	}
	return []part.Worker{m.conversation, m.sidePane}
}

func (m *Model) route(msg tea.Msg) (action.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case part.ActionMsg:
		return msg.Action, nil
	case tickMsg:
		m.isTicking = false // what shows seconds is drawn anew
	case graphics.SentMsg, graphics.PreviewMsg:
		return nil, m.updatePictures(msg)
	case graphics.Msg:
		return nil, m.updateGraphics(msg)
	case tea.KeyPressMsg:
		m.footer.EndWithKey()
		typed := m.composer.Pastes.Press(keys.OnLatin(msg))
		cmds := []tea.Cmd{m.do(typed.Action), typed.Cmd}
		for _, msg := range typed.Msgs { // several where a paste without brackets has ended
			var then action.Action
			var cmd tea.Cmd
			switch msg := msg.(type) {
			case tea.KeyPressMsg:
				then, cmd = m.routeKey(msg)
			case tea.PasteMsg:
				then, cmd = m.routePaste(msg)
			}
			cmds = append(cmds, cmd, m.do(then))
		}
		m.composer.Pastes.KeyHandled()
		return nil, tea.Batch(cmds...)
	case tea.PasteMsg:
		return m.routePaste(msg)
	case tea.MouseMsg:
		return m.routeMouse(msg)
	}
	return m.routeTerminal(msg)
}

// routeTerminal routes what the terminal tells of itself.
func (m *Model) routeTerminal(msg tea.Msg) (action.Action, tea.Cmd) {
	restyles, cmd := m.theme.Update(msg)
	if restyles {
		m.restyle()
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		// A closed connection can report a size of nothing.
		if msg.Width > 0 && msg.Height > 0 {
			m.w, m.h = msg.Width, msg.Height
			m.relayout()
			return m.browser.SetSize(m.w, m.h, m.dialogs.Top()), m.graphics.SetSize(m.w, m.h)
		}
	case tea.EnvMsg, uv.KittyGraphicsEvent, uv.PrimaryDeviceAttributesEvent, uv.CellSizeEvent, uv.PixelSizeEvent,
		tea.TerminalVersionMsg:
		return nil, tea.Batch(cmd, m.updateGraphics(msg))
	case tea.KeyboardEnhancementsMsg:
		m.composer.KnowsShiftEnter = true
	case tea.BackgroundColorMsg:
		m.graphics.SetBackground(m.theme.Background())
	case tea.FocusMsg:
		return nil, m.graphics.Focused()
	case tea.ResumeMsg:
		return nil, tea.Sequence(m.graphics.Forget(), tea.ClearScreen)
	}
	return nil, cmd
}

// tickMsg comes once a second while something runs.
type tickMsg struct{}

// scheduleTick starts the clock when something runs and the clock stands still.
func (m *Model) scheduleTick() tea.Cmd {
	if m.isTicking || m.turns.Running() == 0 && m.table.LiveRun() == 0 {
		return nil
	}
	m.isTicking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

// lookUp finds the command of a key press, which panes and dialogs get. Text fields look up their own keys.
func (m *Model) lookUp(msg tea.KeyPressMsg) keys.Press {
	state := m.topLayer().State()
	if press, ok := state.Taken(m.o.Keys, msg); ok {
		return press
	}
	everywhere, own := keys.LookupsIn(keys.Everywhere), state.Lookups
	if m.IsCovered() || m.capturesText() { // esc ends a filter or a search before it does anything else
		return m.o.Keys.Find(msg, slices.Concat(own, everywhere))
	}
	return m.o.Keys.Find(msg, slices.Concat(everywhere, own, m.exampleLookup()))
}

// exampleLookup finds the keys of the examples in an empty session, which shows them, whatever has the focus.
func (m *Model) exampleLookup() []keys.Lookup {
	if len(m.turns.Window()) > 0 {
		return nil
	}
	return []keys.Lookup{{Scope: keys.Prompt, Only: []keys.Command{keys.Example1, keys.Example2, keys.Example3}}}
}

// routeKey gives a key to the top dialog, to the commands everywhere, or to the focused pane.
func (m *Model) routeKey(msg tea.KeyPressMsg) (then action.Action, cmd tea.Cmd) {
	press, layer := m.lookUp(msg), m.topLayer()
	if press.Command != keys.Interrupt {
		m.quitAt = time.Time{}
	}
	isTyped := m.dialogs.Len() == 0 && m.capturesText() // a letter of a search, or a key that ends it, acts on nothing
	if refusal := m.guard.Refusal(press); refusal != nil && !isTyped {
		return refusal, nil
	}
	state := layer.State()
	if copied := state.Copied(press); copied != nil {
		return copied, nil
	}
	switch {
	case m.IsCovered():
		then, cmd = layer.Update(press)
	case press.Scope == keys.Everywhere && (press.Command != keys.Back || !isTyped):
		then = m.commands.Run(press.Command)
	case slices.ContainsFunc(m.exampleLookup(),
		func(l keys.Lookup) bool { return slices.Contains(l.Only, press.Command) }):
		then = m.composer.Run(press.Command)
	case press.Command == keys.Send && m.canContinue():
		then = m.start.Continue()
	default:
		then, cmd = layer.Update(press)
		then, cmd = m.noteWriting(then, cmd)
	}
	return then, cmd
}

// routePaste gives a paste to the top dialog, to the pane in which something is typed, or to the prompt.
func (m *Model) routePaste(msg tea.PasteMsg) (action.Action, tea.Cmd) {
	if m.IsCovered() {
		return m.dialogs.Update(msg)
	}
	if m.focus != action.PaneSystem && !m.capturesText() {
		m.setFocus(action.PanePrompt)
	}
	return m.noteWriting(m.pane(m.focus).Update(msg))
}

// noteWriting notes what a key or a paste changed in the texts a person writes.
func (m *Model) noteWriting(then action.Action, cmd tea.Cmd) (action.Action, tea.Cmd) {
	if m.focus != action.PanePrompt && m.focus != action.PaneSystem {
		return then, cmd
	}
	cmd = tea.Batch(cmd, m.noteChange())
	if then == nil {
		then = m.composer.ReadOnlyNotice()
	}
	return then, cmd
}

// capturesText tells whether letters are text of a filter or a search in the focused pane.
func (m *Model) capturesText() bool { return m.pane(m.focus).State().CapturesText }

// routeMouse gives the mouse to what is drawn under it: a command or key named there, the top dialog, or a pane.
func (m *Model) routeMouse(msg tea.MouseMsg) (action.Action, tea.Cmd) {
	frame := m.frame()
	click, isClick := msg.(tea.MouseClickMsg)
	if isClick && click.Button == tea.MouseLeft {
		if hit, ok := frame.HitAt(image.Pt(click.X, click.Y)); ok {
			return m.routeHit(hit)
		}
	}
	isDouble := m.mouse.IsDouble(msg, m.o.Now())
	if frame.Dialog != nil {
		return frame.DialogMouse(msg, isDouble)
	}
	region, ok := m.mouse.Region(frame, msg, isDouble)
	if !ok {
		return nil, nil
	}
	var focus tea.Cmd
	if isClick {
		focus = m.setFocus(region.ID)
		region = m.region(region.ID) // where the focus has moved it
	}
	then, cmd := region.Mouse(msg, isDouble)
	return then, tea.Batch(focus, cmd)
}

// routeHit does the command that was clicked on, or presses the key, in the pane whose hint it is.
func (m *Model) routeHit(hit screen.Hit) (action.Action, tea.Cmd) {
	if hit.Command != "" {
		return m.commands.Run(hit.Command), nil
	}
	var focus tea.Cmd
	if m.dialogs.Len() == 0 {
		focus = m.setFocus(hit.Pane)
	}
	press, ok := keys.Parse(hit.Key)
	if !ok || hit.IsWord && m.lookUp(press).Command == "" {
		return nil, focus
	}
	then, cmd := m.routeKey(press)
	return then, tea.Batch(focus, cmd)
}

// isFromPerson tells whether a message is input, also a key that was held back for a moment.
func isFromPerson(msg tea.Msg, pastes part.Receiver) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.MouseMsg, tea.PasteMsg:
		return true
	case part.Result:
		return msg.To == pastes
	}
	return false
}
