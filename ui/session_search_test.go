package ui_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/ui"
)

// searchedHistory opens a screen on a history with one session: a turn far above its end, a prompt that was sent with
// two values, the first of which has the best answer, and turns after the second.
func searchedHistory(t *testing.T) *screen {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	session := int64(0)
	add := func(prompt string, beside int64, texts ...string) history.Turn {
		turn := history.Turn{Session: session, Prompt: prompt}
		if beside != 0 {
			turn.Siblings = []int64{beside}
		}
		for i, text := range texts {
			turn.Answers = append(turn.Answers, history.Answer{Model: []string{"alpha3.1-8b", "beta3-32b"}[i],
				Kind: history.KindText, State: history.Done, Text: text})
		}
		if turn, err = store.AddTurn(t.Context(), turn); err != nil {
			t.Fatal(err)
		}
		return turn
	}
	first, err := store.AddTurnToSession(t.Context(), "colors", history.Turn{Prompt: "Where do rainbows end?",
		Answers: []history.Answer{{Model: "alpha3.1-8b", Kind: history.KindText, State: history.Done,
			Text: "Behind the waterfall."}}})
	if err != nil {
		t.Fatal(err)
	}
	session = first.Session
	long := strings.Repeat("Filler text.\n\n", 30)
	for range 50 {
		add("Go on.", 0, long)
	}
	red := add("A line about red.", 0, "Red as rust.", "Red as a poppy.")
	if _, err := store.Judge(t.Context(), red.Answers[1].ID, history.Unrated, true, ""); err != nil {
		t.Fatal(err)
	}
	add("A line about blue.", red.ID, "Blue as ink.", "Blue as slate.")
	add("The end.", 0, long+"Good night.")
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, 120, 40, func(_ *ui.Options, o *service.Options) {
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			return sqlite.Open(ctx, path, sqlite.Options{})
		}
	})
	s.pass(time.Second)
	return s
}

// TestASessionOpensAtItsHit opens a session at what a search found: on a branch that it does not show, and far above
// its end. Without a search it opens at its end.
func TestASessionOpensAtItsHit(t *testing.T) {
	for query, want := range map[string][]string{
		"rated:best": {"Red as a poppy.", "A line about red."},
		"slate":      {"Blue as slate."},
		"waterfall":  {"Where do rainbows end?", "Behind the waterfall."},
		"rainbows":   {"Where do rainbows end?"},
		"":           {"Filler text."},
	} {
		run(t, func(t *testing.T) {
			s := searchedHistory(t)
			s.press("ctrl+s")
			s.typed(query)
			s.pass(time.Second)
			s.shows(want[0]) // in the preview
			s.press("enter")
			s.pass(time.Second)
			s.lacks("━ Sessions")
			s.shows(want...)
			if query == "" {
				s.shows("Good night.")
				return
			}
			s.lacks("Good night.")
			s.press("alt+2", "y") // copies the selected answer
			s.pass(time.Second)
			if query == "rated:best" && strings.Join(s.desktop.copied, "|") != "Red as a poppy." {
				t.Errorf("copied %q", s.desktop.copied)
			}
		})
	}
}

// TestTheOpenSessionIsRenamed renames the session that is open, from the list of commands.
func TestTheOpenSessionIsRenamed(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "moons of jupiter")
		s.press("ctrl+p")
		s.typed("rename")
		s.shows("Rename the session", "alt+r")
		s.press("enter")
		s.shows("━ Rename the session", "moons of jupiter")
		s.press("ctrl+u")
		s.typed("giants")
		s.press("enter")
		s.pass(time.Second)
		s.shows("Renamed to giants.", "   giants   ")
		s.press("alt+r")
		s.shows("━ Rename the session", "giants")
		s.press("esc", "ctrl+n", "alt+r")
		s.shows("Nothing to rename yet: the session is empty.")
	})
}
