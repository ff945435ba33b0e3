package service_test

import (
	"fmt"
	"strings"
	"testing"

	"confab/history"
	"confab/history/sqlite"
	"confab/history/storetest"
	"confab/service"
	"confab/service/api"
)

// TestMemoryIsWhatIsSent compares what is counted before a prompt is sent with the bytes that the service got, for each
// model, as messages and within the prompt, in models' contexts of several lengths.
func TestMemoryIsWhatIsSent(t *testing.T) {
	for name, offered := range map[string]api.Extensions{
		"within the prompt": {},
		"in a short prompt": {ContextTokens: 200},
		"messages":          {TakesMessages: true},
		"few messages":      {TakesMessages: true, ContextTokens: 200},
		"no message":        {TakesMessages: true, ContextTokens: 10},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, inMemory, withExtensions(offered))
			p := service.Prompt{SessionName: "talk", Models: []string{"delta", "zeta"}}
			for i := range 9 {
				p.Text = fmt.Sprintf("question %d", i)
				p.Session = w.send(t, p).Session
			}
			p.Text, p.HasContext = "and now?", true
			memories, err := w.Memories(t.Context(), p)
			must(t, err)
			before := len(w.client.requests())
			w.send(t, p)
			got := map[string]service.Memory{}
			for i, m := range memories {
				got[p.Models[i]] = m
			}
			for _, r := range w.client.requests()[before:] {
				m, size := got[r.Model.Slug], len(r.Prompt)-len(p.Text)
				questions := strings.Count(r.Prompt, "question") / 2
				for _, message := range r.Messages {
					size += len(message.Content)
				}
				if len(r.Messages) > 0 {
					questions = len(r.Messages) / 2
				}
				if m.Turns != questions || m.Turns+m.OmittedTurns != 9 || m.Tokens != (size+2)/3 ||
					m.ContextTokens != offered.ContextTokens {
					t.Errorf("%s: got %+v, and sent %d bytes of %d turns", r.Model.Slug, m, size, questions)
				}
			}
			if isShort := offered.ContextTokens > 0; isShort != (memories[0].OmittedTurns > 0) {
				t.Errorf("got %+v", memories[0])
			}
		})
	}
}

// TestMemoryHoldsWhileAPromptGrows types a prompt byte by byte: the count holds exactly as long as the same is sent.
func TestMemoryHoldsWhileAPromptGrows(t *testing.T) {
	w := newWorld(t, inMemory, withExtensions(api.Extensions{TakesMessages: true, ContextTokens: 120}))
	p := service.Prompt{SessionName: "talk", Models: []string{"delta"}}
	for i := range 9 {
		p.Text = fmt.Sprintf("question %d", i)
		p.Session = w.send(t, p).Session
	}
	p.Text, p.HasContext = strings.Repeat("x", 100), true
	counted, err := w.Memories(t.Context(), p)
	must(t, err)
	changes := 0
	for n := 1; n < 300; n++ {
		p.Text = strings.Repeat("x", n)
		now, err := w.Memories(t.Context(), p)
		must(t, err)
		isSame := now[0].Turns == counted[0].Turns
		if counted[0].HoldsFor(n-100) != isSame {
			t.Fatalf("with %d bytes: %+v instead of %+v", n, now[0], counted[0])
		}
		if !isSame {
			changes++
		}
	}
	if changes == 0 {
		t.Error("every length is sent with the same turns")
	}
}

// TestAStoppedAnswerIsRemembered takes the text of stopped answers, and whole ones where there are both.
func TestAStoppedAnswerIsRemembered(t *testing.T) {
	answer := func(model, text string, state history.State) history.Answer {
		return history.Answer{Model: model, Kind: history.KindText, Text: text, State: state}
	}
	for _, tt := range []struct {
		want    string
		answers []history.Answer
	}{
		{"half", []history.Answer{answer("delta", "half", history.Cancelled)}},
		{"half", []history.Answer{answer("delta", "half", history.Interrupted), answer("zeta", "whole", history.Done)}},
		{"whole", []history.Answer{answer("delta", "half", history.Cancelled), answer("delta", "whole", history.Done)}},
		{"other", []history.Answer{answer("delta", "", history.Cancelled), answer("zeta", "other", history.Failed)}},
		{"", []history.Answer{answer("delta", "so far", history.Running), answer("zeta", "", history.Done)}},
	} {
		if got, _ := service.ContextAnswer(history.Turn{Answers: tt.answers}, "delta"); got.Text != tt.want {
			t.Errorf("of %+v it remembers %q, want %q", tt.answers, got.Text, tt.want)
		}
	}
}

// BenchmarkMemoryOfALongSession counts what goes with a prompt in a session of 10,000 turns.
func BenchmarkMemoryOfALongSession(b *testing.B) {
	w := newWorld(b)
	store, err := sqlite.Open(b.Context(), w.path, sqlite.Options{})
	must(b, err)
	session := storetest.AddTurns(b, store, 10_000, 160).ID
	must(b, store.Close())
	p := service.Prompt{Session: session, Text: "now", Models: []string{"delta"}, HasContext: true}
	for b.Loop() {
		_, err := w.Memories(b.Context(), p)
		must(b, err)
	}
}
