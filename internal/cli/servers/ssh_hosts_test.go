package servers_test

import (
	"strings"
	"testing"

	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
	"confab/internal/s3test"
)

// TestAUserIsDisabledOnEveryHost disables a user on one of two hosts with one database, while the user is on the other.
func TestAUserIsDisabledOnEveryHost(t *testing.T) {
	environ := append(clitest.InDatabase(t), "CONFAB_SSH_COMMANDS=ask")
	one, two := clitest.NewWorld(t, environ...), clitest.NewWorld(t, environ...)
	first, second := serve(one, []string{"anna"}), serve(two, []string{"anna", "bob"})
	users := func(w *clitest.World, args ...string) clitest.Result {
		return w.Must(console.ExitDone, append([]string{"ssh", "users"}, args...)...)
	}
	if r := second.ask("anna", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	a, b := second.screen("anna"), second.screen("bob")
	a.sees("Write a prompt")
	b.sees("Write a prompt")
	clitest.WantTexts(t, users(one, "disable", "anna").Err, "anna is disabled on every host")
	a.sees("has ended your session")
	a.end()
	isRefused := func(when string) {
		t.Helper()
		for _, host := range []*runningSSH{first, second} {
			if r := host.ask("anna", "", "ask -m phi-2 hello"); !strings.Contains(r.Err, "switched off your access") {
				t.Errorf("%s: %+v", when, r)
			}
		}
	}
	clitest.Eventually(t, "the other host", func() bool {
		return first.ask("anna", "", "ask -m phi-2 hello").Code != 0
	})
	isRefused("disabled")
	b.types("what stays is the screen of bob\r")
	b.sees("Simulated by")
	clitest.WantTexts(t, users(two, "list").Out, "anna\tdisabled\t")
	clitest.WantTexts(t, two.Must(console.ExitDone, "ssh", "--check").Out, "ok\tdatabase\tpostgres://")
	second.stop()
	second.start()
	isRefused("after a restart")
	users(two, "delete", "anna", "--yes")
	isRefused("deleted")
	users(two, "enable", "anna")
	clitest.WantTexts(t, one.Must(console.ExitUsage, "ssh", "users", "enable", "anna").Err, "anna is not disabled")
	for _, host := range []*runningSSH{first, second} {
		clitest.Eventually(t, "a login", func() bool { return host.ask("anna", "", "ask -m phi-2 hello").Code == 0 })
	}
}

// TestSSHCheckTriesTheDatabase names a database that is not there.
func TestSSHCheckTriesTheDatabase(t *testing.T) {
	environ := clitest.InDatabase(t)
	environ[0] = strings.Replace(environ[0], "/confab?", "/another?", 1)
	w := clitest.NewWorld(t, environ...)
	clitest.WantTexts(t, w.Must(console.ExitFailed, "ssh", "--check", "--listen", "127.0.0.1:0").Out,
		"fail\tdatabase\tthe database of the history refuses confab")
}

// TestAPictureIsFetchedFromAnotherHost makes a picture on one of two hosts with one database and one bucket.
func TestAPictureIsFetchedFromAnotherHost(t *testing.T) {
	bucket := s3test.Start(t)
	environ := append(clitest.InDatabase(t), "CONFAB_PICTURES_URL="+bucket.URL("team"),
		"CONFAB_PICTURES_KEY="+s3test.Key)
	one, two := clitest.NewWorld(t, environ...), clitest.NewWorld(t, environ...)
	for _, w := range []*clitest.World{one, two} {
		w.Configure("[ssh]\ncommands = ['ask', 'pictures']\n")
	}
	first, second := serve(one, []string{"anna"}), serve(two, []string{"anna"})
	if r := first.ask("anna", "", "ask -m sim-image a fox"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	if n := len(bucket.Objects("team")); n != 2 {
		t.Fatalf("%d objects", n)
	}
	if r := second.ask("anna", "", "pictures"); r.Code != 0 || !strings.Contains(r.Out, "\x89PNG") {
		t.Errorf("status %d, %s", r.Code, r.Err)
	}
}
