package servers_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
)

// TestTwoHostsCountTogether gives one user of two hosts a quota.
func TestTwoHostsCountTogether(t *testing.T) {
	environ := append(clitest.InDatabase(t), "CONFAB_SSH_COMMANDS=ask")
	one, two := clitest.NewWorld(t, environ...), clitest.NewWorld(t, environ...)
	for _, w := range []*clitest.World{one, two} {
		w.Configure("[ssh.groups.few]\nusers = ['an*']\nanswers_a_day = 5\n[ssh.groups.all]\nanswers_a_month = 2\n")
	}
	first, second := serve(one, []string{"anna", "bob"}), serve(two, []string{"anna"})
	for _, host := range []*runningSSH{first, second} {
		if r := host.ask("anna", "", "ask -m phi-2 --samples 2 hello"); r.Code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	if r := first.ask("bob", "", "ask -m phi-2 --samples 3 hello"); r.Code != 0 {
		t.Errorf("bob, who is in no group: %+v", r)
	}
	r := first.ask("anna", "", "ask -m phi-2 --samples 2 hello")
	if r.Code == 0 || !strings.Contains(r.Err, "this asks for 2 answers, and 1 of your 5 for today are left") ||
		!strings.Contains(r.Err, "(quota)") {
		t.Errorf("%+v", r)
	}
	clitest.WantTexts(t, two.Must(console.ExitDone, "ssh", "users", "usage").Out, "anna\t", "\t4 of 5\t", "bob\t",
		"\t3 of 1000\t")
	clitest.WantTexts(t, two.Must(console.ExitDone, "ssh", "users", "usage", "--json", "anna").Out,
		`"answers":4,"tokens":`)
}

// TestGroupsOfKeys changes the quota of a group that a file of keys names, while the user is logged in.
func TestGroupsOfKeys(t *testing.T) {
	w := clitest.NewWorld(t, "CONFAB_SSH_COMMANDS=ask")
	configure := func(answers string) {
		w.Configure("[ssh.groups.staff]\nanswers_a_day = " + answers + "\n")
	}
	configure("1")
	s := serve(w, []string{"anna"})
	path := filepath.Join(w.Home, "keys", "anna")
	key, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte(`environment="CONFAB_GROUP=staff" `), key...), 0o600); err != nil {
		t.Fatal(err)
	}
	x := s.screen("anna")
	x.sees("Write a prompt")
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	x.types("from the screen\r")
	x.sees("Your quota of 1 answer for today is used up")
	configure("20")
	s.Signals <- syscall.SIGHUP
	clitest.Eventually(t, "the groups", func() bool { return strings.Contains(s.said.String(), "changed=ssh.groups") })
	x.types("\r")
	x.sees("Simulated by")
	clitest.WantTexts(t, w.Must(console.ExitDone, "ssh", "users", "usage").Out, " of 20\t")
}
