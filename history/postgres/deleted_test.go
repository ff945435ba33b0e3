package postgres_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/history/storetest"
)

// TestDeletedTextIsInNoTable reads the files of the database after a vacuum, before which PostgreSQL keeps old
// versions of rows.
func TestDeletedTextIsInNoTable(t *testing.T) {
	s := ownServer(t)
	migrateTo(t, s)
	storetest.DeleteEverything(t, storeAt(t, s, "ada", postgres.Options{}))
	execute(t, s, `vacuum full`)
	execute(t, s, `checkpoint`)
	err := filepath.WalkDir(filepath.Join(s.Data(), "base"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(storetest.Vanishing)) {
			t.Errorf("found in %s", path)
		}
		return err
	})
	must(t, err)
}

// TestTextIsKeptOnce migrates a database that stored the text of earlier turns with each answer.
func TestTextIsKeptOnce(t *testing.T) {
	s := ownServer(t)
	migrateTo(t, s)
	statements := storetest.FillBeforeTextOnce(t, storeAt(t, s, "ada", postgres.Options{}))
	execute(t, s, `set search_path = confab_data;`+strings.Join(statements, "\n")+`
		drop view confab.answers, confab.sessions;
		alter table answers drop column sent_turns;
		alter table sessions drop column name_turn`)
	script, err := os.ReadFile("migrations/0011_text_once.sql")
	must(t, err)
	must(t, s.Execute(pgtest.Owner, "confab", string(script)))
	migrateTo(t, s) // grants the views to the program's role
	storetest.CheckTextOnce(t, storeAt(t, s, "ada", postgres.Options{}))
}
