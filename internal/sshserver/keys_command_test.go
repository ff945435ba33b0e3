package sshserver

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	gossh "golang.org/x/crypto/ssh"
)

// withProgram sets a shell script as the program that knows keys.
func withProgram(t testing.TB, script string, args ...string) func(*Options) {
	return func(o *Options) {
		program := filepath.Join(filepath.Dir(o.Keys), "program")
		write(t, program, "#!/bin/sh\n"+script)
		if err := os.Chmod(program, 0o700); err != nil {
			t.Fatal(err)
		}
		o.Access.AuthorizedKeysCommand = append([]string{program}, args...)
	}
}

func TestKeysThatAProgramKnows(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /bin/sh")
	}
	anna, bob := newKey(t), newKey(t)
	asked := filepath.Join(t.TempDir(), "asked")
	s := newSite(t, anna, withProgram(t, `echo "$@" >>`+asked+"\n"+`[ "$1" = bob ] && cat "$0.keys"`+"\nexit 0\n",
		"%u", "%t", "%f", "100%%", "%k")).serve()
	write(t, filepath.Join(s.dir, "program.keys"), line(bob, ""))
	for _, login := range []string{"carla", "b;ob", "--help", "../bob"} {
		if c, err := s.connect(config(login, keys(bob))); err == nil {
			c.Close()
			t.Errorf("%s is let in", login)
		}
	}
	x := open(t, s.client("bob", bob), 80, 24)
	x.sees("hello bob")
	x.types("\x11")
	if err := <-x.over; status(err) != 0 {
		t.Error(err)
	}
	open(t, s.client("anything", anna), 80, 24).sees("hello anna") // the files know her
	b, err := os.ReadFile(asked)
	if err != nil {
		t.Fatal(err)
	}
	public := strings.Fields(line(bob, ""))[1]
	want := ""
	for _, login := range []string{"carla", "bob"} { // once for each connection, and only for names of users
		want += login + " ssh-ed25519 " + gossh.FingerprintSHA256(bob.PublicKey()) + " 100% " + public + "\n"
	}
	if string(b) != want {
		t.Errorf("it was asked\n%s, want\n%s", b, want)
	}
}

func TestAProgramThatMisbehavesLetsNobodyIn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /bin/sh")
	}
	anna, bob := newKey(t), newKey(t)
	for why, script := range map[string]string{
		"printed more than": "yes\n",
		"exit status 3":     "cat \"$0.keys\"; echo no database >&2; exit 3\n",
		"no database":       "cat \"$0.keys\"; echo no database >&2; exit 3\n",
		"Refused a login":   "exit 0\n",
		"deadline exceeded": "exec sleep 60\n",
	} {
		s := newSite(t, anna, withProgram(t, script)).serve()
		write(t, filepath.Join(s.dir, "program.keys"), line(bob, ""))
		if c, err := s.connect(config("bob", keys(bob))); err == nil {
			c.Close()
			t.Errorf("%q lets in", script)
		}
		if !strings.Contains(s.log.String(), why) {
			t.Errorf("%q: the log says %s", script, s.log)
		}
	}
}

func TestProgramsThatCannotBeRunAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /bin/sh")
	}
	anna := newKey(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "keys", "anna"), line(anna, ""))
	write(t, filepath.Join(dir, "plain"), "")
	for want, args := range map[string][]string{
		"cannot be read":             {filepath.Join(dir, "nothing")},
		"not a file that can be run": {filepath.Join(dir, "plain")},
		"only %u":                    {"/bin/sh", "%h"},
	} {
		_, err := New(Options{Keys: filepath.Join(dir, "keys"), HostKey: filepath.Join(dir, "host"),
			Access: Access{AuthorizedKeysCommand: args}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", args, err)
		}
	}
}
