package servers_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/internal/cli/app"
	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
)

// age makes everything in a history older.
func age(t *testing.T, path string, days int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	by := (time.Duration(days) * 24 * time.Hour).Milliseconds()
	for _, statement := range []string{"update sessions set created = created - ?1, updated = updated - ?1",
		"update turns set created = created - ?1", "update answers set queued = queued - ?1"} {
		if _, err := db.ExecContext(t.Context(), statement, by); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOldHistoriesOfUsersAreDeleted has a user who is on hold, one whose group keeps less, and one in neither.
func TestOldHistoriesOfUsersAreDeleted(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Configure("[history]\nkeep = '90d'\n[ssh]\ncommands = ['ask']\n" +
		"[ssh.groups.brief]\nusers = ['bob']\nkeep = '10d'\n")
	s := serve(w, []string{"anna", "bob", "carla"})
	for user := range s.keys {
		if r := s.ask(user, "", "ask -m sim-image a fox"); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
		if r := s.ask(user, "", "ask -m phi-2 hello"); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	s.stop()
	users := func(args ...string) clitest.Result {
		return w.Must(console.ExitDone, append([]string{"ssh", "users"}, args...)...)
	}
	pictures := func(user string) int {
		found, _ := filepath.Glob(filepath.Join(s.user(user), "files", "pictures", "*.png"))
		return len(found)
	}
	for user := range s.keys {
		age(t, filepath.Join(s.user(user), "history.db"), 30)
	}
	if r := users("prune", "--dry-run"); !strings.HasPrefix(r.Out, "bob\t2 sessions, 0 turns of other sessions, "+
		"2 answers and 1 picture (") || strings.Count(r.Out, "\n") != 1 || pictures("bob") != 1 {
		t.Errorf("after 30 days: %q", r.Out)
	}
	users("hold", "anna")
	for user := range s.keys {
		age(t, filepath.Join(s.user(user), "history.db"), 70)
	}
	clitest.WantNoTexts(t, users("prune", "--dry-run").Out, "anna")
	users("prune", "bob")
	if pictures("anna") != 1 || pictures("bob") != 0 || pictures("carla") != 1 {
		t.Errorf("%d, %d and %d pictures are left", pictures("anna"), pictures("bob"), pictures("carla"))
	}
	users("disable", "anna")
	clitest.WantTexts(t, w.Must(console.ExitUsage, "ssh", "users", "delete", "anna", "--yes").Err,
		"anna is on legal hold")

	s.start()
	clitest.Eventually(t, "the deletion", func() bool {
		return strings.Contains(s.said.String(), "Deleted what was kept for too long\" user=carla sessions=2")
	})
	s.stop()
	if pictures("anna") != 1 || pictures("carla") != 0 {
		t.Errorf("%d and %d pictures are left", pictures("anna"), pictures("carla"))
	}
	users("release", "anna")
	clitest.WantTexts(t, users("prune").Out, "anna\t2 sessions")
	if r := users("prune", "--dry-run"); r.Out != "" || !strings.Contains(r.Err, "Nothing is older than it may be.") {
		t.Errorf("is still to go: %q", r.Out)
	}
}

// TestAHoldInADatabase keeps the history of a user from being deleted, also where the user is not served.
func TestAHoldInADatabase(t *testing.T) {
	w := clitest.NewWorld(t, append(clitest.InDatabase(t), "CONFAB_HISTORY_USER=anna")...)
	w.Must(console.ExitDone, "ask", "-m", "phi-2", "hello")
	w.Must(console.ExitDone, "ssh", "users", "hold", "anna")
	clitest.WantTexts(t, w.Must(console.ExitUsage, "history", "rm", "--yes", "s1").Err, "this history is on legal hold")
	w.Must(console.ExitDone, "ssh", "users", "release", "anna")
	w.Must(console.ExitDone, "history", "rm", "--yes", "s1")
}

// TestHistoriesOfUnknownGroupsStay has a user whose group comes with the key, and who has asked before it was noted.
func TestHistoriesOfUnknownGroupsStay(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Configure("[history]\nkeep = '90d'\n[ssh]\ncommands = ['ask']\n[ssh.groups.records]\nkeep = '3650d'\n" +
		"[ssh.groups.brief]\nusers = ['bob']\nkeep = '10d'\n")
	s := serve(w, []string{"anna", "bob"})
	for user := range s.keys {
		if r := s.ask(user, "", "ask -m phi-2 hello"); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	s.stop()
	for user := range s.keys {
		age(t, filepath.Join(s.user(user), "history.db"), 100)
	}
	clitest.WantTexts(t, w.Must(console.ExitDone, "ssh", "users", "prune", "--dry-run").Out, "anna\t1 session",
		"bob\t1 session")
	if err := os.Remove(filepath.Join(w.Home, ".local", "share", "confab", app.AccountsFile)); err != nil {
		t.Fatal(err)
	}
	w.Must(console.ExitDone, "ssh", "users", "hold", "anna")
	w.Must(console.ExitDone, "ssh", "users", "release", "anna")
	if r := w.Must(console.ExitDone, "ssh", "users", "prune"); r.Out != "" {
		t.Errorf("of users who may be in the group of records went %q", r.Out)
	}
}
