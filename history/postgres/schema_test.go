package postgres_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/history/sqlite"
)

// TestSameTables compares the tables and columns of both databases, whose statements are the same. It ignores owner
// columns and what only one database has.
func TestSameTables(t *testing.T) {
	connect(t, postgres.Options{})
	path := filepath.Join(t.TempDir(), "history.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	must(t, err)
	store.Close()
	columns := func(driver, source, query string) []string {
		db, err := sql.Open(driver, source)
		must(t, err)
		defer db.Close()
		rows, err := db.QueryContext(t.Context(), query)
		must(t, err)
		defer rows.Close()
		var all []string
		for rows.Next() {
			var table, column string
			var isNullable bool
			must(t, rows.Scan(&table, &column, &isNullable))
			if !strings.Contains(table, "_words_") && !slices.Contains([]string{"shelves", "sqlite_sequence",
				"migrations", "words", "leases", "writes", "sharers", "shown_pairs", "drafts"}, table) {
				all = append(all, fmt.Sprint(table, ".", column, " nullable: ", isNullable))
			}
		}
		slices.Sort(all)
		return all
	}
	in := columns("sqlite", path, `select t.name, c.name, c."notnull" = 0 and c.pk = 0
		from sqlite_schema t join pragma_table_info(t.name) c where t.type = 'table'`)
	out := columns("pgx", server.URL(pgtest.Owner, "confab"), `select table_name, column_name, is_nullable = 'YES'
		from information_schema.columns where table_schema = 'confab_data' and column_name not in ('owner', 'answers_owner')`)
	if len(in) < 80 {
		t.Fatalf("only %d columns were found: the test does not see the tables", len(in))
	}
	for _, c := range in {
		if !slices.Contains(out, c) {
			t.Errorf("PostgreSQL lacks %s", c)
		}
	}
	for _, c := range out {
		if !slices.Contains(in, c) {
			t.Errorf("SQLite lacks %s", c)
		}
	}
}
