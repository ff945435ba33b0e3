package postgres_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/history/postgres"
	"confab/history/storetest"
)

// TestDeletedTextIsInNoTable looks into the files of the database after its space was tidied: until then PostgreSQL
// keeps old versions of rows.
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
	if err != nil {
		t.Error(err)
	}
}

// TestTextIsKeptOnce brings a database up to date that kept the text of earlier turns with each answer.
func TestTextIsKeptOnce(t *testing.T) {
	s := ownServer(t)
	migrateTo(t, s)
	statements := storetest.FillBeforeTextOnce(t, storeAt(t, s, "ada", postgres.Options{}))
	execute(t, s, `set search_path = confab_data;`+strings.Join(statements, "\n")+`
		drop view confab.answers, confab.sessions;
		alter table answers drop column sent_turns;
		alter table answers drop column queue_wait;
		alter table sessions drop column name_turn;
		delete from migrations where version > 10`)
	migrateTo(t, s)
	storetest.CheckTextOnce(t, storeAt(t, s, "ada", postgres.Options{}))
}
