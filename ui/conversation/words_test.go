package conversation_test

import (
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/themes"
	"confab/ui"
	"confab/ui/conversation"
	"confab/ui/part"
	"confab/ui/turns"

	"github.com/charmbracelet/x/ansi"
)

// TestWordsAreThoseOfTheComparison: the head of an answer counts its words as
// every other place does, by Unicode's rules, and when nothing is drawn.
func TestWordsAreThoseOfTheComparison(t *testing.T) {
	const text = "Hello — a CRDT, well-known: 東京 · | ok |"
	c := conversation.New(turns.New(part.Env{}), ui.Keys(),
		themes.New(themes.Pick(themes.Shipped(), "auto", true)), time.Now,
		func(string) time.Duration { return 0 })
	c.SetSize(80, 20)
	answer := history.Answer{ID: 2, Turn: 1, Model: "alpha", Kind: history.KindText, State: history.Done, Text: text,
		Version: 3}
	blank := history.Answer{ID: 3, Turn: 1, Model: "beta", Kind: history.KindText, State: history.Done, Text: " "}
	c.SetTurns([]history.Turn{{ID: 1, Prompt: "p", Answers: []history.Answer{answer, blank}}},
		false)
	if got := ansi.Strip(strings.Join(c.View(), "\n")); strings.Contains(got, "8 words") ||
		!strings.Contains(got, "0 words") {
		t.Errorf("before the work:\n%s", got)
	}
	settle(t, c, nil)
	want := format.MeasureText(text).Words
	if want == len(strings.Fields(text)) {
		t.Fatal("the text tells the two ways to count not apart")
	}
	if got := ansi.Strip(strings.Join(c.View(), "\n")); !strings.Contains(got, "8 words") || want != 8 {
		t.Errorf("want %d words in\n%s", want, got)
	}
	// A mark makes a newer version of the same text; it is not counted again.
	answer.Version, answer.Rating = 4, history.Good
	c.PutTurn(history.Turn{ID: 1, Prompt: "p", Answers: []history.Answer{answer, blank}})
	if got := ansi.Strip(strings.Join(c.View(), "\n")); !strings.Contains(got, "8 words") {
		t.Errorf("after a mark:\n%s", got)
	}
}

// TestTheServiceSaysItOnce expects a note that is the same for several answers of a turn above the first one only.
func TestTheServiceSaysItOnce(t *testing.T) {
	c := conversation.New(turns.New(part.Env{}), ui.Keys(),
		themes.New(themes.Pick(themes.Shipped(), "auto", true)), time.Now,
		func(string) time.Duration { return 0 })
	c.SetSize(80, 30)
	turn := history.Turn{ID: 1, Prompt: "p"}
	for i, note := range []string{"shortened", "shortened", "larger"} {
		turn.Answers = append(turn.Answers, history.Answer{ID: int64(i + 2), Turn: 1, Model: "alpha", Text: "text",
			Kind: history.KindText, State: history.Done, ServiceNote: note, Version: 3})
	}
	c.SetTurns([]history.Turn{turn}, false)
	settle(t, c, nil)
	got := ansi.Strip(strings.Join(c.View(), "\n"))
	if strings.Count(got, "shortened") != 1 || strings.Count(got, "larger") != 1 {
		t.Errorf("each note is not there once:\n%s", got)
	}
}
