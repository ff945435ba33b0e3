package cli

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/history/sqlite"
	"confab/internal/s3test"
)

// filledWorld is a world with a session of two texts and a picture, whose file it returns.
func filledWorld(t *testing.T, environ ...string) (w *world, picture string) {
	t.Helper()
	w = newWorld(t, environ...)
	w.must(0, "ask", "-q", "-m", "alpha3.1-8b", "--session", "plans", "how high is a lighthouse")
	w.must(0, "ask", "-q", "-m", "alpha3.1-8b", "--session", "plans", "and how wide")
	made := objects(t, w.must(0, "ask", "-m", "sim-image", "--session", "plans", "--json", "a fox").out)[0]
	return w, made["file"].(string)
}

// historyFile returns the path of the history.
func (w *world) historyFile() string { return strings.TrimSpace(w.must(0, "history", "path").out) }

func TestMoveToAFile(t *testing.T) {
	w, picture := filledWorld(t)
	second := objects(t, w.must(0, "ask", "-m", "sim-image", "--json", "a hen").out)[0]["file"].(string)
	third := objects(t, w.must(0, "ask", "-m", "sim-image", "--json", "a cow").out)[0]["file"].(string)
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(third, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := contents(t, filepath.Dir(picture))
	there := filepath.Join(w.home, "there")
	flags := []string{"history", "move", "--json", "--to", filepath.Join(there, "confab", "history.db"),
		"--pictures-to", filepath.Join(there, "confab", "pictures")}
	moved := w.must(0, flags...)
	kinds := map[any]map[string]any{}
	for _, o := range objects(t, moved.out) {
		kinds[o["kind"]] = o
	}
	if kinds["answers"]["rows"] != 5.0 || len(kinds["answers"]["sha256"].(string)) != 64 {
		t.Errorf("answers: %v", kinds["answers"])
	}
	if got := kinds["pictures"]; got["files"] != 4.0 || len(got["missing"].([]any)) != 1 ||
		len(got["damaged"].([]any)) != 1 {
		t.Errorf("pictures: %v", got)
	}
	wantTexts(t, moved.err, filepath.Base(second)+" has no file", filepath.Base(third)+" is not as it was saved")
	after := contents(t, filepath.Dir(picture))
	if len(after) != len(before) || after[picture] != before[picture] {
		t.Error("the source was changed")
	}
	other := newWorld(t, "CONFAB_DATA_DIR="+filepath.Join(there, "confab"))
	want := w.must(0, "history", "show", "plans", "--json").out
	if got := other.must(0, "history", "show", "plans", "--json").out; got != want {
		t.Errorf("the session\n got %s\nwant %s", got, want)
	}
	wantTexts(t, other.must(0, "history", "search", "lighthouse").out, "plans")

	wantTexts(t, w.must(1, flags...).err, "holds something already")
	wantTexts(t, w.must(2, "history", "move").err, "where to?")
	wantTexts(t, w.must(2, "history", "move", "--from", "nowhere.db", "--to", "x.db").err, "there is no history")
	wantTexts(t, w.must(2, "history", "move", "--to", "mysql://me:pw@x/y").err, "must be an address")
	wantTexts(t, w.must(1, "history", "move", "--from", w.historyFile(), "--replace", "--yes").err, "to itself")
	w.must(0, append(flags, "--replace", "--yes")...)

	store, err := sqlite.Open(t.Context(), other.historyFile(), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.SetSetting(t.Context(), "copied from", w.historyFile()); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, other.must(1, "history", "list").err, "run confab history move again")
	w.must(0, flags...)
	other.must(0, "history", "list")
}

func TestMoveOnATerminal(t *testing.T) {
	w, _ := filledWorld(t)
	r := w.onTerminal(100, "", "history", "move", "--to", filepath.Join(w.home, "copy.db"))
	wantTexts(t, r.out, "█", "100%  Checking", "Both histories hold the same.", "answers")
}

func TestMoveToADatabaseAndBack(t *testing.T) {
	environ := inDatabase(t)
	w, _ := filledWorld(t)
	database := strings.TrimPrefix(environ[0], "CONFAB_HISTORY_URL=")
	draft := filepath.Join(".local", "state", "confab", "drafts", "session-1.json")
	if err := os.MkdirAll(filepath.Dir(filepath.Join(w.home, draft)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.home, draft), []byte(`{"text":"not sent yet"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	anna := newWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	w.environ = append(w.environ, environ[1], "CONFAB_HISTORY_USER=anna")
	w.must(0, "history", "move", "--to", database)
	want := w.must(0, "history", "show", "plans", "--json").out
	if got := anna.must(0, "history", "show", "plans", "--json").out; got != want {
		t.Errorf("in the database\n got %s\nwant %s", got, want)
	}
	anna.must(0, "ask", "-q", "-m", "alpha3.1-8b", "--session", "plans", "after the move")
	bob := newWorld(t, append(environ, "CONFAB_HISTORY_USER=bob")...)
	wantNoTexts(t, bob.must(0, "history", "search", "lighthouse").out, "plans")

	back := newWorld(t, environ[1], "CONFAB_HISTORY_USER=anna")
	back.must(0, "history", "move", "--from", database)
	if got := back.must(0, "history", "show", "plans", "--json").out; !strings.HasPrefix(got, want) {
		t.Errorf("back in a file\n got %s\nwant first %s", got, want)
	}
	if got, err := os.ReadFile(filepath.Join(back.home, draft)); string(got) != `{"text":"not sent yet"}` {
		t.Errorf("the draft: %q, %v", got, err)
	}
	wantTexts(t, anna.must(2, "history", "backup", "x.db").err, "pg_dump")
	wantTexts(t, anna.must(2, "history", "restore", "x.db").err, "pg_restore")
}

func TestMovePicturesToABucketAndBack(t *testing.T) {
	server := s3test.Start(t)
	w, picture := filledWorld(t, "CONFAB_PICTURES_KEY="+s3test.Key)
	w.must(0, "history", "move", "--pictures-to", server.URL("team"))
	before := contents(t, filepath.Dir(picture))
	got := server.Objects("team")
	if len(got) != 2 || string(got[filepath.Base(picture)]) != before[picture] {
		t.Errorf("%d objects", len(got))
	}
	w.must(0, "history", "move", "--pictures-to", server.URL("team")) // it is there already
	back := filepath.Join(w.home, "back")
	if err := os.Remove(picture); err != nil {
		t.Fatal(err)
	}
	w.must(0, "history", "move", "--pictures-from", server.URL("team"), "--pictures-to", back)
	for path, content := range contents(t, back) {
		if content != before[filepath.Join(filepath.Dir(picture), filepath.Base(path))] {
			t.Errorf("%s is not as it was", path)
		}
	}
	if err := os.WriteFile(filepath.Join(back, filepath.Base(picture)), []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := w.must(1, "history", "move", "--pictures-from", server.URL("team"), "--pictures-to", back)
	wantTexts(t, refused.err, filepath.Base(picture)+" was not copied", "1 file is of that name")
}

func TestBackupAndRestore(t *testing.T) {
	w, picture := filledWorld(t)
	file, folder := filepath.Join(w.home, "backup.db"), filepath.Join(w.home, "pictures of the backup")
	made := w.must(0, "history", "backup", file, "--pictures", folder)
	if made.out != file+"\n" || len(contents(t, folder)) != 2 {
		t.Errorf("backup: %q, %d files", made.out, len(contents(t, folder)))
	}
	wantTexts(t, w.must(2, "history", "backup", file).err, "is there already")
	database := newWorld(t, "CONFAB_HISTORY_URL=postgres://confab@db.example/confab")
	wantTexts(t, database.must(2, "history", "backup", file+"2").err, "pg_dump", "(usage)")
	wantTexts(t, database.must(2, "history", "restore", file).err, "pg_restore", "(usage)")
	want := w.must(0, "history", "show", "plans", "--json").out
	w.must(0, "history", "rm", "--yes", "plans")
	if _, err := os.Stat(picture); err == nil {
		t.Error("the picture was not deleted")
	}

	store, err := sqlite.Open(t.Context(), w.historyFile(), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantTexts(t, w.must(1, "history", "restore", file).err, "another confab has the history open")
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	restored := w.must(0, "history", "restore", file, "--pictures", folder)
	wantTexts(t, restored.err, "The former history is "+w.historyFile()+".before.")
	if got := w.must(0, "history", "show", "plans", "--json").out; got != want {
		t.Errorf("restored\n got %s\nwant %s", got, want)
	}
	wantTexts(t, w.must(0, "history", "sweep", "--dry-run").err, "")
	if _, err := os.Stat(picture); err != nil {
		t.Error(err)
	}

	if err := os.WriteFile(file, []byte(strings.Repeat("broken", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, w.must(1, "history", "restore", file).err, "is damaged or is no backup", "nothing was changed")
	wantTexts(t, w.must(2, "history", "restore", "nowhere").err, "there is no file")
	wantTexts(t, newWorld(t).must(2, "history", "backup", "x.db").err, "there is no history yet")
}

// TestAnOldHistoryIsNotReplacedByItself names a history of an earlier release, which is read from a copy, in two ways.
func TestAnOldHistoryIsNotReplacedByItself(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", "history", "sqlite", "testdata", "0001.sql"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	path := filepath.Join(w.home, "old.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), string(script)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(w.home, "other.db")
	if err := os.Link(path, other); err != nil {
		t.Skip(err)
	}
	wantTexts(t, w.must(1, "history", "move", "--from", path, "--to", other, "--replace", "--yes").err, "to itself")
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the history was changed, %v", err)
	}
}
