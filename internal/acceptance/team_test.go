//go:build !windows

package acceptance

import (
	"testing"
	"time"

	"confab/history/postgres/pgtest"
	"confab/internal/testflags"
)

// database is a PostgreSQL server with the tables of a history.
type database struct{ *pgtest.Server }

// startDatabase skips the test where PostgreSQL is not installed.
func startDatabase(t testing.TB, settings ...string) database {
	t.Helper()
	pgtest.SkipWithout(t)
	d, err := pgtest.Start(settings...)
	must(t, err)
	t.Cleanup(d.Remove)
	migrate := newHome(t).command("history", "migrate", "--url", d.URL(pgtest.Owner, "confab"))
	if out, err := migrate.CombinedOutput(); err != nil {
		t.Fatalf("migrate: %v\n%s", err, out)
	}
	return database{d}
}

// safely are the settings of a server that loses nothing when it is killed.
var safely = []string{"fsync=on", "synchronous_commit=on", "full_page_writes=on"}

// url is how confab reaches the database.
func (d database) url() string { return d.URL(pgtest.Program, "confab") }

// environ is the environment of a user of the database.
func (d database) environ(user string) []string {
	return []string{"CONFAB_HISTORY_URL=" + d.url(), "CONFAB_HISTORY_USER=" + user}
}

// noticed is how long an entry must have been seen before keys act on it.
const noticed = 500 * time.Millisecond

// TestTwoUsersShareASession has two users on two terminals with one database: what one shares the other finds, reads
// and copies, and cannot change; it closes when it is not shared any more.
func TestTwoUsersShareASession(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("starts a database")
	}
	d := startDatabase(t)
	anna := newHome(t, d.environ("anna")...).open(120, 40)
	bob := newHome(t, d.environ("bob")...).open(120, 40)
	const enter, tab, shareKey, forkKey, deleteKey = "\r", "\t", "\x1bh", "\x1bf", "\x1bx"
	const sessions = "\x13"
	anna.waitFor("Write a prompt")
	anna.sendKeys("plan the summer party" + enter)
	anna.waitFor("Simulated by the offline engine")
	anna.sendKeys(shareKey)
	anna.waitFor("Shared: all users of this database can read the session.")

	bob.waitFor("Write a prompt")
	bob.sendKeys(sessions)
	bob.waitFor("No sessions yet.")
	bob.sendKeys(tab)
	bob.waitFor("yours ‹team›", "plan the summer party", "anna", "1 turn · 1 answer")
	pause(noticed)
	bob.sendKeys(deleteKey)
	bob.waitFor("alt+x (delete) does nothing in this list.")
	bob.sendKeys(enter)
	bob.waitFor("read only: anna shared this session", "Simulated by the offline engine")
	bob.sendKeys("\x1b2")
	bob.waitFor("━ Conversation")
	pause(noticed)
	bob.sendKeys("x")
	bob.waitFor("It belongs to another user, who shares it to be read")

	anna.sendKeys(shareKey)
	anna.waitFor("The session is no longer shared.")
	bob.waitFor("anna no longer shares this session.")
	bob.waitUntilGone("Simulated by the offline engine")
	anna.sendKeys(shareKey)
	bob.sendKeys(sessions)
	bob.waitFor("‹yours› team")
	bob.sendKeys(tab)
	bob.waitFor("plan the summer party")
	pause(noticed)
	bob.sendKeys(forkKey)
	bob.waitFor("plan the summer party (fork)", "Simulated by the offline engine")
	anna.sendKeys(shareKey)
	anna.waitFor("The session is no longer shared.")
	bob.sendKeys(sessions)
	bob.waitFor("‹yours› team", "plan the summer party (fork)")
	bob.sendKeys(tab)
	bob.waitFor("Nobody has shared a session with you.")
}
