package openai_test

import (
	"bytes"
	"testing"

	"confab/service/engine"
)

// BenchmarkStream reads an answer of 100 kB in 25,000 parts.
func BenchmarkStream(b *testing.B) {
	const parts = 25000
	s := start(b)
	o := options(s)
	o.Streams = true
	event := []byte(`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,` +
		`"delta":{"content":"word"},"logprobs":null,"finish_reason":null}]}` + "\n\n")
	s.Replay("m", append(bytes.Repeat(event, parts), finished...), 0)
	e := newChat(b, o)
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		if _, err := e.Text(b.Context(), engine.TextRequest{Model: "m", Prompt: "p",
			Emit: func(engine.Part) { n++ }}); err != nil || n != parts {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*parts), "µs/part")
}
