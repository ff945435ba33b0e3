package screen

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/part"
)

// minDrawInterval is how far apart two views are at least, but for what a person does.
const minDrawInterval = time.Second / 60

// minGrowthInterval is the same for several texts that grow, each of which rests between its own drawings.
const minGrowthInterval = time.Second / 20

// Throttled draws the view of another model at most once in an interval. Bubble Tea asks for a view after every
// message, and where hundreds of screens share a machine most of them are never painted. The first change after a rest
// is drawn at once, and the last one always. What a person does is drawn soonest, several texts that grow are drawn at
// half the rate of anything else or less.
type Throttled struct {
	model tea.Model
	every time.Duration // between two views for what a person does
	now   func() time.Time

	view    tea.View
	drawn   time.Time // when view was drawn; zero before the first
	isStale bool      // something may have changed since
	due     time.Time // when a stale view is drawn again
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
		return m, nil
	}
	next, cmd := m.model.Update(msg)
	m.model = next
	if _, ok := inResult(msg).(part.InvisibleMsg); ok {
		return m, cmd
	}
	if due := m.drawn.Add(m.interval(msg)); !m.isStale || due.Before(m.due) {
		m.isStale, m.due = true, due
		if wait := due.Sub(m.now()); wait > 0 {
			cmd = tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return drawMsg{m} }))
		}
	}
	return m, cmd
}

// interval is how far apart two views are at least, of which the second shows what a message changed.
func (m *Throttled) interval(msg tea.Msg) time.Duration {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tea.WindowSizeMsg:
		return m.every
	}
	interval := max(m.every, minDrawInterval)
	if g, ok := inResult(msg).(part.GrowthMsg); ok && g.IsGrowth() {
		interval = max(2*interval, minGrowthInterval)
	}
	return interval
}

// View implements [tea.Model].
func (m *Throttled) View() tea.View {
	if m.drawn.IsZero() || m.isStale && !m.now().Before(m.due) {
		m.view, m.drawn, m.isStale = m.model.View(), m.now(), false
	}
	return m.view
}

// inResult returns the message that a [part.Result] holds, or the message itself.
func inResult(msg tea.Msg) tea.Msg {
	if r, ok := msg.(part.Result); ok {
		return r.Msg
	}
	return msg
}
