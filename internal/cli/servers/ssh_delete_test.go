package servers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
	"confab/internal/s3test"
)

// TestAUserIsDeletedEverywhere deletes a user whose history is in a database and whose pictures are in a bucket, and
// reads what the audit stream tells of that and of what came before.
func TestAUserIsDeletedEverywhere(t *testing.T) {
	bucket := s3test.Start(t)
	w := clitest.NewWorld(t, append(clitest.InDatabase(t), "CONFAB_PICTURES_URL="+bucket.URL("team"),
		"CONFAB_PICTURES_KEY="+s3test.Key)...)
	path := filepath.Join(w.Home, "audit.jsonl")
	w.Configure("[ssh]\naudit = '" + path + "'\ncommands = ['ask', 'export']\nanswers_a_day = 2\n")
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
	users := func(code int, args ...string) clitest.Result {
		return w.Must(code, append([]string{"ssh", "users"}, args...)...)
	}
	users(console.ExitDone, "disable", "anna")
	refused := &gossh.ClientConfig{User: "anna", Auth: []gossh.AuthMethod{gossh.PublicKeys(s.keys["anna"])},
		HostKeyCallback: gossh.InsecureIgnoreHostKey()}
	if c, err := gossh.Dial("tcp", s.addr, refused); err == nil {
		_ = c.Close()
	}
	refused.User, refused.Auth = "mallory", []gossh.AuthMethod{gossh.PublicKeys(newSigner(t))}
	if _, err := gossh.Dial("tcp", s.addr, refused); err == nil {
		t.Error("a stranger was let in")
	}
	clitest.Eventually(t, "the refusals", func() bool {
		lines, _ := auditLines(t, path, "login_refused")
		return len(lines) == 2
	})

	dry := func(user string) string { return users(console.ExitDone, "delete", user, "--dry-run").Out }
	clitest.WantTexts(t, dry("anna"), "would delete the files of anna (", "), 2 objects "+
		"in the bucket, 2 sessions and 2 answers in the database\n")
	if n := len(bucket.Objects("team")); n != 4 {
		t.Errorf("%d objects", n)
	}
	clitest.WantTexts(t, users(console.ExitDone, "delete", "anna", "--yes").Err, "deleted the files of anna (")
	left := bucket.Objects("team")
	for name := range left {
		if strings.Contains(name, "anna") || len(left) != 2 {
			t.Errorf("%d objects are left, %s", len(left), name)
		}
	}
	clitest.WantTexts(t, dry("anna"), "0 objects in the bucket, 0 sessions and 0 answers")
	clitest.WantTexts(t, dry("bob"), "2 objects in the bucket, 1 session and 1 answer")
	s.stop()

	lines, text := auditLines(t, path, "login", "login_refused", "quota", "export", "deletion")
	var events []string
	for _, l := range lines {
		events = append(events, fmt.Sprint(l["event"], " ", l["user"], " ", l["what"], " ", l["outcome"]))
	}
	for _, want := range []string{"login anna ask done", "export anna session 1 done", "quota anna <nil> refused",
		"login bob ask done", "deletion anna user done",
		"login_refused mallory the key is not authorised refused",
		"login_refused anna the operator of this server has switched off your access; ask them refused"} {
		if !strings.Contains(strings.Join(events, "\n")+"\n", want+"\n") {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
	if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), "what-only-anna-knows") {
		t.Errorf("the stream has a prompt or a name, %v", err)
	}
}
