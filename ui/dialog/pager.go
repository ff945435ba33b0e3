package dialog

import (
	tea "charm.land/bubbletea/v2"

	"confab/ui/keys"
)

// pager scrolls lines in a window of h lines.
type pager struct {
	lines []string
	top   int
	h     int
}

// set replaces the lines and stays as near to the place as can be.
func (p *pager) set(lines []string, h int) {
	p.lines, p.h = lines, max(h, 0)
	p.scroll(0)
}

func (p *pager) scroll(by int) { p.top = max(min(p.top+by, len(p.lines)-p.h), 0) }

// scrolls tells whether there is more than the window shows.
func (p *pager) scrolls() bool { return len(p.lines) > p.h }

// update scrolls by a key of the viewers' scope or by the wheel, and tells
// whether the message was one of these.
func (p *pager) update(m keys.Map, msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.scroll(keys.Wheel(msg))
		return true
	case tea.KeyPressMsg:
		by, ok := m.Effect(keys.Viewer, msg).Lines(p.h, 1, max(len(p.lines), 1))
		p.scroll(by)
		return ok
	}
	return false
}

// view returns the lines of the window.
func (p *pager) view() []string { return p.lines[p.top:min(p.top+p.h, len(p.lines))] }

// place says how far the window reaches into the lines.
func (p *pager) place() string { return scrollPlace(p.top, p.h, len(p.lines)) }
