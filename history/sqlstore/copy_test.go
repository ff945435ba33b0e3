package sqlstore_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/history/sqlite"
	"confab/history/sqlstore"
)

// TestEveryColumnIsCopied compares the copied tables with the schema, which PostgreSQL shares (TestSameTables there).
// It names the tables that hold nothing of a user's history.
func TestEveryColumnIsCopied(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `select t.name || '.' || c.name
		from sqlite_schema t join pragma_table_info(t.name) c
		where t.type = 'table' and t.name not in ('shelves', 'sqlite_sequence') order by t.name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	copied := sqlstore.CopiedColumns()
	for rows.Next() {
		var column string
		if err := rows.Scan(&column); err != nil {
			t.Fatal(err)
		}
		i := slices.Index(copied, column)
		if i < 0 {
			if !strings.Contains(column, "_words_") {
				t.Errorf("%s is not copied: add it to tables() or to the columns of its table", column)
			}
			continue
		}
		copied = slices.Delete(copied, i, i+1)
	}
	if err := rows.Err(); err != nil || len(copied) > 0 {
		t.Errorf("copied twice, or not in the schema: %q, %v", copied, err)
	}
}
