// Package metrics counts what a server does and writes the numbers in the text
// format that Prometheus reads. The official client costs every start of the
// program its packages' initialisation, for a format of one page.
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
	"sync/atomic"
)

// ContentType is that of what [Registry.WriteTo] writes.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Registry holds the metrics of one server. It is safe for concurrent use.
type Registry struct {
	mu       sync.Mutex
	families []family
	names    map[string]bool
}

// family is a metric with all its labels.
type family struct {
	name, help, kind string
	write            func(b *strings.Builder)
}

// New returns an empty [Registry].
func New() *Registry { return &Registry{names: map[string]bool{}} }

func (r *Registry) add(f family) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.names[f.name] {
		panic("metrics: " + f.name + " is there twice") // a programmer's slip, met by any test
	}
	r.names[f.name] = true
	r.families = append(r.families, f)
}

// WriteTo writes every metric, in the order in which they were made.
func (r *Registry) WriteTo(w io.Writer) (int64, error) {
	r.mu.Lock()
	families := slices.Clone(r.families)
	r.mu.Unlock()
	var b strings.Builder
	for _, f := range families {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", f.name,
			strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(f.help),
			f.name, f.kind)
		f.write(&b)
	}
	n, err := io.WriteString(w, b.String())
	if err != nil {
		return int64(n), fmt.Errorf("write metrics: %w", err)
	}
	return int64(n), nil
}

// ServeHTTP answers with every metric.
func (r *Registry) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", ContentType)
	_, _ = r.WriteTo(w) // the reader may have gone
}

// Vec is a counter or gauge with labels: one number for each set of values.
// Give it values from a bounded set only; each new set stays for good.
type Vec struct {
	labels []string
	mu     sync.RWMutex
	cells  map[string]*cell
}

type cell struct {
	values []string
	bits   atomic.Uint64 // of a float64
}

func (c *cell) add(v float64) {
	for {
		old := c.bits.Load()
		if c.bits.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)+v)) {
			return
		}
	}
}

func (c *cell) get() float64 { return math.Float64frombits(c.bits.Load()) }

// Counter makes a metric that only grows; its name ends in _total by custom.
func (r *Registry) Counter(name, help string, labels ...string) *Vec {
	return r.vec(name, help, "counter", labels)
}

// Gauge makes a metric that goes up and down.
func (r *Registry) Gauge(name, help string, labels ...string) *Vec {
	return r.vec(name, help, "gauge", labels)
}

func (r *Registry) vec(name, help, kind string, labels []string) *Vec {
	v := &Vec{labels: labels, cells: map[string]*cell{}}
	if len(labels) == 0 {
		v.cell(nil) // shown from the start, as 0
	}
	r.add(family{name, help, kind, func(b *strings.Builder) {
		for _, c := range v.sorted() {
			sample(b, name, v.labels, c.values, "", "", c.get())
		}
	}})
	return v
}

func (v *Vec) cell(values []string) *cell {
	key := strings.Join(values, "\x00")
	v.mu.RLock()
	c := v.cells[key]
	v.mu.RUnlock()
	if c != nil {
		return c
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if c = v.cells[key]; c == nil {
		c = &cell{values: slices.Clone(values)}
		v.cells[key] = c
	}
	return c
}

func (v *Vec) sorted() []*cell {
	v.mu.RLock()
	defer v.mu.RUnlock()
	var all []*cell
	for _, c := range v.cells {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *cell) int { return slices.Compare(a.values, b.values) })
	return all
}

// Inc adds one to the number of these values.
func (v *Vec) Inc(values ...string) { v.cell(values).add(1) }

// Add adds n to the number of these values.
func (v *Vec) Add(n float64, values ...string) { v.cell(values).add(n) }

// Set makes the number of these values n.
func (v *Vec) Set(n float64, values ...string) { v.cell(values).bits.Store(math.Float64bits(n)) }

// Get returns the number of these values.
func (v *Vec) Get(values ...string) float64 { return v.cell(values).get() }

// Sample is one number of a [Registry.Func].
type Sample struct {
	Values []string // of the labels
	Value  float64
}

// Func makes a gauge whose numbers are read when they are asked for.
func (r *Registry) GaugeFunc(name, help string, labels []string, read func() []Sample) {
	r.addFunc(name, help, "gauge", labels, read)
}

// CounterFunc is [Registry.Func] for numbers that only grow.
func (r *Registry) CounterFunc(name, help string, labels []string, read func() []Sample) {
	r.addFunc(name, help, "counter", labels, read)
}

func (r *Registry) addFunc(name, help, kind string, labels []string, read func() []Sample) {
	r.add(family{name, help, kind, func(b *strings.Builder) {
		for _, s := range read() {
			sample(b, name, labels, s.Values, "", "", s.Value)
		}
	}})
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

// sample writes one line. extra is a label more, such as le.
func sample(b *strings.Builder, name string, labels, values []string, extra, extraValue string, v float64) {
	b.WriteString(name)
	sep := byte('{')
	label := func(name, value string) {
		b.WriteByte(sep)
		sep = ','
		b.WriteString(name)
		b.WriteString(`="`)
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n",
			`\n`).Replace(strings.ToValidUTF8(value, "\uFFFD")))
		b.WriteByte('"')
	}
	for i, l := range labels {
		if i < len(values) {
			label(l, values[i])
		}
	}
	if extra != "" {
		label(extra, extraValue)
	}
	if sep == ',' {
		b.WriteByte('}')
	}
	b.WriteByte(' ')
	b.WriteString(number(v))
	b.WriteByte('\n')
}

func number(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
