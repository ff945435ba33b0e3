package servers_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"confab/internal/cli/clitest"
	"confab/internal/cli/console"
)

func TestOperatorOfRunningAndStoppedServers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no sockets with rights of files")
	}
	data, err := os.MkdirTemp("", "so") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(data) })
	w := clitest.NewWorld(t, "CONFAB_DATA_DIR="+data)
	w.Configure("[ssh]\ncommands = [\"ask\"]\nanswers_a_day = 50\n")
	users := func(code int, args ...string) clitest.Result {
		return w.Must(code, append([]string{"ssh", "users"}, args...)...)
	}
	if r := users(console.ExitDone, "list"); r.Out != "" {
		t.Errorf("before anything: %q", r.Out)
	}
	clitest.WantTexts(t, users(console.ExitUsage, "kick", "anna").Err, "no confab ssh serves this data folder now")

	s := serve(w, []string{"anna", "bob"})
	if info, err := os.Stat(filepath.Join(data, "ssh.sock")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	a, b := s.screen("anna"), s.screen("bob")
	a.sees("Write a prompt")
	b.sees("Write a prompt")
	if got := users(console.ExitDone, "list").Out; !strings.HasPrefix(got, "anna\tenabled\t1\t1\t") ||
		!strings.Contains(got, "\nbob\tenabled\t1\t0\t") {
		t.Errorf("listed %q", got)
	}
	clitest.WantTexts(t, users(console.ExitDone, "show", "anna").Out, "\t127.0.0.1\tSHA256:")
	clitest.WantTexts(t, users(console.ExitDone, "show", "anna", "--json").Out, `"user":"anna"`, `"answers_today":1`,
		`"from":"127.0.0.1"`)
	clitest.WantTexts(t, users(console.ExitDone, "usage").Out,
		"anna\t"+time.Now().UTC().Format(time.DateOnly)+"\t1 of 50\t")
	clitest.WantTexts(t, users(console.ExitDone, "usage", "anna", "--months", "--json").Out,
		`{"name":"anna","period":"`+time.Now().UTC().Format("2006-01")+`","answers":1,`, `"limits":{"answers":0,`)
	clitest.WantTexts(t, users(console.ExitUsage, "show", "carla").Err, "no user carla has logged in here")
	clitest.WantTexts(t, users(console.ExitUsage, "show", "../anna").Err, "is no name of a user")
	clitest.WantTexts(t, users(console.ExitUsage, "usage", "carla").Err, "no user carla has logged in here")
	clitest.WantTexts(t, users(console.ExitUsage, "prune", "carla").Err, "no user carla has logged in here")
	clitest.WantTexts(t, users(console.ExitUsage, "kick", "carla").Err, "carla has no session on this host")
	clitest.WantTexts(t, users(console.ExitUsage, "message", "carla", "hello").Err, "carla has no session on this host")
	clitest.WantTexts(t, users(console.ExitUsage, "release", "carla").Err, "carla is not on legal hold")
	clitest.WantTexts(t, users(console.ExitDone, "hold", "carla").Err, "nobody named carla is known",
		"carla is on legal hold")
	users(console.ExitDone, "release", "carla")

	clitest.WantTexts(t, users(console.ExitDone, "message", "bob", "the server moves at", "noon\x1b[2J").Err,
		"shown on 1 session")
	b.sees("the server moves at noon")
	clitest.WantTexts(t, users(console.ExitDone, "kick", "bob").Err, "ended 1 session")
	b.sees("has ended your session")
	b.end()
	if r := s.ask("bob", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Errorf("who was kicked may not come back: %+v", r)
	}

	clitest.WantTexts(t, users(console.ExitUsage, "delete", "anna", "--yes").Err, "confab ssh users disable anna first")
	clitest.WantNoTexts(t, users(console.ExitDone, "disable", "anna").Err, "nobody of that name")
	clitest.WantTexts(t, users(console.ExitDone, "disable", "ana").Err,
		"ana is disabled; nobody of that name is known to have logged in here")
	users(console.ExitDone, "enable", "ana")
	clitest.WantNoTexts(t, users(console.ExitDone, "hold", "bob").Err, "nobody")
	clitest.WantTexts(t, users(console.ExitDone, "list").Out, "\ton hold\n")
	clitest.WantTexts(t, users(console.ExitDone, "show", "bob").Err, "on legal hold")
	a.sees("has ended your session")
	a.end()
	r := s.ask("anna", "", "ask -m phi-2 hello")
	if r.Code == 0 || !strings.Contains(r.Err, "switched off your access") {
		t.Errorf("a disabled user: %+v", r)
	}
	s.stop()
	if _, err := os.Stat(filepath.Join(data, "ssh.sock")); !os.IsNotExist(err) {
		t.Errorf("the socket stays: %v", err)
	}
	s.start() // which changes nothing about it
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code == 0 {
		t.Errorf("a restart lets in: %+v", r)
	}
	clitest.WantTexts(t, users(console.ExitUsage, "delete", "anna").Err, "--yes deletes without asking")
	users(console.ExitDone, "delete", "anna", "--yes")
	if _, err := os.Stat(filepath.Join(data, "users", "anna")); !os.IsNotExist(err) {
		t.Errorf("the folder stays: %v", err)
	}
	clitest.WantTexts(t, users(console.ExitDone, "list").Out, "anna\tdisabled\t0\t0\t0\t")
	users(console.ExitDone, "enable", "anna")
	clitest.WantTexts(t, users(console.ExitUsage, "enable", "anna").Err, "anna is not disabled")
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Errorf("an enabled user: %+v", r)
	}
	clitest.WantTexts(t, users(console.ExitDone, "usage").Out,
		"anna\t"+time.Now().UTC().Format(time.DateOnly)+"\t1 of 50\t")
	clitest.WantTexts(t, users(console.ExitDone, "usage", "anna", "--months", "--json").Out,
		`{"name":"anna","period":"`+time.Now().UTC().Format("2006-01")+`","answers":1,`, `"limits":{"answers":0,`)
}
