package compose

import (
	"fmt"
	"iter"
	"time"

	"confab/history"
	"confab/themes"
)

// modelRun counts the answers that are asked of a model just now.
type modelRun struct {
	all   int
	count map[history.State]int
	began time.Time // of the answer that has run longest
	waits bool      // an answer waits for another attempt
}

// SetRunning shows how the answers stand that are asked for just now, with the others of their turns.
func (p *Models) SetRunning(answers iter.Seq[history.Answer], now time.Time) {
	p.running, p.now = map[string]modelRun{}, now
	for a := range answers {
		r := p.running[a.Model]
		if r.count == nil {
			r.count = map[history.State]int{}
		}
		r.all++
		r.count[a.State]++
		if a.State == history.Running {
			r.waits = r.waits || !a.Progress.RetryAt.IsZero()
			if r.began.IsZero() || a.Started.Before(r.began) {
				r.began = a.Started
			}
		}
		p.running[a.Model] = r
	}
}

// runText says how the answers of a model stand, in words and signs that are told apart without colours.
func (p *Models) runText(r modelRun) (string, themes.Style) {
	s, count := p.styles, ""
	running, queued := r.count[history.Running], r.count[history.Queued]
	if r.all > 1 {
		count = fmt.Sprintf("%d/%d ", r.all-queued-running, r.all)
	}
	switch {
	case r.waits:
		return count + "waiting", s.Warning
	case running > 0:
		return fmt.Sprintf("%s▸ %d s", count, max(int(p.now.Sub(r.began).Seconds()), 0)), s.Info
	case queued > 0:
		return count + "queued", s.Muted
	case r.count[history.Failed] > 0:
		return count + "× failed", s.Danger
	case r.count[history.Done] < r.all:
		return count + "− stopped", s.Warning
	}
	return count + "✓ done", s.Success
}
