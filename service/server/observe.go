package server

import (
	"strconv"
	"time"

	"confab/internal/metrics"
)

// requestMetrics are the counters of requests.
type requestMetrics struct {
	requests *metrics.Vec // by endpoint, model, status
	refused  *metrics.Vec // by code
	byKey    *metrics.Vec // by the key's name
	working  *metrics.Vec
	cache    *metrics.Vec // by what came of it
	bytes    *metrics.Vec
	took     *metrics.Histogram // by model
}

// newRequestMetrics makes the metrics; without a registry they are counted for nobody.
func newRequestMetrics(r *metrics.Registry) *requestMetrics {
	if r == nil {
		r = metrics.New()
	}
	return &requestMetrics{
		requests: r.Counter("confab_requests_total", "Requests to the API, by kind of path, model and status.",
			"endpoint",
			"model", "status"),
		refused: r.Counter("confab_refusals_total", "Requests that were refused or failed, by the code of the error.",
			"code"),
		byKey:   r.Counter("confab_key_requests_total", "Requests by the name of their key.", "key"),
		working: r.Gauge("confab_requests_in_flight", "Requests that are being answered."),
		cache: r.Counter("confab_picture_cache_total",
			"Pictures asked for, by whether they were kept: memory, disk or miss.", "result"),
		bytes: r.Counter("confab_response_bytes_total", "Bytes of answers."),
		took: r.Histogram("confab_request_seconds", "How long answers took, by model.", metrics.RequestDurationBounds(),
			"model"),
	}
}

// answered counts one request. Models and codes are from bounded sets.
func (f *requestMetrics) answered(route string, c *call, out *recorder, refused *refusal, took time.Duration) {
	status := "none" // the client went away
	if out.status != 0 {
		status = strconv.Itoa(out.status)
	}
	f.requests.Inc(route, c.model.Slug, status)
	f.bytes.Add(float64(out.bytes))
	if refused != nil {
		f.refused.Inc(refused.code)
	}
	if c.client.Name != "" {
		f.byKey.Inc(c.client.Name)
	}
	if c.model.Slug != "" && out.status == 200 {
		f.took.Observe(took.Seconds(), c.model.Slug)
	}
}
