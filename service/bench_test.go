package service

import (
	"testing"

	"confab/history"
)

// BenchmarkSend is one turn to every text model, from the prompt to the last
// ending, against a client that answers at once and a store on disk.
func BenchmarkSend(b *testing.B) {
	w := newWorld(b)
	models := textModels()
	b.ReportAllocs()
	for b.Loop() {
		w.send(b, Prompt{SessionName: "bench", Text: "Explain a CRDT to a baker.", Models: models})
	}
}

// BenchmarkStream is an event that replaces one among fifteen that wait.
func BenchmarkStream(b *testing.B) {
	s := newEventQueue(15)
	for id := range int64(15) {
		s.put(history.Event{Turn: 1, Answer: history.Answer{ID: id, Version: 1}})
	}
	version := 1
	b.ReportAllocs()
	for b.Loop() {
		version++
		s.put(history.Event{Turn: 1, Answer: history.Answer{ID: 7, Version: version}})
	}
}
