package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

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
	w := newWorld(t, "CONFAB_DATA_DIR="+data)
	w.configure("[ssh]\ncommands = [\"ask\"]\nanswers_a_day = 50\n")
	users := func(code int, args ...string) result {
		return w.must(code, append([]string{"ssh", "users"}, args...)...)
	}
	if r := users(console.ExitDone, "list"); r.out != "" {
		t.Errorf("before anything: %q", r.out)
	}
	wantTexts(t, users(console.ExitUsage, "kick", "anna").err, "no confab ssh serves this data folder now")

	s := w.serve([]string{"anna", "bob"})
	if info, err := os.Stat(filepath.Join(data, "ssh.sock")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	a, b := s.screen("anna"), s.screen("bob")
	a.sees("Write a prompt")
	b.sees("Write a prompt")
	if got := users(console.ExitDone, "list").out; !strings.HasPrefix(got, "anna\tenabled\t1\t1\t") ||
		!strings.Contains(got, "\nbob\tenabled\t1\t0\t") {
		t.Errorf("listed %q", got)
	}
	wantTexts(t, users(console.ExitDone, "show", "anna").out, "\t127.0.0.1\tSHA256:")
	wantTexts(t, users(console.ExitDone, "show", "anna", "--json").out, `"user":"anna"`, `"answers_today":1`,
		`"from":"127.0.0.1"`)
	wantTexts(t, users(console.ExitDone, "usage").out, "anna\t"+time.Now().UTC().Format(time.DateOnly)+"\t1 of 50\t")
	wantTexts(t, users(console.ExitDone, "usage", "anna", "--months", "--json").out,
		`{"name":"anna","period":"`+time.Now().UTC().Format("2006-01")+`","answers":1,`, `"limits":{"answers":0,`)
	wantTexts(t, users(console.ExitUsage, "show", "carla").err, "no user carla has logged in here")
	wantTexts(t, users(console.ExitUsage, "show", "../anna").err, "is no name of a user")

	wantTexts(t, users(console.ExitDone, "message", "bob", "the server moves at", "noon\x1b[2J").err,
		"shown on 1 session")
	b.sees("the server moves at noon")
	wantTexts(t, users(console.ExitDone, "kick", "bob").err, "ended 1 session")
	b.sees("has ended your session")
	b.end()
	if r := s.ask("bob", "", "ask -m phi-2 hello"); r.code != 0 {
		t.Errorf("who was kicked may not come back: %+v", r)
	}

	wantTexts(t, users(console.ExitUsage, "delete", "anna", "--yes").err, "confab ssh users disable anna first")
	users(console.ExitDone, "disable", "anna")
	a.sees("has ended your session")
	a.end()
	r := s.ask("anna", "", "ask -m phi-2 hello")
	if r.code == 0 || !strings.Contains(r.err, "switched off your access") {
		t.Errorf("a disabled user: %+v", r)
	}
	s.stop()
	if _, err := os.Stat(filepath.Join(data, "ssh.sock")); !os.IsNotExist(err) {
		t.Errorf("the socket stays: %v", err)
	}
	s.start() // which changes nothing about it
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.code == 0 {
		t.Errorf("a restart lets in: %+v", r)
	}
	wantTexts(t, users(console.ExitUsage, "delete", "anna").err, "--yes deletes without asking")
	users(console.ExitDone, "delete", "anna", "--yes")
	if _, err := os.Stat(filepath.Join(data, "users", "anna")); !os.IsNotExist(err) {
		t.Errorf("the folder stays: %v", err)
	}
	wantTexts(t, users(console.ExitDone, "list").out, "anna\tdisabled\t0\t0\t0\n")
	users(console.ExitDone, "enable", "anna")
	wantTexts(t, users(console.ExitUsage, "enable", "anna").err, "anna is not disabled")
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.code != 0 {
		t.Errorf("an enabled user: %+v", r)
	}
	wantTexts(t, users(console.ExitDone, "usage").out, "anna\t"+time.Now().UTC().Format(time.DateOnly)+"\t1 of 50\t")
	wantTexts(t, users(console.ExitDone, "usage", "anna", "--months", "--json").out,
		`{"name":"anna","period":"`+time.Now().UTC().Format("2006-01")+`","answers":1,`, `"limits":{"answers":0,`)
}
