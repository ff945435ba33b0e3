package postgres_test

import (
	"context"
	"testing"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"

	"github.com/jackc/pgx/v5"
)

// TestEraseLeavesOthers deletes everything of a user, including answers on which others voted.
func TestEraseLeavesOthers(t *testing.T) {
	server := connect(t, postgres.Options{})
	users := map[string]*postgres.Store{}
	for _, name := range []string{"erased", "kept"} {
		users[name] = storeOf(t, server, name, postgres.StoreOptions{})
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
	for _, table := range tablesOfUsers(t) {
		if n := countRows(t, table, "owner = 'erased'"); n != 0 {
			t.Errorf("%s has %d rows of the user", table, n)
		}
	}
}

// operator connects as a role that row-level security does not restrict.
func operator(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server.URL(pgtest.Superuser, "confab"))
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// tablesOfUsers returns the names of the tables whose rows have an owner.
func tablesOfUsers(t *testing.T) []string {
	t.Helper()
	rows, err := operator(t).Query(t.Context(), `select table_name::text from information_schema.columns
		where table_schema = 'confab_data' and column_name = 'owner'`)
	must(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) != 15 {
		t.Fatal(names, err)
	}
	return names
}

// countRows counts the rows of a table of all owners.
func countRows(t *testing.T, table, where string) (n int) {
	t.Helper()
	must(t, operator(t).QueryRow(t.Context(), `select count(*) from confab_data.`+table+` where `+where).Scan(&n))
	return n
}
