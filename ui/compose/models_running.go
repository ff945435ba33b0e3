package compose

import (
	"fmt"
	"time"

	"confab/history"
	"confab/themes"
)

// ModelRun counts the answers that are asked of a model just now.
type ModelRun struct {
	Queued, Running, Done, Failed, Stopped int

	began time.Time // of the answer that has run longest
	waits bool      // an answer waits for another attempt
}

// With returns the counts with another answer.
func (r ModelRun) With(a history.Answer) ModelRun {
	switch a.State {
	case history.Queued:
		r.Queued++
	case history.Running:
		r.Running++
		r.waits = r.waits || !a.Progress.RetryAt.IsZero()
		if r.began.IsZero() || a.Started.Before(r.began) {
			r.began = a.Started
		}
	case history.Done:
		r.Done++
	case history.Failed:
		r.Failed++
	default:
		r.Stopped++
	}
	return r
}

// SetRunning tells how the answers stand that are asked for just now, by model; empty when none are.
func (p *Models) SetRunning(models map[string]ModelRun, now time.Time) {
	p.running, p.now = models, now
}

// runText says how the answers of a model stand, in words and signs that are told apart without colours.
func (p *Models) runText(r ModelRun) (string, themes.Style) {
	s, count := p.styles, ""
	if all := r.Queued + r.Running + r.Done + r.Failed + r.Stopped; all > 1 {
		count = fmt.Sprintf("%d/%d ", all-r.Queued-r.Running, all)
	}
	switch {
	case r.waits:
		return count + "waiting", s.Warning
	case r.Running > 0:
		return fmt.Sprintf("%s▸ %d s", count, max(int(p.now.Sub(r.began).Seconds()), 0)), s.Info
	case r.Queued > 0:
		return count + "queued", s.Muted
	case r.Failed > 0:
		return count + "× failed", s.Danger
	case r.Stopped > 0:
		return count + "− stopped", s.Warning
	}
	return count + "✓ done", s.Success
}
