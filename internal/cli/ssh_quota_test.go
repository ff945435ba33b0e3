package cli

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"confab/internal/cli/console"
)

// TestTwoHostsCountTogether gives one user of two hosts a quota.
func TestTwoHostsCountTogether(t *testing.T) {
	environ := append(inDatabase(t), "CONFAB_SSH_COMMANDS=ask")
	one, two := newWorld(t, environ...), newWorld(t, environ...)
	for _, w := range []*world{one, two} {
		w.configure("[ssh.groups.few]\nusers = ['an*']\nanswers_a_day = 5\n[ssh.groups.all]\nanswers_a_month = 2\n")
	}
	first, second := one.serve([]string{"anna", "bob"}), two.serve([]string{"anna"})
	for _, host := range []*runningSSH{first, second} {
		if r := host.ask("anna", "", "ask -m phi-2 --samples 2 hello"); r.code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	if r := first.ask("bob", "", "ask -m phi-2 --samples 3 hello"); r.code != 0 {
		t.Errorf("bob, who is in no group: %+v", r)
	}
	r := first.ask("anna", "", "ask -m phi-2 --samples 2 hello")
	if r.code == 0 || !strings.Contains(r.err, "this asks for 2 answers, and 1 of your 5 for today are left") ||
		!strings.Contains(r.err, "(quota)") {
		t.Errorf("%+v", r)
	}
	wantTexts(t, two.must(console.ExitDone, "ssh", "users", "usage").out, "anna\t", "\t4 of 5\t", "bob\t",
		"\t3 of 1000\t")
	wantTexts(t, two.must(console.ExitDone, "ssh", "users", "usage", "--json", "anna").out, `"answers":4,"tokens":`)
}

// TestGroupsOfKeys changes the quota of a group that a file of keys names, while the user is logged in.
func TestGroupsOfKeys(t *testing.T) {
	w := newWorld(t, "CONFAB_SSH_COMMANDS=ask")
	configure := func(answers string) {
		w.configure("[ssh.groups.staff]\nanswers_a_day = " + answers + "\n")
	}
	configure("1")
	s := w.serve([]string{"anna"})
	path := filepath.Join(w.home, "keys", "anna")
	key, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte(`environment="CONFAB_GROUP=staff" `), key...), 0o600); err != nil {
		t.Fatal(err)
	}
	x := s.screen("anna")
	x.sees("Write a prompt")
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	x.types("from the screen\r")
	x.sees("Your quota of 1 answer for today is used up")
	configure("20")
	s.signals <- syscall.SIGHUP
	eventually(t, "the groups", func() bool { return strings.Contains(s.said.String(), "changed=ssh.groups") })
	x.types("\r")
	x.sees("Simulated by")
	wantTexts(t, w.must(console.ExitDone, "ssh", "users", "usage").out, " of 20\t")
}

// TestMetricsTellSomeUsersApart reads what Prometheus would read.
func TestMetricsTellSomeUsersApart(t *testing.T) {
	w := newWorld(t, "CONFAB_SSH_COMMANDS=ask", "CONFAB_SSH_METRICS_USERS=1")
	s := w.serve([]string{"anna", "bob", "carla"}, "--metrics-listen", "127.0.0.1:0")
	for _, user := range []string{"anna", "bob", "carla", "anna"} {
		if r := s.ask(user, "", "ask -m phi-2 hello"); r.code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	address := regexp.MustCompile(`metrics are on (\S+),`).FindStringSubmatch(s.said.String())
	if address == nil {
		t.Fatal(s.said.String())
	}
	res, err := http.Get(address[1])
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	wantTexts(t, string(b), `confab_ssh_user_answers_total{user="anna",state="done"} 2`,
		`confab_ssh_user_answers_total{user="other",state="done"} 2`,
		`confab_ssh_user_tokens_total{user="anna",kind="output"}`)
	wantNoTexts(t, string(b), "bob", "carla")
}

// TestServersOfKeysCountTogether asks two servers with one database and one folder of keys, one after the other.
func TestServersOfKeysCountTogether(t *testing.T) {
	environ := append(inDatabase(t), "CONFAB_SERVE_QUOTA=3", "CONFAB_SERVE_KEYS="+filepath.Join(t.TempDir(), "keys"))
	one, two := newWorld(t, environ...), newWorld(t, environ...)
	key := strings.TrimSpace(one.must(console.ExitDone, "serve", "keys", "add", "laptop").out)
	base, _, end := one.serving("-q")
	for range 2 {
		if code, got := askServer(t, http.DefaultClient, base, key, "oss-20b"); code != 200 {
			t.Errorf("%d %s", code, got)
		}
	}
	end()
	wantTexts(t, two.must(console.ExitDone, "serve", "keys", "usage").out, "laptop\t", "\t2 of 3\t")
	base, _, end = two.serving("-q")
	if code, got := askServer(t, http.DefaultClient, base, key, "oss-20b"); code != 200 {
		t.Errorf("the last one: %d %s", code, got)
	}
	code, got := askServer(t, http.DefaultClient, base, key, "oss-20b")
	if code != 429 || !strings.Contains(got, "Your quota of 3 requests for today is used up") {
		t.Errorf("one more: %d %s", code, got)
	}
	end()
	wantTexts(t, one.must(console.ExitDone, "serve", "keys", "usage", "laptop", "--months", "--json").out,
		`{"name":"laptop",`, `"answers":3,"tokens":`, `"id":"`)
}
