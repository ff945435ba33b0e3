package server_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/service/api"
	"confab/service/engine"
	"confab/service/server"
)

// BenchmarkStream measures what the server, loopback and the client add to each part of a text: the median and the 95th
// percentile from the engine's Emit to the report of the client, and the whole answer of an engine of 200 parts, one
// every 5 ms, against that engine alone.
func BenchmarkStream(b *testing.B) {
	const parts, pause = 200, 5 * time.Millisecond
	emitted := make([]time.Time, parts)
	write := func(emit func(engine.Part)) time.Duration {
		began := time.Now()
		for i := range parts {
			time.Sleep(pause)
			emitted[i] = time.Now()
			emit(engine.Part{Text: "token "})
		}
		return time.Since(began)
	}
	f := writer()
	f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
		write(r.Emit)
		return engine.Text{Text: strings.Repeat("token ", parts)}, nil
	}
	s, err := server.New(server.Options{Engine: f, Access: server.Access{Keys: []string{key}}})
	must(b, err)
	c, err := api.NewClient(api.Options{BaseURL: listen(b, s.Handler()), APIKey: key})
	must(b, err)
	var took []time.Duration
	var alone, served time.Duration
	for b.Loop() {
		alone += write(func(engine.Part) {})
		began, received := time.Now(), 0
		r := api.Request{Model: api.Model{Slug: "delta", Kind: api.Text}, Prompt: "p", IsStreamed: true}
		_, _, err := c.Do(b.Context(), r, func(p api.Progress) {
			for range strings.Count(p.Text, "token ") {
				took = append(took, time.Since(emitted[received]))
				received++
			}
		})
		served += time.Since(began)
		if err != nil || received != parts {
			b.Fatal(received, err)
		}
	}
	slices.Sort(took)
	at := func(share float64) float64 { return float64(took[int(share*float64(len(took)))].Microseconds()) }
	b.ReportMetric(at(0.5), "µs/part-p50")
	b.ReportMetric(at(0.95), "µs/part-p95")
	b.ReportMetric(float64(served)/float64(alone), "served/alone")
}

// BenchmarkStreamThroughput measures a text of a mebibyte that an engine writes as fast as it can, in parts of a word.
func BenchmarkStreamThroughput(b *testing.B) {
	const size = 1 << 20
	f := writer()
	f.text = func(_ context.Context, r engine.TextRequest) (engine.Text, error) {
		for range size / 8 {
			r.Emit(engine.Part{Text: "a token "})
		}
		return engine.Text{Text: strings.Repeat("a token ", size/8)}, nil
	}
	s, err := server.New(server.Options{Engine: f, Access: server.Access{Keys: []string{key}}})
	must(b, err)
	c, err := api.NewClient(api.Options{BaseURL: listen(b, s.Handler()), APIKey: key})
	must(b, err)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		r := api.Request{Model: api.Model{Slug: "delta", Kind: api.Text}, Prompt: "p", IsStreamed: true}
		if response, _, err := c.Do(b.Context(), r, nil); err != nil || len(response.Text) != size {
			b.Fatal(len(response.Text), err)
		}
	}
}
