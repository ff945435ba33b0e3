package cli

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/internal/cli/app"
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
	w := newWorld(t)
	w.configure("[history]\nkeep = '90d'\n[ssh]\ncommands = ['ask']\n" +
		"[ssh.groups.brief]\nusers = ['bob']\nkeep = '10d'\n")
	s := w.serve([]string{"anna", "bob", "carla"})
	for user := range s.keys {
		if r := s.ask(user, "", "ask -m sim-image a fox"); r.code != 0 {
			t.Fatalf("%+v", r)
		}
		if r := s.ask(user, "", "ask -m phi-2 hello"); r.code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	s.stop()
	users := func(args ...string) result {
		return w.must(console.ExitDone, append([]string{"ssh", "users"}, args...)...)
	}
	pictures := func(user string) int {
		found, _ := filepath.Glob(filepath.Join(s.user(user), "files", "pictures", "*.png"))
		return len(found)
	}
	for user := range s.keys {
		age(t, filepath.Join(s.user(user), "history.db"), 30)
	}
	if r := users("prune", "--dry-run"); !strings.HasPrefix(r.out, "bob\t2 sessions, 0 turns of other sessions, "+
		"2 answers and 1 picture (") || strings.Count(r.out, "\n") != 1 || pictures("bob") != 1 {
		t.Errorf("after 30 days: %q", r.out)
	}
	users("hold", "anna")
	for user := range s.keys {
		age(t, filepath.Join(s.user(user), "history.db"), 70)
	}
	wantNoTexts(t, users("prune", "--dry-run").out, "anna")
	users("prune", "bob")
	if pictures("anna") != 1 || pictures("bob") != 0 || pictures("carla") != 1 {
		t.Errorf("%d, %d and %d pictures are left", pictures("anna"), pictures("bob"), pictures("carla"))
	}
	users("disable", "anna")
	wantTexts(t, w.must(console.ExitUsage, "ssh", "users", "delete", "anna", "--yes").err, "anna is on legal hold")

	s.start()
	eventually(t, "the deletion", func() bool {
		return strings.Contains(s.said.String(), "Deleted what was kept for too long\" user=carla sessions=2")
	})
	s.stop()
	if pictures("anna") != 1 || pictures("carla") != 0 {
		t.Errorf("%d and %d pictures are left", pictures("anna"), pictures("carla"))
	}
	users("release", "anna")
	wantTexts(t, users("prune").out, "anna\t2 sessions")
	if r := users("prune", "--dry-run"); r.out != "" {
		t.Errorf("is still to go: %q", r.out)
	}
}

func TestOwnHistoryIsPruned(t *testing.T) {
	w := newWorld(t)
	w.must(console.ExitDone, "ask", "-m", "phi-2", "old")
	path := filepath.Join(w.home, ".local", "share", "confab", "history.db")
	wantTexts(t, w.must(console.ExitUsage, "history", "prune").err,
		"history.keep is not set; give a time, such as --keep 90d")
	age(t, path, 50)
	dry := []string{"history", "prune", "--keep", "30d", "--dry-run"}
	wantTexts(t, w.must(console.ExitDone, dry...).out,
		"1 session, 0 turns of other sessions, 1 answer and 0 pictures (0 B)")
	wantTexts(t, w.must(console.ExitUsage, "history", "prune", "--keep", "30d").err, "--yes deletes without asking")
	w.must(console.ExitDone, "history", "prune", "--keep", "30d", "--yes")
	w.must(console.ExitDone, "ask", "-m", "phi-2", "newer")
	wantTexts(t, w.must(console.ExitDone, dry...).out, "0 sessions")

	age(t, path, 50)
	w.configure("[history]\nkeep = '30d'\n")
	wantTexts(t, w.must(console.ExitDone, "history", "prune", "--dry-run").out, ": 1 session,")
	if r := w.must(console.ExitDone, "history", "list"); r.out != "" { // every start deletes
		t.Errorf("%q", r.out)
	}
}

// TestAHoldInADatabase keeps the history of a user from being deleted, also where the user is not served.
func TestAHoldInADatabase(t *testing.T) {
	w := newWorld(t, append(inDatabase(t), "CONFAB_HISTORY_USER=anna")...)
	w.must(console.ExitDone, "ask", "-m", "phi-2", "hello")
	w.must(console.ExitDone, "ssh", "users", "hold", "anna")
	wantTexts(t, w.must(console.ExitUsage, "history", "rm", "--yes", "s1").err, "this history is on legal hold")
	w.must(console.ExitDone, "ssh", "users", "release", "anna")
	w.must(console.ExitDone, "history", "rm", "--yes", "s1")
}

// TestHistoriesOfUnknownGroupsStay has a user whose group comes with the key, and who has asked before it was noted.
func TestHistoriesOfUnknownGroupsStay(t *testing.T) {
	w := newWorld(t)
	w.configure("[history]\nkeep = '90d'\n[ssh]\ncommands = ['ask']\n[ssh.groups.records]\nkeep = '3650d'\n" +
		"[ssh.groups.brief]\nusers = ['bob']\nkeep = '10d'\n")
	s := w.serve([]string{"anna", "bob"})
	for user := range s.keys {
		if r := s.ask(user, "", "ask -m phi-2 hello"); r.code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	s.stop()
	for user := range s.keys {
		age(t, filepath.Join(s.user(user), "history.db"), 100)
	}
	wantTexts(t, w.must(console.ExitDone, "ssh", "users", "prune", "--dry-run").out, "anna\t1 session",
		"bob\t1 session")
	if err := os.Remove(filepath.Join(w.home, ".local", "share", "confab", app.AccountsFile)); err != nil {
		t.Fatal(err)
	}
	w.must(console.ExitDone, "ssh", "users", "hold", "anna")
	w.must(console.ExitDone, "ssh", "users", "release", "anna")
	if r := w.must(console.ExitDone, "ssh", "users", "prune"); r.out != "" {
		t.Errorf("of users who may be in the group of records went %q", r.out)
	}
}
