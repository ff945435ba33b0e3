package servers_test

import (
	"regexp"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
	"confab/internal/s3test"
)

// TestSSHCheckTriesTheDatabase names a database that is not there.
func TestSSHCheckTriesTheDatabase(t *testing.T) {
	environ := clitest.InDatabase(t)
	environ[0] = strings.Replace(environ[0], "/confab?", "/another?", 1)
	w := clitest.NewWorld(t, environ...)
	clitest.WantTexts(t, w.Must(console.ExitFailed, "ssh", "--check", "--listen", "127.0.0.1:0").Out,
		"fail\tdatabase\tthe server of the history has no such database")
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

// TestHostsCountTogether asks on two hosts with one database until the answers of the day are used up.
func TestHostsCountTogether(t *testing.T) {
	environ := append(clitest.InDatabase(t), "CONFAB_SSH_COMMANDS=ask", "CONFAB_SSH_ANSWERS_A_DAY=3")
	one, two := clitest.NewWorld(t, environ...), clitest.NewWorld(t, environ...)
	first, second := serve(one, []string{"anna"}), serve(two, []string{"anna", "bob"})
	for _, host := range []*runningSSH{first, second, first} {
		if r := host.ask("anna", "", "ask -m phi-2 hello"); r.Code != 0 {
			t.Errorf("%+v", r)
		}
	}
	for _, host := range []*runningSSH{first, second} {
		if r := host.ask("anna", "", "ask -m phi-2 hello"); r.Code != 1 ||
			!strings.Contains(r.Err, "for today is used up") {
			t.Errorf("one more: %+v", r)
		}
	}
	if r := second.ask("bob", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Errorf("bob pays for anna: %+v", r)
	}
	clitest.WantTexts(t, two.Must(console.ExitDone, "ssh", "--check").Out, "ok\tdatabase\tpostgres://")
}

// TestAHostIsNotReadyWithoutItsDatabase starts a host whose database refuses it.
func TestAHostIsNotReadyWithoutItsDatabase(t *testing.T) {
	environ := clitest.InDatabase(t)
	ready := func(want string, environ ...string) {
		s := serve(clitest.NewWorld(t, environ...), []string{"anna"}, "--health-listen", "127.0.0.1:0")
		defer s.stop()
		m := regexp.MustCompile(`health is on (http://[0-9.:]+)`).FindStringSubmatch(s.said.String())
		if m == nil {
			t.Fatal(s.said.String())
		}
		clitest.Eventually(t, "/readyz to say "+want, func() bool {
			_, said := getFrom(t, m[1]+"/readyz")
			return strings.Contains(said, want)
		})
	}
	ready("ok", environ...)
	environ[0] = strings.Replace(environ[0], "/confab?", "/another?", 1)
	ready("the database of the history does not answer", environ...)
}
