package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
)

// TestMoveReplacesNoOtherDraft copies a history to a machine that has another draft of one of its sessions.
func TestMoveReplacesNoOtherDraft(t *testing.T) {
	environ := clitest.InDatabase(t)
	database := strings.TrimPrefix(environ[0], "CONFAB_HISTORY_URL=")
	drafts := filepath.Join(".local", "state", "confab", "drafts")
	write := func(w *clitest.World, text string) (path string) {
		folder := filepath.Join(w.Home, drafts)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(folder, "session-1.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
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
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{filepath.Join(closed, "h.db"), filepath.Join(closed, "new", "h.db")} {
		clitest.WantTexts(t, w.Must(1, "history", "move", "--to", to).Err,
			"the history "+to+" cannot be written; make it and its folder "+filepath.Dir(to)+" writable")
	}
	clitest.WantTexts(t, w.Must(1, "history", "move", "--pictures-to", closed).Err,
		"could not write into the folder "+closed+": the folder or file may not be written")
}
