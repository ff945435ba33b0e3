package sshserver

import (
	"sync/atomic"
	"time"
)

// meter lets things through at a rate, after a burst. It is for one goroutine.
type meter struct {
	most, left, rate float64
	at               time.Time
}

func (m *meter) fill(burst, rate int) {
	m.most, m.left, m.rate = float64(burst), float64(burst), float64(rate)
}

// take lets n through and returns how long to wait before the next.
func (m *meter) take(n int, now time.Time) time.Duration {
	if !m.at.IsZero() {
		m.left = min(m.most, m.left+now.Sub(m.at).Seconds()*m.rate)
	}
	m.at = now
	m.left -= float64(n)
	if m.left >= 0 {
		return 0
	}
	return time.Duration(-m.left / m.rate * float64(time.Second))
}

// atomicTime is a time that many goroutines may read and set.
type atomicTime struct{ at atomic.Pointer[time.Time] }

func (c *atomicTime) set(t time.Time) { c.at.Store(&t) }

func (c *atomicTime) get() time.Time { return *c.at.Load() }
