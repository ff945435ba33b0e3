package ui

import (
	"image"

	"github.com/charmbracelet/colorprofile"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"confab/ui/action"
	"confab/ui/graphics"
	"confab/ui/part"
	"confab/ui/screen"
)

// paneCount is the number of panes that can have the focus.
const paneCount = action.PanePrompt + 1

// region is a pane with its place on the screen.
type region struct {
	id     action.Pane
	pane   part.Pane
	rect   image.Rectangle // with the border
	inside image.Point     // the first cell that the pane draws
	isSide bool            // the side pane, which never has the focus
}

// drawsBorder tells whether the pane draws its border itself.
func (r region) drawsBorder() bool { return r.inside == r.rect.Min }

// mainPanes returns the panes that can have the focus, by [action.Pane].
func (m *Model) mainPanes() [paneCount]part.Pane {
	return [paneCount]part.Pane{m.models, m.conversation, m.system, m.prompt}
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

// region returns a pane and its place, which is empty where the pane is not on the screen.
func (m *Model) region(p action.Pane) region {
	r := region{id: p, pane: m.pane(p), rect: m.layout.Panes[p]}
	if r.inside = r.rect.Min; r.pane != m.view() {
		r.inside = r.inside.Add(image.Pt(1, 1))
	}
	return r
}

// regions returns the panes that are on the screen; of those in a line the left one comes first.
func (m *Model) regions() []region {
	var all []region
	for p := range m.layout.Panes {
		if r := m.region(action.Pane(p)); !r.rect.Empty() {
			all = append(all, r)
		}
		if side := m.layout.SidePane; !side.Empty() && action.Pane(p) == action.PaneConversation {
			all = append(all, region{id: action.PaneConversation, pane: m.sidePane, rect: side,
				inside: side.Min.Add(image.Pt(1, 1)), isSide: true})
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
	m.layout = screen.Arrange(screen.LayoutInput{W: m.w, H: m.h, Focus: m.focus, IsZoomed: m.isZoomed,
		HidesPanes: m.mode == modeComparison || m.mode == modeTable, ViewRows: viewRows,
		IsDocked: m.mode == modeDocked, PromptRows: m.promptRows(), NoSystem: m.system.IsEmpty(),
		IsLinear: m.o.ScreenReader, HasEngines: m.engines.IsConfigured()})
	for _, r := range m.regions() {
		w, h := r.rect.Dx(), r.rect.Dy()
		if !r.drawsBorder() {
			w, h = screen.Inner(r.rect)
		}
		if w > 0 && h > 0 {
			r.pane.SetSize(w, h)
		}
	}
	m.dialogs.SetSize(m.w, m.h)
}

// promptRows returns how many lines the prompt needs.
func (m *Model) promptRows() int { return m.prompt.Rows(m.w-2, m.h/3) }

// dialogBox is where the top dialog stands: in the middle.
func (m *Model) dialogBox() image.Rectangle {
	w, h := lipgloss.Size(m.dialogs.Top().View())
	x, y := max((m.w-w)/2, 0), max((m.h-h)/2, 0)
	return image.Rect(x, y, x+w, y+h)
}

// cursor is the real one: of the top dialog, else of the focused pane.
func (m *Model) cursor() *tea.Cursor {
	focused := m.region(m.focus)
	c, corner := focused.pane.Cursor(), focused.inside
	if top := m.dialogs.Top(); top != nil {
		c, corner = top.Cursor(), m.dialogBox().Min
	}
	if c != nil {
		c.X += corner.X
		c.Y += corner.Y
		c.Color = m.styles.Cursor
	}
	return c
}

// visiblePictures returns the pictures that can be seen, in cells of the screen.
func (m *Model) visiblePictures() []graphics.Placement {
	var all []graphics.Placement
	add := func(v any, corner image.Point) {
		if shows, ok := v.(interface{ Pictures() []graphics.Placement }); ok {
			for _, p := range shows.Pictures() {
				if p = p.Moved(corner); !p.Visible().Empty() {
					all = append(all, p)
				}
			}
		}
	}
	if m.w == 0 || m.isLeaving {
		return nil
	}
	if top := m.dialogs.Top(); top != nil {
		add(top, m.dialogBox().Min)
		return all
	}
	for _, r := range m.regions() {
		add(r.pane, r.inside)
	}
	return all
}

// pictureView is a pane that draws pictures.
type pictureView interface {
	part.Pane
	SetImageIDs(ids *graphics.ImageIDs, cellAspect float64)
	SetProfile(p colorprofile.Profile)
}

func (m *Model) pictureViews() []pictureView {
	return []pictureView{m.conversation, m.sidePane, m.compare}
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
	cmds := []tea.Cmd{cmd, m.handlers.Do(a)}
	m.start.Update(msg)
	for _, p := range m.pictureViews() {
		a, cmd := p.Update(msg)
		cmds = append(cmds, cmd, m.handlers.Do(a))
	}
	return tea.Batch(cmds...)
}
