package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// FrameThrottle draws the view of a model at most once in an interval: the program asks
// for one after every message, and where hundreds of screens share a machine
// most of them are never painted. The first change after a rest is drawn at
// once, and the last one always.
type FrameThrottle struct {
	model tea.Model
	every time.Duration
	now   func() time.Time

	view  tea.View
	drawn time.Time // when view was drawn; zero before the first
	stale bool      // something may have changed since
	due   bool      // a message that makes it be drawn is on its way
}

// unseenMsg is a message that by itself changes nothing of what is drawn.
type unseenMsg interface{ unseen() }

// NewPaced returns a paced model.
func NewFrameThrottle(model tea.Model, every time.Duration, now func() time.Time) *FrameThrottle {
	return &FrameThrottle{model: model, every: every, now: now}
}

// drawMsg makes what waited be drawn.
type drawMsg struct{ of *FrameThrottle }

// Init implements [tea.Model].
func (p *FrameThrottle) Init() tea.Cmd { return p.model.Init() }

// Update implements [tea.Model].
func (p *FrameThrottle) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if d, ok := msg.(drawMsg); ok && d.of == p {
		p.due = false
		return p, nil
	}
	next, cmd := p.model.Update(msg)
	p.model = next
	if _, unseen := msg.(unseenMsg); unseen {
		return p, cmd
	}
	p.stale = true
	if wait := p.every - p.now().Sub(p.drawn); wait > 0 && !p.due {
		p.due = true
		cmd = tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return drawMsg{p} }))
	}
	return p, cmd
}

// View implements [tea.Model].
func (p *FrameThrottle) View() tea.View {
	if p.drawn.IsZero() || p.stale && p.now().Sub(p.drawn) >= p.every {
		p.view, p.drawn, p.stale = p.model.View(), p.now(), false
	}
	return p.view
}
