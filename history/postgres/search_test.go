package postgres_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/history/postgres"
	"confab/history/sqlite"
	"confab/history/sqlstore"
)

// TestSameSearch searches more rows than are looked at before the index, for words that all, some and few of them have,
// in both databases.
func TestSameSearch(t *testing.T) {
	store, err := connect(t, postgres.Options{}).Store("jan", postgres.StoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	other, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	const turns, inSession = 1100, 20
	fill := func(tx *sqlstore.Tx) {
		var session int64
		for i := range turns {
			text := "tea"
			for every, word := range map[int]string{20: "some", 120: "few", 3: "pot is", 7: "hot"} {
				if i%every == 0 {
					text += " " + word
				}
			}
			words := strings.Fields(text)
			slices.Sort(words)
			text = strings.Join(words, " ")
			if i%inSession == 0 {
				session = tx.AddSession(fmt.Sprint("session ", i/inSession), 0)
			}
			tx.AddTurn(history.Turn{Session: session, Prompt: fmt.Sprint(text, " p", i), Answers: []history.Answer{
				{Model: fmt.Sprint("m", i%5), Kind: history.KindText, State: history.Done, Version: 1, Text: text}}})
		}
	}
	type searcher interface {
		history.Store
		Write(ctx context.Context, step string, work func(*sqlstore.Tx)) error
	}
	stores := []searcher{store, other}
	for _, s := range stores {
		if err := s.Write(t.Context(), "fill", fill); err != nil {
			t.Fatal(err)
		}
		// What is hidden is not found, whatever the way.
		hits, _, err := s.Sessions(t.Context(), history.Query{Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.DeleteSession(t.Context(), hits[1].ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"tea ", "some ", "few ", "few t", "fe", `"pot some"`, `"few hot"`, "nothing "} {
		for _, limit := range []int{3, 500} {
			for _, filter := range []history.Query{{}, {Models: []string{"m3"}}} {
				q := history.Query{Text: text, Limit: limit, Models: filter.Models}
				var found [2]string
				for i, s := range stores {
					found[i] = searchResults(t, s, q)
				}
				if found[0] != found[1] {
					t.Errorf("%q, %d, %v: PostgreSQL finds\n%s\nSQLite finds\n%s", text, limit, q.Models, found[0],
						found[1])
				}
			}
		}
	}
}

// searchResults writes down what a query finds, without ids.
func searchResults(t *testing.T, s history.Store, q history.Query) string {
	t.Helper()
	var b strings.Builder
	hits, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		fmt.Fprintln(&b, h.SessionName, h.Field, h.Snippet, h.Match)
	}
	sessions, n, err := s.Sessions(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range sessions {
		fmt.Fprintln(&b, h.Name, h.Snippet, h.Match)
	}
	return fmt.Sprint(b.String(), n, " sessions")
}
