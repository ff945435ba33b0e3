package cli_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/internal/cli/clitest"
)

// makeFilesOld makes everything in a folder look as if it were an hour old.
func makeFilesOld(t *testing.T, dir string) {
	t.Helper()
	at := time.Now().Add(-time.Hour)
	for _, path := range clitest.Files(t, dir) {
		must(t, os.Chtimes(path, at, at))
	}
}

func TestHistorySweep(t *testing.T) {
	picture := clitest.SamplePicture(t)
	s := clitest.NewRemote(t, clitest.AnsweringPicture(picture))
	w := clitest.RemoteWorld(t, s)
	for range 3 {
		w.Must(0, "ask", "-q", "-m", "sim-image", "a lighthouse")
	}
	dir := filepath.Join(w.Home, ".local/share/confab")
	folder := filepath.Join(dir, "pictures")
	clitest.WantTexts(t, w.Must(0, "doctor").Out, "the folder and the history agree")
	r := w.Must(0, "history", "sweep")
	if r.Out != "" || !strings.Contains(r.Err, "nothing to sweep") {
		t.Errorf("got %+v", r)
	}

	// The history is lost and begun anew; one picture of that is moved away.
	all, err := filepath.Glob(filepath.Join(dir, "history.db*"))
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, path := range all {
		must(t, os.Remove(path))
	}
	for range 2 {
		w.Must(0, "ask", "-q", "-m", "sim-image", "a tower")
	}
	find := func(pattern string) string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		return found[0]
	}
	for _, path := range []string{find("0001*.png"), find("0005*.png")} {
		must(t, os.Remove(path))
	}
	mine := filepath.Join(folder, "mine.png")
	clitest.WriteFile(t, mine, picture, 0o600)
	makeFilesOld(t, folder)
	found := w.Must(0, "doctor").Out
	clitest.WantTexts(t, found, "1 file of facts without a picture, 2 pictures that the history does not know",
		"confab history sweep",
		"1 picture of the history has no file", "1 file in the picture folder not made by confab")

	before := len(clitest.Files(t, folder))
	list := w.Must(0, "history", "sweep", "--dry-run").Out
	clitest.WantTexts(t, list, "facts\t"+find("0001*.json"), "picture\t"+find("0002*.png"), "not confab's\t"+mine,
		"no file\ta2 0005")
	clitest.WantTexts(t, w.Must(2, "history", "sweep").Err, "elete 1 file of facts?", "--yes")
	if r := w.OnTerminal(100, "n\n", "history", "sweep", "--pictures"); r.Code != 2 ||
		!strings.Contains(r.Out, "2 pictures with their facts") {
		t.Errorf("ended with %d: %s", r.Code, r.Out)
	}
	if n := len(clitest.Files(t, folder)); n != before {
		t.Errorf("%d files before the yes, want %d", n, before)
	}
	clitest.WantTexts(t, w.Must(0, "history", "sweep", "-y").Err, "Deleted 1 file, ",
		"2 pictures that the history does not know were left; --pictures")
	clitest.WantTexts(t, w.Must(0, "history", "sweep", "-y", "--pictures").Err, "Deleted 4 files, ")
	for _, path := range []string{mine, find("0004*.png"), find("0004*.json"), find("0005*.json")} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	clitest.WantNoTexts(t, w.Must(0, "doctor").Out, "does not know")

	clitest.WantTexts(t, w.Must(0, "history", "rm", "a2", "a1", "-y").Err, "Deleted answer a2")
	var left []string
	for _, path := range clitest.Files(t, folder) {
		if name := filepath.Base(path); name != "mine.png" && name != ".counter" {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		t.Errorf("history rm left %v", left)
	}
}

// TestHistoryRemoveBefore deletes the sessions that were last used before a day.
func TestHistoryRemoveBefore(t *testing.T) {
	w := clitest.NewWorld(t)
	for _, name := range []string{"old", "older", "Prompts you send are listed"} {
		w.Must(0, "ask", "-q", "-m", "phi-2", "--session", name, "text of "+name)
	}
	path := filepath.Join(w.Home, ".local/share/confab/history.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.ExecContext(t.Context(), "update sessions set updated = updated - 50 * 24 * 3600 * 1000 * id")
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	w.Must(0, "ask", "-q", "-m", "phi-2", "--session", "Prompts you send are listed", "more")

	clitest.WantTexts(t, w.Must(2, "history", "rm").Err, "--before DATE")
	clitest.WantTexts(t, w.Must(2, "history", "rm", "s1", "--before", "60d").Err, "not both")
	for _, date := range []string{"soon", "", " ", "2026-13-01"} {
		w.Must(2, "history", "rm", "--yes", "--before", date)
	}
	clitest.WantTexts(t, w.Must(0, "history", "rm", "--before", "2001").Err,
		"No session was last used before 2001-01-01.")
	clitest.WantTexts(t, w.Must(2, "history", "rm", "--before", "60d").Err, "--yes deletes without asking")
	clitest.WantTexts(t, w.OnTerminal(120, "n\n", "history", "rm", "--before", "60d").Out,
		"Delete 1 session last used before ", " for good, with 1 turn, 1 answer and 0 pictures?", "nothing was deleted")
	clitest.WantTexts(t, w.Must(0, "history", "rm", "--before", "60d", "--yes").Err, "Deleted 1 session.")
	clitest.WantTexts(t, w.Must(0, "history", "rm", "--before", "40d", "--yes").Err, "Deleted 1 session.")
	list := w.Must(0, "history", "list").Out
	clitest.WantTexts(t, list, "Prompts you send are listed")
	clitest.WantNoTexts(t, list, "old")
	if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), "text of old") {
		t.Errorf("deleted text is in the file: %v", err)
	}
}
