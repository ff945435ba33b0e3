package ui

import (
	"github.com/charmbracelet/colorprofile"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/part"
	"confab/ui/screen"
)

// paneCount is the number of panes that can have the focus.
const paneCount = action.PanePrompt + 1

// mainPanes returns the panes that can have the focus, by [action.Pane].
func (m *Model) mainPanes() [paneCount]part.Pane {
	return [paneCount]part.Pane{m.composer.Models, m.conversation, m.composer.System, m.composer}
}

// pane returns a pane by its name, or the view in its place.
func (m *Model) pane(p action.Pane) part.Pane {
	if v := m.view(); v != nil && p == action.PaneConversation {
		return v
	}
	if m.showsStart && p == action.PaneConversation {
		return m.start
	}
	return m.mainPanes()[p]
}

// topLayer returns what gets the keys: the top dialog, else the focused pane.
func (m *Model) topLayer() action.Layer {
	if top := m.dialogs.Top(); top != nil {
		return top
	}
	return m.pane(m.focus)
}

// region returns a pane and its place, which is empty where the pane is not on the screen.
func (m *Model) region(p action.Pane) screen.Region {
	pane := m.pane(p)
	return screen.Region{ID: p, Pane: pane, Rect: m.layout.Panes[p], DrawsBorder: pane == m.view()}
}

// regions returns the panes that are on the screen; of those in a line the left one comes first.
func (m *Model) regions() []screen.Region {
	var all []screen.Region
	for p := range m.layout.Panes {
		if r := m.region(action.Pane(p)); !r.Rect.Empty() {
			all = append(all, r)
		}
		if side := m.layout.SidePane; !side.Empty() && action.Pane(p) == action.PaneConversation {
			r := screen.Region{ID: action.PaneConversation, Pane: m.sidePane, Rect: side, IsSide: true,
				DrawsBorder: true}
			if m.mode == modeTable {
				r.Pane = m.cellPreview
			}
			all = append(all, r)
		}
	}
	return all
}

// relayout gives every pane its size. It is called when the size, the mode or the height of the prompt has changed,
// never while drawing.
func (m *Model) relayout() {
	if m.w == 0 || m.h == 0 {
		return
	}
	viewRows := 0
	if m.mode == modeTable {
		viewRows = m.table.NeededLines()
	}
	m.tableRows = viewRows
	m.layout = screen.Arrange(screen.LayoutInput{W: m.w, H: m.h, Focus: m.focus, IsZoomed: m.isZoomed,
		HidesPanes: m.mode == modeComparison || m.mode == modeTable ||
			m.isLarge && m.mode == modeDocked, ViewRows: viewRows, SideRows: m.table.SideLines(),
		IsDocked: m.mode == modeDocked, PromptRows: m.composer.Rows(m.w-2, m.h/3),
		NoSystem: m.composer.System.IsEmpty(),
		IsLinear: m.theme.ScreenReader, IsStart: m.showsStart && m.mode == modePanes,
		HasEngines: m.engines.IsConfigured(), ListWidth: m.composer.Models.NeededWidth() + 2})
	for _, r := range m.regions() {
		r.SetSize()
	}
	m.dialogs.SetSize(m.w, m.h)
}

// fitView gives the view in the place of panes its size where it needs another than before: the table of a run has
// totals once there are any, and docked answers fill the screen while one is zoomed or two of them are compared.
func (m *Model) fitView() {
	isLarge := m.mode == modeDocked && m.focus == action.PaneConversation && m.compare.IsLarge()
	if isLarge != m.isLarge || m.mode == modeTable && m.table.NeededLines() != m.tableRows {
		m.isLarge = isLarge
		m.relayout()
	}
}

// pictureView is a pane that draws pictures.
type pictureView interface {
	part.Pane
	SetImageIDs(ids *graphics.ImageIDs, cellAspect float64)
	SetProfile(p colorprofile.Profile)
}

func (m *Model) pictureViews() []pictureView {
	return []pictureView{m.conversation, m.sidePane, m.compare, m.cellPreview}
}

// updateGraphics gives a message to the state of the terminal's pictures, and tells the panes when their text of
// pictures changes by it.
func (m *Model) updateGraphics(msg tea.Msg) tea.Cmd {
	before := m.graphics.Look()
	cmd := m.graphics.Update(msg)
	if look := m.graphics.Look(); look != before {
		for _, p := range m.pictureViews() {
			p.SetImageIDs(look.IDs, look.CellAspect)
		}
		m.relayout()
	}
	return cmd
}

// updatePictures gives a message about a picture to every dialog and pane: each that shows the picture draws it anew.
func (m *Model) updatePictures(msg tea.Msg) tea.Cmd {
	a, cmd := m.dialogs.Update(msg)
	cmds := []tea.Cmd{cmd, m.do(a)}
	m.start.Update(msg)
	for _, p := range m.pictureViews() {
		a, cmd := p.Update(msg)
		cmds = append(cmds, cmd, m.do(a))
	}
	return tea.Batch(cmds...)
}
