package screen

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/part"
)

const (
	minDrawInterval   = time.Second / 60 // between two views that no input has caused
	minGrowthInterval = time.Second / 20 // between two views of several growing texts
)

// Throttle draws a view at most once in an interval, because Bubble Tea requests one after every message. It draws the
// first change after a rest at once and always the last one, input sooner than other changes, and growing texts at half
// the rate.
type Throttle struct {
	Every time.Duration // between two views after input; 0 draws every view
	Now   func() time.Time

	view    tea.View
	drawn   time.Time // when view was drawn; zero before the first
	isStale bool      // something may have changed since
	due     time.Time // when a stale view is drawn again
}

// DrawMsg ends an interval: Bubble Tea requests a view after it.
type DrawMsg struct{}

// Follow notes a handled message. The command ends the interval.
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

// interval returns the time between the view before and the one after a message.
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

// View returns the view before. It is not recent when a new one is to be drawn.
func (t *Throttle) View() (before tea.View, isRecent bool) {
	return t.view, t.Every > 0 && !t.drawn.IsZero() && (!t.isStale || t.Now().Before(t.due))
}

// Keep takes the view that was drawn now.
func (t *Throttle) Keep(v tea.View) { t.view, t.drawn, t.isStale = v, t.Now(), false }
