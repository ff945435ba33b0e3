package sqlite_test

import (
	"strings"
	"testing"

	"confab/history"
	"confab/history/sqlite"
)

// typed returns texts for a search box.
func typed() []string {
	return []string{"refund", `"in a row" model:alpha`, "kind:image state:failed rated:good",
		"before:2026-01-31 after:3d", "退款 🎉", `" * ^ - ( ) { } : + NEAR AND OR NOT \ ' ;`, "\x00\xff",
		"model:*[a", "é\u0301 ß İ ſ K", "\uE000k\uE001", strings.Repeat(`"`, 99)}
}

// FuzzSearch searches for any text in any text: the store must return results, with matches within the snippet.
func FuzzSearch(f *testing.F) {
	for _, seed := range typed() {
		f.Add(seed, "some text: "+seed)
	}
	s, err := sqlite.Open(f.Context(), sqlite.Memory, sqlite.Options{})
	must(f, err)
	f.Cleanup(func() { s.Close() })
	in, err := s.CreateSession(f.Context(), "")
	must(f, err)
	if _, err := s.AddTurn(f.Context(), history.Turn{Session: in.ID}); err != nil { // keeps the session
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, typed, text string) {
		turn, err := s.AddTurn(t.Context(),
			history.Turn{Session: in.ID, Prompt: text,
				Answers: []history.Answer{{Model: "alpha", Kind: history.KindText, Text: typed}}})
		must(t, err)
		for _, q := range []history.Query{{Text: typed}, {Text: text}} {
			q.Limit = 5
			hits, err := s.Search(t.Context(), q)
			must(t, err)
			for _, h := range hits {
				checkMatches(t, h.Snippet, h.Match)
			}
			if _, _, err := s.Sessions(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			prompts, err := s.Prompts(t.Context(), q)
			must(t, err)
			for _, p := range prompts {
				checkMatches(t, p.Prompt, p.Match)
			}
		}
		if read, err := s.Turn(t.Context(), turn.ID); err != nil || read.Prompt != text ||
			read.Answers[0].Text != typed {
			t.Fatalf("read %+v, %v", read, err)
		}
		must(t, errorOf(s.DeleteTurn(t.Context(), turn.ID)))
		must(t, s.Purge(t.Context(), 0, nil))
	})
}

// checkMatches checks that the matches are sorted and within the text.
func checkMatches(t *testing.T, text string, match [][2]int) {
	t.Helper()
	last := 0
	for _, m := range match {
		if m[0] < last || m[1] <= m[0] || m[1] > len(text) {
			t.Fatalf("matches %v in %q", match, text)
		}
		last = m[1]
	}
}
