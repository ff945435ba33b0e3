package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"confab/history/postgres/pgtest"
)

// inDatabase starts a PostgreSQL server, makes its tables with confab and returns what the environment needs for it.
func inDatabase(t *testing.T) []string {
	t.Helper()
	pgtest.SkipWithout(t)
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Remove)
	w := newWorld(t)
	owner := server.URL(pgtest.Owner, "confab")
	r := w.must(0, "history", "migrate", "--dry-run", "--url", owner)
	if !strings.HasPrefix(r.out, "would run 0001_first.sql\n") {
		t.Errorf("dry run: %q", r.out)
	}
	if r := w.must(0, "history", "migrate", "--url", owner); !strings.HasPrefix(r.out, "ran 0001_first.sql\n") {
		t.Errorf("migrate: %q", r.out)
	}
	if r := w.must(0, "history", "migrate", "--url", owner); r.out != "the tables are up to date\n" {
		t.Errorf("again: %q", r.out)
	}
	return []string{"CONFAB_HISTORY_URL=" + server.URL(pgtest.Program, "confab"),
		"CONFAB_HISTORY_PASSWORD=hunter2hunter2"}
}

func TestHistoryInADatabase(t *testing.T) {
	environ := inDatabase(t)
	anna := newWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	elsewhere := newWorld(t, append(environ, "CONFAB_HISTORY_USER=anna")...)
	bob := newWorld(t, append(environ, "CONFAB_HISTORY_USER=bob")...)
	anna.must(0, "ask", "-m", "alpha3.1-8b", "--session", "plans", "what only anna knows")
	elsewhere.must(0, "ask", "-m", "alpha3.1-8b", "--session", "plans", "and again")
	r := anna.must(0, "history", "list")
	if strings.Count(r.out, "\n") != 1 || !strings.Contains(r.out, "plans\t2\t2") {
		t.Errorf("list: %q", r.out)
	}
	if r := elsewhere.must(0, "history", "search", "anna"); !strings.Contains(r.out, "what only anna knows") {
		t.Errorf("search: %q", r.out)
	}
	if r := bob.must(0, "history", "list"); r.out != "" {
		t.Errorf("another user sees %q", r.out)
	}
	anna.must(0, "doctor")
	for _, w := range []*world{anna, elsewhere, bob} {
		err := filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
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
	if r := anna.must(0, "config", "show"); strings.Contains(r.out+r.err, "hunter2") {
		t.Errorf("config show holds the password: %s", r.out)
	}
	gone := newWorld(t, "CONFAB_HISTORY_URL=postgres://confab:hunter2@db.example/confab")
	if r := gone.must(2, "history", "list"); strings.Contains(r.err, "hunter2") {
		t.Errorf("an error holds the password: %s", r.err)
	}
}

// Users of confab ssh have their own histories in the database, whichever host they come to.
func TestServedUsersInADatabase(t *testing.T) {
	environ := append(inDatabase(t), "CONFAB_SSH_COMMANDS=ask")
	one := newWorld(t, environ...).serve([]string{"anna", "bob"})
	other := newWorld(t, environ...).serve([]string{"anna", "bob"})
	if r := one.ask("anna", "", "ask -m alpha3.1-8b --session plans 'what only anna knows'"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if r := other.ask("anna", "", "ask -m alpha3.1-8b -C --json 'and then'"); r.code != 0 ||
		!strings.Contains(r.out, `"session":1`) {
		t.Errorf("on another host: %+v", r)
	}
	for _, command := range []string{"ask -m alpha3.1-8b --session s1 hello", "ask -m alpha3.1-8b -C hello"} {
		if r := other.ask("bob", "", command); r.code == 0 {
			t.Errorf("another user: %s: %+v", command, r)
		}
	}
}
