package metrics

import (
	"slices"
	"strings"
	"sync"
)

// Histogram counts how often a quantity was at most each of its bounds.
type Histogram struct {
	labels []string
	bounds []float64
	mu     sync.Mutex
	cells  map[string]*histogramCell
}

type histogramCell struct {
	values []string
	counts []uint64 // per bound, the last for everything above
	sum    float64
}

// Seconds are bounds for how long requests take, from 5 ms to 5 minutes.
func RequestDurationBounds() []float64 {
	return []float64{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300}
}

// Histogram makes a metric of a quantity, with ascending bounds.
func (r *Registry) Histogram(name, help string, bounds []float64, labels ...string) *Histogram {
	h := &Histogram{labels: labels, bounds: bounds, cells: map[string]*histogramCell{}}
	r.add(family{name, help, "histogram", func(b *strings.Builder) { h.write(b, name) }})
	return h
}

// Observe counts one quantity.
func (h *Histogram) Observe(v float64, values ...string) {
	at, _ := slices.BinarySearch(h.bounds, v)
	key := strings.Join(values, "\x00")
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.cells[key]
	if c == nil {
		c = &histogramCell{values: slices.Clone(values), counts: make([]uint64, len(h.bounds)+1)}
		h.cells[key] = c
	}
	c.counts[at]++
	c.sum += v
}

func (h *Histogram) write(b *strings.Builder, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var keys []string
	for k := range h.cells {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		c := h.cells[k]
		var total uint64
		for i, n := range c.counts {
			total += n
			le := "+Inf"
			if i < len(h.bounds) {
				le = number(h.bounds[i])
			}
			sample(b, name+"_bucket", h.labels, c.values, "le", le, float64(total))
		}
		sample(b, name+"_sum", h.labels, c.values, "", "", c.sum)
		sample(b, name+"_count", h.labels, c.values, "", "", float64(total))
	}
}
