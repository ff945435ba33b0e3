package sqlite_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/history"
	"confab/history/sqlite"
	"confab/history/storetest"
)

// grep returns the files of a folder that contain a text.
func grep(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v in %s, %v", files, dir, err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		must(t, err)
		if bytes.Contains(data, []byte(text)) {
			found = append(found, path)
		}
	}
	return found
}

// TestDeletedTextIsInNoFile reads the files, including the -wal file, while two connections have the store open.
func TestDeletedTextIsInNoFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s, other := open(t, path, sqlite.Options{}), open(t, path, sqlite.Options{})
	must(t, errorOf(other.Search(t.Context(), history.Query{Text: storetest.Vanishing})))
	storetest.DeleteEverything(t, s)
	// The index splits words into a common prefix and the rest.
	for _, text := range []string{storetest.Vanishing, storetest.Vanishing[3:]} {
		if found := grep(t, filepath.Dir(path), text); len(found) > 0 {
			t.Errorf("%q is found in %v", text, found)
		}
	}
	must(t, other.Check(t.Context()))
}

// TestTextIsKeptOnce migrates a store that kept the text of earlier turns with each answer.
func TestTextIsKeptOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	must(t, err)
	statements := storetest.FillBeforeTextOnce(t, s)
	must(t, s.Close())
	script, err := os.ReadFile("migrations/0014_text_once.sql")
	must(t, err)
	do(t, path, strings.Join(statements, "\n")+`
		alter table answers drop column sent_turns;
		alter table sessions drop column name_turn;
		pragma secure_delete = 1;`+string(script))
	s = open(t, path, sqlite.Options{})
	if found := grep(t, filepath.Dir(path), "vanished"); len(found) > 0 {
		t.Errorf("found in %v", found)
	}
	storetest.CheckTextOnce(t, s)
}
