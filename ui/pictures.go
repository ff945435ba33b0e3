package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/ui/action"
	"confab/ui/compare"
	"confab/ui/graphics"
)

// pictureView is a pane or dialog that shows pictures.
type pictureView interface{ Pictures() []graphics.Placement }

// updateGraphics gives a message to the state of the terminal's pictures, and tells the panes when their text of
// pictures changes by it.
func (m *Model) updateGraphics(msg tea.Msg) tea.Cmd {
	before := m.graphics.Look()
	cmd := m.graphics.Update(msg)
	look := m.graphics.Look()
	if look == before {
		return cmd
	}
	m.conversation.SetPixels(look.IDs, look.CellAspect)
	m.sidePane.SetPixels(look.IDs, look.CellAspect)
	m.compare.SetPixels(look.IDs, look.CellAspect)
	m.relayout()
	return cmd
}

// updatePictures gives a message about a picture to every dialog and pane: each that shows the picture draws it anew.
func (m *Model) updatePictures(msg tea.Msg) tea.Cmd {
	a, cmd := m.dialogs.Update(msg)
	cmds := []tea.Cmd{cmd, m.handleAction(a)}
	for _, p := range m.panes() {
		a, cmd := p.Update(msg)
		cmds = append(cmds, cmd, m.handleAction(a))
	}
	return tea.Batch(cmds...)
}

// graphicsFrame returns what the screen shows now, as far as pictures are concerned.
func (m *Model) graphicsFrame() graphics.Frame {
	return graphics.Frame{Pictures: m.visiblePictures(), Content: m.content,
		HasCursor: func() bool { return m.cursor() != nil }}
}

// visiblePictures returns the pictures that can be seen, in cells of the screen.
func (m *Model) visiblePictures() []graphics.Placement {
	var all []graphics.Placement
	add := func(v any, corner image.Point) {
		if w, ok := v.(pictureView); ok {
			for _, p := range w.Pictures() {
				if p = p.Moved(corner); !p.Visible().Empty() {
					all = append(all, p)
				}
			}
		}
	}
	switch {
	case m.w == 0 || m.leaving:
	case m.dialogs.Len() > 0:
		add(m.dialogs.Top(), m.dialogBox().Min)
	default:
		for p, r := range m.layout.Panes {
			if !r.Empty() {
				add(m.pane(action.Pane(p)), m.corner(action.Pane(p)))
			}
		}
		if r := m.layout.Beside; !r.Empty() {
			add(m.sidePane.Pane, r.Min.Add(image.Pt(1, 1)))
		}
	}
	return all
}

func (m *Model) loadPicture(path string) tea.Cmd {
	load := m.graphics.Load()
	return func() tea.Msg {
		img, problem := load.Picture(path)
		if problem != "" {
			return graphics.PreviewMsg{Path: path, Problem: problem}
		}
		return graphics.PreviewMsg{Path: path, Image: graphics.Preview(img)}
	}
}

// readChain reads the chain of edits of an answer, for the comparison to say in a line.
func (m *Model) readChain(a action.LoadChain) tea.Cmd {
	ctx, svc := m.ctx, m.o.Service
	return func() tea.Msg {
		chain, err := svc.EditChain(ctx, a.Answer)
		if err != nil {
			return nil // a line that is missing is not worth a notice
		}
		return compare.ChainMsg{Answer: a.Answer, Chain: chain}
	}
}

// askColours asks the terminal for more colors than its environment promises.
func (m *Model) askColours(env tea.EnvMsg) tea.Cmd {
	query := graphics.TrueColorQuery(m.theme.Profile, env.Getenv)
	if query == "" {
		return nil
	}
	return tea.Batch(tea.Raw(query), tea.RequestCapability("RGB"), tea.RequestCapability("Tc"))
}

// colourAnswer takes the answer to [graphics.TrueColorQuery].
func (m *Model) colourAnswer(answer string) tea.Cmd {
	if !graphics.IsTrueColor(answer) {
		return nil
	}
	// Cells that stay the same are not recolored by themselves.
	return tea.Sequence(func() tea.Msg { return tea.ColorProfileMsg{Profile: colorprofile.TrueColor} }, tea.ClearScreen)
}
