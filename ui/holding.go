package ui

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/pane"
	"confab/ui/pixels"
)

// hold sends kitty the pictures it does not have, and frees the longest unseen.
func (m *Model) hold(placed []pixels.Placed) tea.Cmd {
	p, found := &m.pixels, m.pixels.probe.Found()
	p.uses++
	var cmds []tea.Cmd
	done := map[string]bool{}
	for _, x := range placed {
		if done[x.Path] { // a picture has one box at a time
			continue
		}
		done[x.Path] = true
		have := p.held[x.Path]
		switch {
		case have != nil && have.cells == x.Cells:
		case have != nil && x.Cells.X <= have.sent.X*3/2:
			// The terminal scales; it is sent again only where it would be coarse.
			have.cells = x.Cells
			cmds = append(cmds, m.queueKitty(part{data: pixels.PlaceKitty(p.names.Key(x.Path), x.Cells.X, x.Cells.Y, found.Tmux)}))
		default:
			if have != nil {
				// What stands for it now stays blank when it is there anew.
				p.names.SetSent(x.Path, false)
				wish, cmd := m.everyone(pixels.SentMsg{Path: x.Path})
				cmds = append(cmds, cmd, m.carryOut(wish))
			}
			have = &heldPicture{cells: x.Cells, sent: x.Cells}
			p.held[x.Path] = have
			cmds = append(cmds, m.sendKitty(x, found))
		}
		if have != nil {
			have.used = p.uses
		}
	}
	for len(p.held) > mostHeld+len(placed) {
		oldest := ""
		for path, h := range p.held {
			if oldest == "" || cmp.Or(cmp.Compare(h.used, p.held[oldest].used), cmp.Compare(path, oldest)) < 0 {
				oldest = path
			}
		}
		delete(p.held, oldest)
		p.names.SetSent(oldest, false)
		cmds = append(cmds, m.queueKitty(part{data: pixels.FreeKitty(p.names.Key(oldest), found.Tmux)}))
	}
	return tea.Batch(cmds...)
}

// sendKitty reads, scales and encodes a picture in a command.
func (m *Model) sendKitty(x pixels.Placed, found pixels.Found) tea.Cmd {
	read, id := m.pictureReader(), m.pixels.names.Key(x.Path)
	size := found.Pixels(x.Cells.X, x.Cells.Y, m.w, m.h)
	return func() tea.Msg {
		img, problem := read(x.Path)
		if problem != "" {
			return pixelsMsg{path: x.Path, problem: problem}
		}
		file, err := pixels.PNG(pixels.Fit(img, size))
		if err != nil {
			return pixelsMsg{path: x.Path, problem: "The picture cannot be shown."}
		}
		return pixelsMsg{path: x.Path, parts: pixels.SendKitty(id, file, x.Cells.X, x.Cells.Y, found.Tmux)}
	}
}

// afterPixels gives the terminal a picture, or the panes the reason why not.
func (m *Model) afterPixels(msg pixelsMsg) tea.Cmd {
	if msg.problem != "" {
		_, cmd := m.everyone(pane.PictureMsg{Path: msg.path, Problem: msg.problem})
		return cmd
	}
	parts := make([]part, len(msg.parts))
	for i, data := range msg.parts {
		parts[i].data = data
	}
	parts[len(parts)-1].last = msg.path
	return m.queueKitty(parts...)
}

// queueKitty sends something of kitty's protocol after what is on its way:
// nothing may come between the parts of a picture.
func (m *Model) queueKitty(parts ...part) tea.Cmd {
	p := &m.pixels
	p.queue = append(p.queue, parts...)
	if p.busy {
		return nil
	}
	return m.nextPart()
}

func (m *Model) nextPart() tea.Cmd {
	p := &m.pixels
	if p.busy = len(p.queue) > 0; !p.busy {
		return nil
	}
	one := p.queue[0]
	p.queue = p.queue[1:]
	next := func() tea.Msg { return partMsg{one.last} }
	if p.probe.Found().Tmux {
		next = tea.Tick(pixels.Rest, func(time.Time) tea.Msg { return partMsg{one.last} })
	}
	return tea.Sequence(tea.Raw(one.data), next)
}

// afterPart goes on with the queue, and has a picture drawn that is there now.
func (m *Model) afterPart(msg partMsg) tea.Cmd {
	next := m.nextPart()
	if msg.last == "" || m.pixels.held[msg.last] == nil {
		return next
	}
	m.pixels.names.SetSent(msg.last, true)
	wish, cmd := m.everyone(pixels.SentMsg{Path: msg.last})
	return tea.Batch(next, cmd, m.carryOut(wish))
}

// freePixels gives the terminal the memory of its pictures back.
func (m *Model) freePixels() tea.Cmd {
	if m.way() != pixels.Kitty {
		return nil
	}
	all := ""
	for path := range m.pixels.held {
		all += pixels.FreeKitty(m.pixels.names.Key(path), m.pixels.probe.Found().Tmux)
	}
	if all == "" {
		return nil
	}
	return tea.Raw(all)
}
