package service_test

import (
	"testing"

	"confab/service"
)

// BenchmarkSend is one turn to every text model, from the prompt to the last
// ending, against a client that answers at once and a store on disk.
func BenchmarkSend(b *testing.B) {
	w := newWorld(b)
	models := textModels()
	b.ReportAllocs()
	for b.Loop() {
		w.send(b, service.Prompt{SessionName: "bench", Text: "Explain a CRDT to a baker.", Models: models})
	}
}
