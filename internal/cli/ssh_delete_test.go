package cli_test

import (
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
	"confab/internal/s3test"
)

// TestAUserIsDeletedEverywhere deletes a user whose history is in a database and whose pictures are in a bucket, and
// reads the log.
func TestAUserIsDeletedEverywhere(t *testing.T) {
	bucket := s3test.Start(t)
	w := clitest.NewWorld(t, append(clitest.InDatabase(t), "CONFAB_PICTURES_URL="+bucket.URL("team"),
		"CONFAB_PICTURES_KEY="+s3test.Key)...)
	w.Configure("[ssh]\ncommands = ['ask', 'export']\nanswers_a_day = 2\n")
	s := serve(w, []string{"anna", "bob"})
	for _, command := range []string{"ask -m sim-image --session what-only-anna-knows a fox", "ask -m phi-2 hello",
		"export s1"} {
		if r := s.ask("anna", "", command); r.Code != 0 {
			t.Fatalf("%s: %+v", command, r)
		}
	}
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code != 1 {
		t.Errorf("over the quota: %+v", r)
	}
	if r := s.ask("bob", "", "ask -m sim-image a hen"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	refused := &gossh.ClientConfig{User: "mallory", Auth: []gossh.AuthMethod{gossh.PublicKeys(newSigner(t))},
		HostKeyCallback: gossh.InsecureIgnoreHostKey()}
	if _, err := gossh.Dial("tcp", s.addr, refused); err == nil {
		t.Error("a stranger was let in")
	}
	users := func(code int, args ...string) clitest.Result {
		return w.Must(code, append([]string{"ssh", "users"}, args...)...)
	}
	dry := func(user string) string { return users(cli.ExitDone, "delete", user, "--dry-run").Out }
	clitest.WantTexts(t, dry("anna"), "would delete the files of anna (", "), 2 objects "+
		"in the bucket, 2 sessions and 2 answers in the database\n")
	if n := len(bucket.Objects("team")); n != 4 {
		t.Errorf("%d objects", n)
	}
	clitest.WantTexts(t, users(cli.ExitDone, "delete", "anna", "--yes").Err, "deleted the files of anna (")
	left := bucket.Objects("team")
	for name := range left {
		if strings.Contains(name, "anna") || len(left) != 2 {
			t.Errorf("%d objects are left, %s", len(left), name)
		}
	}
	clitest.WantTexts(t, dry("bob"), "2 objects in the bucket, 1 session and 1 answer")
	s.stop()
	clitest.WantTexts(t, s.said.String(), `msg="Ran a command" user=anna from=127.0.0.1:`, "command=export",
		"msg=Asked user=bob from=127.0.0.1:", "Refused a login\" user=mallory method=publickey")
	clitest.WantNoTexts(t, s.said.String(), "what-only-anna-knows", "a fox", "a hen")
}
