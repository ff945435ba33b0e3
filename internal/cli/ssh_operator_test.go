package cli_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

// TestUsersAreListedAndDeleted lists users of a running server and deletes one whose key was taken away.
func TestUsersAreListedAndDeleted(t *testing.T) {
	w := clitest.NewWorld(t, "CONFAB_SSH_COMMANDS=ask")
	users := func(code int, args ...string) clitest.Result {
		return w.Must(code, append([]string{"ssh", "users"}, args...)...)
	}
	if r := users(cli.ExitDone, "list"); r.Out != "" {
		t.Errorf("before anything: %q", r.Out)
	}
	clitest.WantTexts(t, users(cli.ExitUsage, "delete", "anna", "--yes").Err, "no user anna has logged in here")
	s := serve(w, []string{"anna", "bob"})
	if r := s.ask("bob", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	a := s.screen("anna")
	a.sees("Write a prompt")
	got := users(cli.ExitDone, "list").Out
	clitest.WantTexts(t, got, "anna\tlogged in\t", "\nbob\t\t")
	clitest.WantTexts(t, users(cli.ExitDone, "list", "--json").Out, `"user":"anna","logged_in":true,"bytes":`)
	clitest.WantTexts(t, users(cli.ExitUsage, "delete", "../anna", "--yes").Err, "is no name of a user")
	clitest.WantTexts(t, users(cli.ExitUsage, "delete", "anna", "--yes").Err, "anna is logged in")
	must(t, os.Remove(filepath.Join(w.Home, "keys", "anna")))
	a.sees("not authorised here any more")
	a.end()
	clitest.Eventually(t, "the end of the session", func() bool {
		return users(cli.ExitDone, "list").Out[:len("anna\t\t")] == "anna\t\t"
	})
	clitest.WantTexts(t, users(cli.ExitDone, "delete", "anna", "--dry-run").Out, "would delete the files of anna (")
	clitest.WantTexts(t, users(cli.ExitUsage, "delete", "anna").Err, "--yes deletes without asking")
	users(cli.ExitDone, "delete", "anna", "--yes")
	if _, err := os.Stat(s.user("anna")); !os.IsNotExist(err) {
		t.Errorf("the folder stays: %v", err)
	}
	pictures := filepath.Join(s.user("bob"), "files", "pictures")
	must(t, os.MkdirAll(pictures, 0o700))
	theirs, before := filepath.Join(pictures, "theirs.png"), time.Now().Add(-time.Hour)
	for _, err := range []error{os.WriteFile(theirs, nil, 0o600), os.Chtimes(theirs, before, before)} {
		must(t, err)
	}
	clitest.WantTexts(t, users(cli.ExitDone, "sweep", "bob", "--dry-run").Out, "not confab's\t"+theirs)
	clitest.WantTexts(t, users(cli.ExitUsage, "sweep", "anna").Err, "no user anna has logged in here")
	clitest.WantTexts(t, users(cli.ExitUsage, "sweep", "../bob").Err, "is no name of a user")
	users(cli.ExitDone, "delete", "bob", "--yes") // who may come back
	if r := s.ask("bob", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Errorf("%+v", r)
	}
}
