package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

func TestHistoryInADatabase(t *testing.T) {
	environ := clitest.InDatabase(t)
	anna := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	elsewhere := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	bob := clitest.NewWorld(t, append(environ, "CONFAB_HISTORY_USER=bob")...)
	anna.Must(0, "ask", "-m", "alpha3.1-8b", "--session", "plans", "what only anna knows")
	elsewhere.Must(0, "ask", "-m", "alpha3.1-8b", "--session", "plans", "and again")
	r := anna.Must(0, "history", "list")
	if strings.Count(r.Out, "\n") != 1 || !strings.Contains(r.Out, "plans\t2\t2") {
		t.Errorf("list: %q", r.Out)
	}
	if r := elsewhere.Must(0, "history", "search", "anna"); !strings.Contains(r.Out, "what only anna knows") {
		t.Errorf("search: %q", r.Out)
	}
	if r := bob.Must(0, "history", "list"); r.Out != "" {
		t.Errorf("another user sees %q", r.Out)
	}
	anna.Must(0, "doctor")
	for _, w := range []*clitest.World{anna, elsewhere, bob} {
		err := filepath.WalkDir(w.Home, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if filepath.Ext(path) == ".db" {
				t.Errorf("there is a file %s", path)
			}
			text, err := os.ReadFile(path)
			if strings.Contains(string(text), "hunter2") {
				t.Errorf("%s holds the password", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if r := anna.Must(0, "config", "show"); strings.Contains(r.Out+r.Err, "hunter2") {
		t.Errorf("config show holds the password: %s", r.Out)
	}
	gone := clitest.NewWorld(t, "CONFAB_HISTORY_URL=postgres://confab:hunter2@db.example/confab")
	if r := gone.Must(2, "history", "list"); strings.Contains(r.Err, "hunter2") {
		t.Errorf("an error holds the password: %s", r.Err)
	}
}
