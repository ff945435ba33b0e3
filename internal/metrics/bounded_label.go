package metrics

import "sync"

// OtherLabel stands for all values of a [BoundedLabel] beyond its bound.
const OtherLabel = "other"

// BoundedLabel keeps the values of a label to a bounded set. It is safe for concurrent use.
type BoundedLabel struct {
	max int

	mu    sync.Mutex
	known map[string]bool
}

// NewBoundedLabel returns a label with at most so many values besides [OtherLabel].
func NewBoundedLabel(max int) *BoundedLabel { return &BoundedLabel{max: max, known: map[string]bool{}} }

// Value returns the value if it is one of the first that were asked for, else [OtherLabel].
func (l *BoundedLabel) Value(v string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.known[v] {
		if len(l.known) >= l.max {
			return OtherLabel
		}
		l.known[v] = true
	}
	return v
}
