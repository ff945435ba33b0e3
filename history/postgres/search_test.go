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

// TestSameSearch searches both databases for words in all, some and few of more rows than are read before the index.
func TestSameSearch(t *testing.T) {
	store := storeOf(t, connect(t, postgres.Options{}), "jan", postgres.StoreOptions{})
	other, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"), sqlite.Options{})
	must(t, err)
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
		must(t, s.Write(t.Context(), "fill", fill))
		// Hidden entries are not found by any of the ways.
		hits, _, err := s.Sessions(t.Context(), history.Query{Limit: 2})
		must(t, err)
		must(t, errorOf(s.DeleteSession(t.Context(), hits[1].ID)))
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

// TestSearchFarBack finds rows far below those that are read before the index.
func TestSearchFarBack(t *testing.T) {
	s := ownServer(t)
	migrateTo(t, s)
	store := storeAt(t, s, "kim", postgres.Options{})
	fill := func(texts ...string) {
		err := store.Write(t.Context(), "fill", func(tx *sqlstore.Tx) {
			session := tx.AddSession("session", 0)
			for _, text := range texts {
				tx.AddTurn(history.Turn{Session: session, Prompt: text, Answers: []history.Answer{
					{Model: "m", Kind: history.KindText, State: history.Done, Version: 1, Text: text}}})
			}
		})
		must(t, err)
	}
	var want []string
	for i := range 40 {
		text := fmt.Sprint("rare fern ", i)
		fill(text)
		want = append([]string{text, text}, want...) // an answer precedes its prompt
		execute(t, s, `select setval(pg_get_serial_sequence('confab_data.' || name, 'id'), 65536 * (`+fmt.Sprint(i)+` + 1))
			from unnest(array['turns', 'answers']) name`)
	}
	fill(slices.Repeat([]string{"common"}, 1200)...)
	for _, text := range []string{"rare ", "fe", `"rare fern"`, "fern rare "} {
		for _, limit := range []int{1, 7, 40, 100} {
			hits, err := store.Search(t.Context(), history.Query{Text: text, Limit: limit})
			must(t, err)
			var got []string
			for _, h := range hits {
				got = append(got, h.Snippet)
			}
			if want := want[:min(limit, len(want))]; !slices.Equal(got, want) {
				t.Errorf("%q, %d: got\n%q\nwant\n%q", text, limit, got, want)
			}
		}
	}
}

// searchResults returns the results of a query as text without ids.
func searchResults(t *testing.T, s history.Store, q history.Query) string {
	t.Helper()
	var b strings.Builder
	hits, err := s.Search(t.Context(), q)
	must(t, err)
	for _, h := range hits {
		fmt.Fprintln(&b, h.SessionName, h.Field, h.Snippet, h.Match)
	}
	sessions, n, err := s.Sessions(t.Context(), q)
	must(t, err)
	for _, h := range sessions {
		fmt.Fprintln(&b, h.Name, h.Snippet, h.Match)
	}
	return fmt.Sprint(b.String(), n, " sessions")
}
