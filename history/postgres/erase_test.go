package postgres_test

import (
	"database/sql"
	"testing"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
)

// TestEraseLeavesOthers deletes everything of a user, on which others have voted.
func TestEraseLeavesOthers(t *testing.T) {
	server := connect(t, postgres.Options{})
	users := map[string]*postgres.Store{}
	for _, name := range []string{"erased", "kept"} {
		store, err := server.Store(name, postgres.StoreOptions{})
		must(t, err)
		defer store.Close()
		users[name] = store
	}
	e := fill(t, users["erased"])
	fill(t, users["kept"])
	before := dump(t, users["kept"])
	must(t, users["erased"].ShareSession(t.Context(), e.session, true))
	seen := seenBy(t, users["kept"], "erased", e)
	must(t, errorOf(users["kept"].AddVote(t.Context(), history.Vote{AnswerA: seen.answer,
		AnswerB: seen.answer + 1, Preference: history.VoteB})))
	must(t, users["erased"].Erase(t.Context()))
	if after := dump(t, users["kept"]); after != before {
		t.Errorf("another user lost something:\n%s\nbefore\n%s", after, before)
	}
	db, err := sql.Open("pgx", pgURL())
	must(t, err)
	defer db.Close()
	for table := range tablesOfUsers(t, db) {
		var rows int
		if err := db.QueryRowContext(t.Context(), `select count(*) from confab_data.`+table+` where owner = 'erased'`).
			Scan(&rows); err != nil || rows != 0 {
			t.Errorf("%s has %d rows of the user, %v", table, rows, err)
		}
	}
}

// pgURL is how an operator reaches the database, whom row-level security does not bind.
func pgURL() string { return server.URL(pgtest.Superuser, "confab") }

// tablesOfUsers returns the names of the tables whose rows have an owner.
func tablesOfUsers(t *testing.T, db *sql.DB) map[string]bool {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `select table_name from information_schema.columns
		where table_schema = 'confab_data' and column_name = 'owner'`)
	must(t, err)
	defer rows.Close()
	names := map[string]bool{}
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		names[name] = true
	}
	if len(names) < 10 {
		t.Fatalf("only %d tables were found", len(names))
	}
	return names
}
