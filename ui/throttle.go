package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/part"
)

// Throttled draws the view of another model at most once in an interval. Bubble Tea asks for a view after every
// message, and where hundreds of screens share a machine most of them are never painted. The first change after a rest
// is drawn at once, and the last one always.
type Throttled struct {
	model tea.Model
	every time.Duration
	now   func() time.Time

	view    tea.View
	drawn   time.Time // when view was drawn; zero before the first
	isStale bool      // something may have changed since
	isDue   bool      // a drawMsg is on its way
}

// NewThrottled returns a model that draws another one at most once in an interval.
func NewThrottled(model tea.Model, every time.Duration, now func() time.Time) *Throttled {
	return &Throttled{model: model, every: every, now: now}
}

// drawMsg ends the interval of a model.
type drawMsg struct{ of *Throttled }

// Init implements [tea.Model].
func (m *Throttled) Init() tea.Cmd { return m.model.Init() }

// Update implements [tea.Model].
func (m *Throttled) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if d, ok := msg.(drawMsg); ok && d.of == m {
		m.isDue = false
		return m, nil
	}
	next, cmd := m.model.Update(msg)
	m.model = next
	if part.IsInvisible(msg) {
		return m, cmd
	}
	m.isStale = true
	if wait := m.every - m.now().Sub(m.drawn); wait > 0 && !m.isDue {
		m.isDue = true
		cmd = tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return drawMsg{m} }))
	}
	return m, cmd
}

// View implements [tea.Model].
func (m *Throttled) View() tea.View {
	if m.drawn.IsZero() || m.isStale && m.now().Sub(m.drawn) >= m.every {
		m.view, m.drawn, m.isStale = m.model.View(), m.now(), false
	}
	return m.view
}
