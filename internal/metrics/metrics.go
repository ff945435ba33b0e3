// Package metrics counts what a server does and writes the numbers in the text format that Prometheus reads. The
// official client costs every start of the program its packages' initialisation, for a format of one page.
package metrics

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Registry holds the metrics of one server. It is safe for concurrent use.
type Registry struct {
	mu   sync.Mutex
	vecs []*Vec
}

// Vec is a metric with labels: one number, or one histogram, for each set of values of the labels. The values must come
// from bounded sets, because each new set stays for good.
type Vec struct {
	name, help, kind string
	labels           []string
	bounds           []float64       // ascending, of a histogram
	read             func() []Sample // returns the numbers of a metric that keeps none itself; else nil

	mu      sync.Mutex
	samples map[string]*Sample // by the joined values
}

// Sample is one number of a [Vec].
type Sample struct {
	Values []string // of the labels
	Value  float64  // of a histogram: the sum of what was observed

	counts []uint64 // of a histogram: how many observations each bound holds, the last one all above
}

// New returns an empty [Registry].
func New() *Registry { return &Registry{} }

func (r *Registry) add(v *Vec) *Vec {
	v.samples = map[string]*Sample{}
	if len(v.labels) == 0 && v.kind != "histogram" && v.read == nil {
		v.sample(nil) // shown as 0 from the start
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.vecs, func(other *Vec) bool { return other.name == v.name }) {
		panic("metrics: " + v.name + " is registered twice") // a mistake that any test finds
	}
	r.vecs = append(r.vecs, v)
	return v
}

// Counter adds a metric that only grows; by convention its name ends in _total.
func (r *Registry) Counter(name, help string, labels ...string) *Vec {
	return r.add(&Vec{name: name, help: help, kind: "counter", labels: labels})
}

// Gauge adds a metric that goes up and down.
func (r *Registry) Gauge(name, help string, labels ...string) *Vec {
	return r.add(&Vec{name: name, help: help, kind: "gauge", labels: labels})
}

// Histogram adds a metric that counts how often a quantity was at most each of the ascending bounds.
func (r *Registry) Histogram(name, help string, bounds []float64, labels ...string) *Vec {
	return r.add(&Vec{name: name, help: help, kind: "histogram", labels: labels, bounds: bounds})
}

// GaugeFunc adds a gauge whose numbers are read when they are requested.
func (r *Registry) GaugeFunc(name, help string, labels []string, read func() []Sample) {
	r.add(&Vec{name: name, help: help, kind: "gauge", labels: labels, read: read})
}

// CounterFunc adds a counter whose numbers are read when they are requested.
func (r *Registry) CounterFunc(name, help string, labels []string, read func() []Sample) {
	r.add(&Vec{name: name, help: help, kind: "counter", labels: labels, read: read})
}

// RegisterProcess adds the number of goroutines and the bytes of live memory.
func (r *Registry) RegisterProcess() {
	r.GaugeFunc("confab_goroutines", "Goroutines of the process.", nil, func() []Sample {
		return []Sample{{Value: float64(runtime.NumGoroutine())}}
	})
	r.GaugeFunc("confab_heap_bytes", "Bytes of live memory.", nil, func() []Sample {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return []Sample{{Value: float64(m.HeapAlloc)}}
	})
}

// Inc adds one to the number of these values.
func (v *Vec) Inc(values ...string) { v.Add(1, values...) }

// Add adds n to the number of these values.
func (v *Vec) Add(n float64, values ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sample(values).Value += n
}

// Set makes the number of these values n.
func (v *Vec) Set(n float64, values ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sample(values).Value = n
}

// Get returns the number of these values.
func (v *Vec) Get(values ...string) float64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.sample(values).Value
}

// Observe counts one quantity of a histogram.
func (v *Vec) Observe(n float64, values ...string) {
	at, _ := slices.BinarySearch(v.bounds, n)
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.sample(values)
	s.counts[at]++
	s.Value += n
}

// sample returns the sample of these values, which is made when it does not exist. v.mu is held.
func (v *Vec) sample(values []string) *Sample {
	key := strings.Join(values, "\x00")
	s := v.samples[key]
	if s == nil {
		s = &Sample{Values: slices.Clone(values), counts: make([]uint64, len(v.bounds)+1)}
		v.samples[key] = s
	}
	return s
}

// sorted returns a copy of all samples, ordered by their values.
func (v *Vec) sorted() []Sample {
	if v.read != nil {
		return v.read()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	var all []Sample
	for _, s := range v.samples {
		all = append(all, Sample{s.Values, s.Value, slices.Clone(s.counts)})
	}
	slices.SortFunc(all, func(a, b Sample) int { return slices.Compare(a.Values, b.Values) })
	return all
}

// WriteTo writes every metric, in the order in which they were added.
func (r *Registry) WriteTo(w io.Writer) (int64, error) {
	r.mu.Lock()
	vecs := slices.Clone(r.vecs)
	r.mu.Unlock()
	var b strings.Builder
	for _, v := range vecs {
		help := strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(v.help)
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", v.name, help, v.name, v.kind)
		for _, s := range v.sorted() {
			if v.kind == "histogram" {
				v.writeHistogram(&b, s)
			} else {
				writeLine(&b, v.name, v.labels, s.Values, s.Value)
			}
		}
	}
	n, err := io.WriteString(w, b.String())
	if err != nil {
		return int64(n), fmt.Errorf("write metrics: %w", err)
	}
	return int64(n), nil
}

func (v *Vec) writeHistogram(b *strings.Builder, s Sample) {
	labels, total := append(slices.Clip(v.labels), "le"), uint64(0)
	for i, bound := range append(slices.Clip(v.bounds), math.Inf(1)) {
		total += s.counts[i]
		writeLine(b, v.name+"_bucket", labels, append(slices.Clip(s.Values), number(bound)), float64(total))
	}
	writeLine(b, v.name+"_sum", v.labels, s.Values, s.Value)
	writeLine(b, v.name+"_count", v.labels, s.Values, float64(total))
}

// writeLine writes one number with its labels.
func writeLine(b *strings.Builder, name string, labels, values []string, v float64) {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	var pairs []string
	for i, value := range values {
		pairs = append(pairs, labels[i]+`="`+escape.Replace(strings.ToValidUTF8(value, "\uFFFD"))+`"`)
	}
	if len(pairs) > 0 {
		name += "{" + strings.Join(pairs, ",") + "}"
	}
	b.WriteString(name + " " + number(v) + "\n")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// ServeHTTP answers with every metric.
func (r *Registry) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = r.WriteTo(w) // the reader may have gone
}
