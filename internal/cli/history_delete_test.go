package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// makeFilesOld makes everything in a folder look as if it were an hour old.
func makeFilesOld(t *testing.T, dir string) {
	t.Helper()
	at := time.Now().Add(-time.Hour)
	for _, path := range files(t, dir) {
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHistorySweep(t *testing.T) {
	picture := samplePicture(t)
	s := newRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) { _, _ = w.Write(picture) })
	w := remoteWorld(t, s)
	for range 3 {
		w.must(0, "ask", "-q", "-m", "sim-image", "a lighthouse")
	}
	dir := filepath.Join(w.home, ".local/share/confab")
	folder := filepath.Join(dir, "pictures")
	wantTexts(t, w.must(0, "doctor").out, "the folder and the history agree")
	r := w.must(0, "history", "sweep")
	if r.out != "" || !strings.Contains(r.err, "nothing to sweep") {
		t.Errorf("got %+v", r)
	}

	// The history is lost and begun anew; one picture of that is moved away.
	all, err := filepath.Glob(filepath.Join(dir, "history.db*"))
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, path := range all {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		w.must(0, "ask", "-q", "-m", "sim-image", "a tower")
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
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	mine := filepath.Join(folder, "mine.png")
	if err := os.WriteFile(mine, picture, 0o600); err != nil {
		t.Fatal(err)
	}
	makeFilesOld(t, folder)
	found := w.must(0, "doctor").out
	wantTexts(t, found, "1 file of facts without a picture, 2 pictures that the history does not know",
		"confab history sweep",
		"1 picture of the history has no file", "1 file is in the picture folder not confab's")

	before := len(files(t, folder))
	list := w.must(0, "history", "sweep", "--dry-run").out
	wantTexts(t, list, "facts\t"+find("0001*.json"), "picture\t"+find("0002*.png"), "not confab's\t"+mine,
		"no file\ta2 0005")
	wantTexts(t, w.must(2, "history", "sweep").err, "elete 1 file of facts?", "--yes")
	if r := w.onTerminal(100, "n\n", "history", "sweep", "--pictures"); r.code != 2 ||
		!strings.Contains(r.out, "2 pictures with their facts") {
		t.Errorf("ended with %d: %s", r.code, r.out)
	}
	if n := len(files(t, folder)); n != before {
		t.Errorf("%d files before the yes, want %d", n, before)
	}
	wantTexts(t, w.must(0, "history", "sweep", "-y").err, "Deleted 1 file, ",
		"2 pictures that the history does not know were left; --pictures")
	wantTexts(t, w.must(0, "history", "sweep", "-y", "--pictures").err, "Deleted 4 files, ")
	for _, path := range []string{mine, find("0004*.png"), find("0004*.json"), find("0005*.json")} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	wantNoTexts(t, w.must(0, "doctor").out, "does not know")

	wantTexts(t, w.must(0, "history", "rm", "a2", "a1", "-y").err, "Deleted answer a2")
	var left []string
	for _, path := range files(t, folder) {
		if name := filepath.Base(path); name != "mine.png" && name != ".counter" {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		t.Errorf("history rm left %v", left)
	}
}
