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
	queued, running, done, failed, stopped int

	began time.Time // of the answer that has run longest
	waits bool      // an answer waits for another attempt
}

// with returns the counts with another answer.
func (r modelRun) with(a history.Answer) modelRun {
	switch a.State {
	case history.Queued:
		r.queued++
	case history.Running:
		r.running++
		r.waits = r.waits || !a.Progress.RetryAt.IsZero()
		if r.began.IsZero() || a.Started.Before(r.began) {
			r.began = a.Started
		}
	case history.Done:
		r.done++
	case history.Failed:
		r.failed++
	default:
		r.stopped++
	}
	return r
}

// SetRunning shows how the answers stand that are asked for just now, with the others of their turns.
func (p *Models) SetRunning(answers iter.Seq[history.Answer], now time.Time) {
	p.running, p.now = map[string]modelRun{}, now
	for a := range answers {
		p.running[a.Model] = p.running[a.Model].with(a)
	}
}

// runText says how the answers of a model stand, in words and signs that are told apart without colours.
func (p *Models) runText(r modelRun) (string, themes.Style) {
	s, count := p.styles, ""
	if all := r.queued + r.running + r.done + r.failed + r.stopped; all > 1 {
		count = fmt.Sprintf("%d/%d ", all-r.queued-r.running, all)
	}
	switch {
	case r.waits:
		return count + "waiting", s.Warning
	case r.running > 0:
		return fmt.Sprintf("%s▸ %d s", count, max(int(p.now.Sub(r.began).Seconds()), 0)), s.Info
	case r.queued > 0:
		return count + "queued", s.Muted
	case r.failed > 0:
		return count + "× failed", s.Danger
	case r.stopped > 0:
		return count + "− stopped", s.Warning
	}
	return count + "✓ done", s.Success
}
