package cli_test

import (
	"net/url"
	"strings"
	"testing"

	"confab/internal/cli/clitest"
	"confab/service/engine/openai"
)

func TestAskOverSSHPrintsTextsAsTheyCome(t *testing.T) {
	s := clitest.NewStreaming(t, "delta")
	served := serve(clitest.NewWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001",
		"CONFAB_SSH_COMMANDS=ask"), []string{"anna"})
	if r := served.ask("anna", "", "ask -m delta hello"); r.Out != "whole\n" {
		t.Fatalf("got %+v", r)
	}
	sess, err := served.connect("anna").NewSession()
	must(t, err)
	out := &clitest.Transcript{}
	sess.Stdout = out
	must(t, sess.Start("ask -m delta hello"))
	s.Events["delta"] <- clitest.Delta("first \x1b[31m")
	clitest.Eventually(t, "the first part", func() bool { return out.String() == "first ␛[31m" })
	s.Events["delta"] <- clitest.Done("first \x1b[31m", "stop")
	if err := sess.Wait(); err != nil || out.String() != "first ␛[31m\n" {
		t.Errorf("printed %q, %v", out.String(), err)
	}
}

func TestAskForTheRestOverSSH(t *testing.T) {
	s := clitest.NewStreaming(t, "delta")
	served := serve(clitest.NewWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001",
		"CONFAB_SSH_COMMANDS=ask"), []string{"anna"})
	go func() { s.Events["delta"] <- clitest.Delta("one two") + clitest.Done("one two", "length") }()
	served.ask("anna", "", "ask -m delta hello") // which only says what the service can do
	if r := served.ask("anna", "", "ask --json -m delta count"); clitest.Objects(t, r.Out)[0]["answer"] != 2.0 {
		t.Fatalf("got %+v", r)
	}
	go func() { s.Events["delta"] <- clitest.Delta(" three") + clitest.Done(" three", "stop") }()
	if r := served.ask("anna", "", "ask --rest-of a2"); r.Code != 0 || r.Out != "one two three\n" {
		t.Errorf("got %+v", r)
	}
}

// Users of confab ssh see the operator's engines, and what else runs beside the
// server is neither told to them nor theirs to take.
func TestServedScreensHaveTheOperatorsEngines(t *testing.T) {
	local, beside := clitest.StartStub(t), clitest.StartStub(t)
	u, err := url.Parse(beside.URL)
	must(t, err)
	w := clitest.NewWorld(t, "CONFAB_SSH_COMMANDS=ask")
	w.Ports = []openai.LocalPort{{Name: "ollama", Port: u.Port()}}
	w.Configure("[engines.local]\nurl='" + local.Base() + "'\n[[routes]]\nmodels=['zeta']\nengine='local'\n")
	s := serve(w, []string{"ann", "bob"})
	for _, user := range []string{"ann", "bob"} {
		c := s.screen(user)
		c.sees("◆ local")
		c.types("\x1b[20~") // f9
		c.sees("The operator of this server chooses its engines.")
	}
	if got := s.ask("ann", "", "ask -m zeta --json hello"); !strings.Contains(got.Out, `"engine":"local"`) {
		t.Errorf("asked: %s%s", got.Out, got.Err)
	}
	if n := len(beside.Calls()); n != 0 {
		t.Errorf("what runs beside the server was asked %d times", n)
	}
}

// Users of confab ssh have their own histories in the database, whichever host they come to.
func TestServedUsersInADatabase(t *testing.T) {
	environ := append(clitest.InDatabase(t), "CONFAB_SSH_COMMANDS=ask")
	one := serve(clitest.NewWorld(t, environ...), []string{"anna", "bob"})
	other := serve(clitest.NewWorld(t, environ...), []string{"anna", "bob"})
	if r := one.ask("anna", "", "ask -m alpha3.1-8b --session plans 'what only anna knows'"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	if r := other.ask("anna", "", "ask -m alpha3.1-8b -C --json 'and then'"); r.Code != 0 ||
		!strings.Contains(r.Out, `"session":1`) {
		t.Errorf("on another host: %+v", r)
	}
	for _, command := range []string{"ask -m alpha3.1-8b --session s1 hello", "ask -m alpha3.1-8b -C hello"} {
		if r := other.ask("bob", "", command); r.Code == 0 {
			t.Errorf("another user: %s: %+v", command, r)
		}
	}
}

// TestUsersReadNoPathsOfTheServer: what is printed of a file is its name in the user's own folder, which also names the
// file in what the user asks next.
func TestUsersReadNoPathsOfTheServer(t *testing.T) {
	w := clitest.NewWorld(t, "CONFAB_SSH_COMMANDS=ask,pictures")
	s := serve(w, []string{"anna"})
	bytes := s.ask("anna", "", "ask -m sim-image a fox")
	record := s.ask("anna", "", "ask -m sim-image --json a hen")
	several := s.ask("anna", "", "ask -m sim-image -n 2 a cow")
	file, _ := clitest.Objects(t, record.Out)[0]["file"].(string)
	if names := s.ask("anna", "", "pictures --names").Out; !strings.HasPrefix(file, "pictures/") ||
		!strings.Contains(names, "\t"+strings.TrimPrefix(file, "pictures/")+"\n") {
		t.Errorf("the file is %q, of %s", file, names)
	}
	edited := s.ask("anna", "", "ask -m imageedit --json --image "+file+" in winter")
	clitest.WantTexts(t, edited.Out, `"state":"done"`, `"file":"pictures/`)
	for _, r := range []clitest.Result{bytes, record, several, edited} {
		if said := r.Err + r.Out[:min(len(r.Out), 4096)]; strings.Contains(said, s.Home) {
			t.Errorf("said %q", said)
		}
	}
	c := s.screen("anna")
	c.sees("Write a prompt")
	c.types("\x13") // the sessions
	c.sees("Sessions")
	c.types("a hen\r") // enter waits for what is found
	c.sees("  pictures/0002")
	if strings.Contains(c.shown.String(), s.Home) || strings.Contains(c.shown.String(), "users/anna") {
		t.Error("the screen shows a path of the server")
	}
}
