package cli_test

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/history/sqlite"
	"confab/internal/cli/clitest"
	"confab/internal/s3test"
)

// filledWorld is a world with a session of two texts and a picture, whose file it returns.
func filledWorld(t *testing.T, environ ...string) (w *clitest.World, picture string) {
	t.Helper()
	w = clitest.NewWorld(t, environ...)
	w.Must(0, "ask", "-q", "-m", "alpha3.1-8b", "--session", "plans", "how high is a lighthouse")
	w.Must(0, "ask", "-q", "-m", "alpha3.1-8b", "--session", "plans", "and how wide")
	made := clitest.Objects(t, w.Must(0, "ask", "-m", "sim-image", "--session", "plans", "--json", "a fox").Out)[0]
	return w, made["file"].(string)
}

// historyFile returns the path of the history.
func historyFile(w *clitest.World) string { return strings.TrimSpace(w.Must(0, "history", "path").Out) }

func TestMoveToAFile(t *testing.T) {
	w, picture := filledWorld(t)
	second := clitest.Objects(t, w.Must(0, "ask", "-m", "sim-image", "--json", "a hen").Out)[0]["file"].(string)
	third := clitest.Objects(t, w.Must(0, "ask", "-m", "sim-image", "--json", "a cow").Out)[0]["file"].(string)
	must(t, os.Remove(second))
	clitest.WriteFile(t, third, "damaged", 0o600)
	before := clitest.Contents(t, filepath.Dir(picture))
	there := filepath.Join(w.Home, "there")
	flags := []string{"history", "move", "--json", "--to", filepath.Join(there, "confab", "history.db"),
		"--pictures-to", filepath.Join(there, "confab", "pictures")}
	moved := w.Must(0, flags...)
	kinds := map[any]map[string]any{}
	for _, o := range clitest.Objects(t, moved.Out) {
		kinds[o["kind"]] = o
	}
	if kinds["answers"]["rows"] != 5.0 || len(kinds["answers"]["sha256"].(string)) != 64 {
		t.Errorf("answers: %v", kinds["answers"])
	}
	if got := kinds["pictures"]; got["files"] != 4.0 || len(got["missing"].([]any)) != 1 ||
		len(got["damaged"].([]any)) != 1 {
		t.Errorf("pictures: %v", got)
	}
	clitest.WantTexts(t, moved.Err, filepath.Base(second)+" has no file",
		filepath.Base(third)+" is not as it was saved")
	after := clitest.Contents(t, filepath.Dir(picture))
	if len(after) != len(before) || after[picture] != before[picture] {
		t.Error("the source was changed")
	}
	other := clitest.NewWorld(t, "CONFAB_DATA_DIR="+filepath.Join(there, "confab"))
	want := w.Must(0, "history", "show", "plans", "--json").Out
	if got := other.Must(0, "history", "show", "plans", "--json").Out; got != want {
		t.Errorf("the session\n got %s\nwant %s", got, want)
	}
	clitest.WantTexts(t, other.Must(0, "history", "search", "lighthouse").Out, "plans")

	clitest.WantTexts(t, w.Must(1, flags...).Err, "holds something already")
	clitest.WantTexts(t, w.Must(2, "history", "move").Err, "where to?")
	clitest.WantTexts(t, w.Must(2, "history", "move", "--from", "nowhere.db", "--to", "x.db").Err,
		"there is no history")
	clitest.WantTexts(t, w.Must(2, "history", "move", "--to", "mysql://me:pw@x/y").Err, "must be an address")
	clitest.WantTexts(t, w.Must(1, "history", "move", "--from", historyFile(w), "--replace", "--yes").Err, "to itself")
	w.Must(0, append(flags, "--replace", "--yes")...)

	store, err := sqlite.Open(t.Context(), historyFile(other), sqlite.Options{})
	must(t, err)
	defer store.Close()
	must(t, store.SetSetting(t.Context(), "copied from", historyFile(w)))
	clitest.WantTexts(t, other.Must(1, "history", "list").Err, "run confab history move again")
	w.Must(0, flags...)
	other.Must(0, "history", "list")
}

func TestMoveOnATerminal(t *testing.T) {
	w, _ := filledWorld(t)
	r := w.OnTerminal(100, "", "history", "move", "--to", filepath.Join(w.Home, "copy.db"))
	clitest.WantTexts(t, r.Out, "█", "100%  Checking", "Both histories hold the same.", "answers")
}

func TestMoveToADatabaseAndBack(t *testing.T) {
	environ := clitest.InDatabase(t)
	w, _ := filledWorld(t)
	database := strings.TrimPrefix(environ[0], "CONFAB_HISTORY_URL=")
	draft := filepath.Join(".local", "state", "confab", "drafts", "session-1.json")
	clitest.WriteFile(t, filepath.Join(w.Home, draft), `{"text":"not sent yet"}`, 0o600)
	anna := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	w.Environ = append(w.Environ, environ[1], "CONFAB_HISTORY_USER=anna")
	w.Must(0, "history", "move", "--to", database)
	want := w.Must(0, "history", "show", "plans", "--json").Out
	if got := anna.Must(0, "history", "show", "plans", "--json").Out; got != want {
		t.Errorf("in the database\n got %s\nwant %s", got, want)
	}
	anna.Must(0, "ask", "-q", "-m", "alpha3.1-8b", "--session", "plans", "after the move")
	bob := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=bob")...)
	clitest.WantNoTexts(t, bob.Must(1, "history", "search", "lighthouse").Out, "plans")

	back := clitest.NewWorld(t, environ[1], "CONFAB_HISTORY_USER=anna")
	back.Must(0, "history", "move", "--from", database)
	if got := back.Must(0, "history", "show", "plans", "--json").Out; !strings.HasPrefix(got, want) {
		t.Errorf("back in a file\n got %s\nwant first %s", got, want)
	}
	if got, err := os.ReadFile(filepath.Join(back.Home, draft)); string(got) != `{"text":"not sent yet"}` {
		t.Errorf("the draft: %q, %v", got, err)
	}
	clitest.WantTexts(t, anna.Must(2, "history", "backup", "x.db").Err, "pg_dump")
	clitest.WantTexts(t, anna.Must(2, "history", "restore", "x.db").Err, "pg_restore")
}

func TestMovePicturesToABucketAndBack(t *testing.T) {
	server := s3test.Start(t)
	w, picture := filledWorld(t, "CONFAB_PICTURES_KEY="+s3test.Key)
	w.Must(0, "history", "move", "--pictures-to", server.URL("team"))
	before := clitest.Contents(t, filepath.Dir(picture))
	got := server.Objects("team")
	if len(got) != 2 || string(got[filepath.Base(picture)]) != before[picture] {
		t.Errorf("%d objects", len(got))
	}
	w.Must(0, "history", "move", "--pictures-to", server.URL("team")) // it is there already
	back := filepath.Join(w.Home, "back")
	must(t, os.Remove(picture))
	w.Must(0, "history", "move", "--pictures-from", server.URL("team"), "--pictures-to", back)
	for path, content := range clitest.Contents(t, back) {
		if content != before[filepath.Join(filepath.Dir(picture), filepath.Base(path))] {
			t.Errorf("%s is not as it was", path)
		}
	}
	clitest.WriteFile(t, filepath.Join(back, filepath.Base(picture)), "another", 0o600)
	refused := w.Must(1, "history", "move", "--pictures-from", server.URL("team"), "--pictures-to", back)
	clitest.WantTexts(t, refused.Err, filepath.Base(picture)+" was not copied", "1 file is of that name")
}

func TestBackupAndRestore(t *testing.T) {
	w, picture := filledWorld(t)
	file, folder := filepath.Join(w.Home, "backup.db"), filepath.Join(w.Home, "pictures of the backup")
	made := w.Must(0, "history", "backup", file, "--pictures", folder)
	if made.Out != file+"\n" || len(clitest.Contents(t, folder)) != 2 {
		t.Errorf("backup: %q, %d files", made.Out, len(clitest.Contents(t, folder)))
	}
	clitest.WantTexts(t, w.Must(2, "history", "backup", file).Err, "a file of this name exists")
	database := clitest.NewWorld(t, "CONFAB_HISTORY_URL=postgres://confab@db.example/confab")
	clitest.WantTexts(t, database.Must(2, "history", "backup", file+"2").Err, "pg_dump", "(usage)")
	clitest.WantTexts(t, database.Must(2, "history", "restore", file).Err, "pg_restore", "(usage)")
	want := w.Must(0, "history", "show", "plans", "--json").Out
	w.Must(0, "history", "rm", "--yes", "plans")
	if _, err := os.Stat(picture); err == nil {
		t.Error("the picture was not deleted")
	}

	store, err := sqlite.Open(t.Context(), historyFile(w), sqlite.Options{})
	must(t, err)
	clitest.WantTexts(t, w.Must(1, "history", "restore", file).Err, "another confab has the history open")
	must(t, store.Close())
	restored := w.Must(0, "history", "restore", file, "--pictures", folder)
	clitest.WantTexts(t, restored.Err, "The former history is "+historyFile(w)+".before.")
	if got := w.Must(0, "history", "show", "plans", "--json").Out; got != want {
		t.Errorf("restored\n got %s\nwant %s", got, want)
	}
	clitest.WantTexts(t, w.Must(0, "history", "sweep", "--dry-run").Err, "")
	if _, err := os.Stat(picture); err != nil {
		t.Error(err)
	}

	clitest.WriteFile(t, file, strings.Repeat("broken", 1000), 0o600)
	clitest.WantTexts(t, w.Must(1, "history", "restore", file).Err, "is damaged or is no backup", "nothing was changed")
	clitest.WantTexts(t, w.Must(2, "history", "restore", "nowhere").Err, "there is no file")
	clitest.WantTexts(t, clitest.NewWorld(t).Must(2, "history", "backup", "x.db").Err, "there is no history yet")
}

// TestAnOldHistoryIsNotReplacedByItself names a history of an earlier release, which is read from a copy, in two ways.
func TestAnOldHistoryIsNotReplacedByItself(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", "history", "sqlite", "testdata", "0001.sql"))
	must(t, err)
	w := clitest.NewWorld(t)
	path := filepath.Join(w.Home, "old.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	if _, err := db.ExecContext(t.Context(), string(script)); err != nil {
		t.Fatal(err)
	}
	must(t, db.Close())
	before, err := os.ReadFile(path)
	must(t, err)
	other := filepath.Join(w.Home, "other.db")
	if err := os.Link(path, other); err != nil {
		t.Skip(err)
	}
	clitest.WantTexts(t, w.Must(1, "history", "move", "--from", path, "--to", other, "--replace", "--yes").Err,
		"to itself")
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the history was changed, %v", err)
	}
}

// TestMoveReplacesNoOtherDraft copies a history to a machine that has another draft of one of its sessions.
func TestMoveReplacesNoOtherDraft(t *testing.T) {
	environ := clitest.InDatabase(t)
	database := strings.TrimPrefix(environ[0], "CONFAB_HISTORY_URL=")
	drafts := filepath.Join(".local", "state", "confab", "drafts")
	write := func(w *clitest.World, text string) (path string) {
		folder := filepath.Join(w.Home, drafts)
		must(t, os.MkdirAll(folder, 0o700))
		path = filepath.Join(folder, "session-1.json")
		clitest.WriteFile(t, path, text, 0o600)
		return path
	}
	w, _ := filledWorld(t, environ[1], "CONFAB_HISTORY_USER=anna")
	write(w, `{"text":"moved"}`)
	w.Must(0, "history", "move", "--to", database)

	back := clitest.NewWorld(t, environ[1], "CONFAB_HISTORY_USER=anna")
	path := write(back, `{"text":"of here"}`)
	moved := back.Must(0, "history", "move", "--from", database)
	clitest.WantTexts(t, moved.Err, "the draft of session s1 was not copied")
	if got, err := os.ReadFile(path); string(got) != `{"text":"of here"}` {
		t.Errorf("the draft: %q, %v", got, err)
	}
	back.Must(0, "history", "move", "--from", database, "--replace", "--yes")
	if got, err := os.ReadFile(path); string(got) != `{"text":"moved"}` {
		t.Errorf("the draft: %q, %v", got, err)
	}
}

// TestMoveNamesTheFolderThatCannotBeWritten to.
func TestMoveNamesTheFolderThatCannotBeWritten(t *testing.T) {
	w, picture := filledWorld(t)
	clitest.WantTexts(t, w.Must(1, "history", "move", "--pictures-to", filepath.Join(picture, "there")).Err,
		"could not write into the folder "+filepath.Join(picture, "there")+
			": a file stands where a folder should be (disk)")
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	closed := filepath.Join(w.Home, "closed")
	must(t, os.Mkdir(closed, 0o500))
	for _, to := range []string{filepath.Join(closed, "h.db"), filepath.Join(closed, "new", "h.db")} {
		clitest.WantTexts(t, w.Must(1, "history", "move", "--to", to).Err,
			"the history "+to+" cannot be written; make it and its folder "+filepath.Dir(to)+" writable")
	}
	clitest.WantTexts(t, w.Must(1, "history", "move", "--pictures-to", closed).Err,
		"could not write into the folder "+closed+": the folder or file may not be written")
}
