package overlay

import (
	tea "charm.land/bubbletea/v2"

	"confab/ui/keys"
	"confab/ui/widget"
)

// Pager scrolls lines in a window of h lines.
type Pager struct {
	lines []string
	top   int
	h     int

	IsPaged bool // the lines are laid out in pages of h lines, which share none
}

// Set replaces the lines and stays as near to the position as possible.
func (p *Pager) Set(lines []string, h int) {
	p.lines, p.h = lines, max(h, 0)
	p.Scroll(0)
}

// Scroll moves the window down by a number of lines, or up.
func (p *Pager) Scroll(by int) { p.top = max(min(p.top+by, len(p.lines)-p.h), 0) }

// ScrollHalf moves the window by half its height, down or up.
func (p *Pager) ScrollHalf(down bool) {
	by := max(p.h/2, 1)
	if !down {
		by = -by
	}
	p.Scroll(by)
}

// Top returns the first line of the window.
func (p *Pager) Top() int { return p.top }

// Lines returns all lines.
func (p *Pager) Lines() []string { return p.lines }

// Scrolls tells whether there is more than the window shows.
func (p *Pager) Scrolls() bool { return len(p.lines) > p.h }

// Update scrolls by a key of the viewers' scope or by the wheel, and tells whether the message was one of these.
func (p *Pager) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.Scroll(keys.Wheel(msg))
		return true
	case keys.Press:
		overlap := 1
		if p.IsPaged {
			overlap = 0
		}
		by, ok := msg.Command.Lines(p.h, overlap, max(len(p.lines), 1))
		p.Scroll(by)
		return ok
	}
	return false
}

// View returns the lines of the window.
func (p *Pager) View() []string { return p.lines[p.top:min(p.top+p.h, len(p.lines))] }

// Position says how far the window reaches into the lines.
func (p *Pager) Position() string { return widget.ScrollPosition(p.top, p.h, len(p.lines)) }
