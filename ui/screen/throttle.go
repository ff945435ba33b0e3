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

// Throttle draws a view at most once in an interval. Bubble Tea asks for a view after every message, and where hundreds
// of screens share a machine most of them are never painted. The first change after a rest is drawn at once, and the
// last one always. What a person does is drawn soonest, several texts that grow at half the rate of anything else.
type Throttle struct {
	Every time.Duration // between two views for what a person does; 0 draws every view
	Now   func() time.Time

	view    tea.View
	drawn   time.Time // when view was drawn; zero before the first
	isStale bool      // something may have changed since
	due     time.Time // when a stale view is drawn again
}

// DrawMsg ends an interval. It changes nothing: Bubble Tea asks for a view after it.
type DrawMsg struct{}

// Follow notes a message that was handled. Its command ends the interval.
func (t *Throttle) Follow(msg tea.Msg) tea.Cmd {
	if r, ok := msg.(part.Result); t.Every == 0 || ok && r.Draws == part.DrawsNothing {
		return nil
	}
	due := t.drawn.Add(t.interval(msg))
	if t.isStale && !due.Before(t.due) {
		return nil
	}
	t.isStale, t.due = true, due
	wait := due.Sub(t.Now())
	if wait <= 0 {
		return nil
	}
	return tea.Tick(wait, func(time.Time) tea.Msg { return DrawMsg{} })
}

// interval is how far apart two views are at least, of which the second shows what a message changed.
func (t *Throttle) interval(msg tea.Msg) time.Duration {
	switch msg := msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tea.WindowSizeMsg:
		return t.Every
	case part.Result:
		if msg.Draws == part.DrawsGrowth {
			return max(2*t.Every, minGrowthInterval)
		}
	}
	return max(t.Every, minDrawInterval)
}

// View returns what draw draws, or what it has drawn before.
func (t *Throttle) View(draw func() tea.View) tea.View {
	if t.Every == 0 || t.drawn.IsZero() || t.isStale && !t.Now().Before(t.due) {
		t.view, t.drawn, t.isStale = draw(), t.Now(), false
	}
	return t.view
}
