package metrics

import (
	"strings"
	"sync"
	"testing"
)

func TestWhatPrometheusReads(t *testing.T) {
	r := New()
	requests := r.Counter("requests_total", "Requests.", "model", "code")
	open := r.Gauge("open", "Open\nconnections.")
	took := r.Histogram("took_seconds", "Time.", []float64{0.1, 1}, "model")
	r.GaugeFunc("up", "Whether it is up.", []string{"engine"}, func() []Sample {
		return []Sample{{Values: []string{"a"},
			Value: 1}}
	})
	requests.Inc("b", "200")
	requests.Add(2, "a", "429")
	requests.Inc(`q"\`+"\n", "200")
	open.Set(3)
	open.Add(-1)
	for _, v := range []float64{0.05, 0.1, 0.5, 7} {
		took.Observe(v, "a")
	}
	const want = `# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{model="a",code="429"} 2
requests_total{model="b",code="200"} 1
requests_total{model="q\"\\\n",code="200"} 1
# HELP open Open\nconnections.
# TYPE open gauge
open 2
# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{model="a",le="0.1"} 2
took_seconds_bucket{model="a",le="1"} 3
took_seconds_bucket{model="a",le="+Inf"} 4
took_seconds_sum{model="a"} 7.65
took_seconds_count{model="a"} 4
# HELP up Whether it is up.
# TYPE up gauge
up{engine="a"} 1
`
	var b strings.Builder
	if _, err := r.WriteTo(&b); err != nil || b.String() != want {
		t.Errorf("got (%v)\n%s\nwant\n%s", err, b.String(), want)
	}
}

func TestCountingFromManySidesAtOnce(t *testing.T) {
	r := New()
	c, h := r.Counter("c", ""), r.Histogram("h", "", []float64{0.5})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				c.Inc()
				h.Observe(1)
			}
		})
	}
	all.Wait()
	if c.Get() != 8000 {
		t.Errorf("counted %v, want 8000", c.Get())
	}
	var b strings.Builder
	_, _ = r.WriteTo(&b)
	if !strings.Contains(b.String(), "h_count 8000\n") {
		t.Errorf("the histogram lost some: %s", b.String())
	}
}
