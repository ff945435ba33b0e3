package service_test

import (
	"testing"

	"confab/service"
)

// BenchmarkSend sends one turn to every text model, with an immediate client and a store on disk.
func BenchmarkSend(b *testing.B) {
	w := newWorld(b)
	models := textModels()
	b.ReportAllocs()
	for b.Loop() {
		w.send(b, service.Prompt{SessionName: "bench", Text: "Explain a CRDT to a baker.", Models: models})
	}
}
