package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"confab/internal/cli/console"
)

func TestSIGHUPReadsKeysAndConfigurationAgain(t *testing.T) {
	w := newWorld(t)
	w.configure("[ssh]\nanswers_a_day = 100\n")
	s := w.serve([]string{"anna", "bob"})
	hangup := func(content, want string) {
		t.Helper()
		w.configure(content)
		before := strings.Count(s.said.String(), want)
		s.signals <- syscall.SIGHUP
		eventually(t, want, func() bool { return strings.Count(s.said.String(), want) > before })
	}
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.code != 2 ||
		!strings.Contains(r.err, "no commands are run here") {
		t.Errorf("%+v", r)
	}
	hangup("[ssh]\nanswers_a_day = 100\ncommands = [\"ask\"]\n", `changed=ssh.commands`)
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	hangup("[ssh]\nanswers_a_day = 1\ncommands = [\"ask\"]\nlisten = \"0.0.0.0:1\"\n[ui]\nfps = "+
		"7\n", "changed=ssh.answers_a_day")
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.code != 1 || !strings.Contains(r.err, "for today is used up") {
		t.Errorf("%+v", r)
	}
	// --listen wins over the file
	if said := s.said.String(); !strings.Contains(said, `need a restart" settings=ui.fps`) {
		t.Errorf("the log says %s", said)
	}
	if err := os.Remove(filepath.Join(w.home, "keys", "bob")); err != nil {
		t.Fatal(err)
	}
	hangup("[ssh]\nno_such_setting = 1\n", "The configuration cannot be read again; it stays as it was")
	eventually(t, "the keys",
		func() bool { return strings.Contains(s.said.String(), "Read the authorised keys again") })
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.code != 1 {
		t.Errorf("%+v", r)
	}
}

// A server that somebody runs in a window ends with it, as other programs do.
func TestAClosedTerminalEndsTheServerInIt(t *testing.T) {
	for _, logged := range []bool{false, true} { // the log goes to a file instead, and only the input is the terminal
		endsWithItsTerminal(t, logged)
	}
}

func endsWithItsTerminal(t *testing.T, logged bool) {
	t.Helper()
	w := newWorld(t)
	w.serve([]string{"anna"}).stop()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	defer tty.Close()
	said, code, closed := &transcript{}, make(chan int, 1), make(chan struct{})
	const last = "the window is closed"
	go func() {
		defer close(closed)
		defer master.Close() // which waits for a read to end
		for b := make([]byte, 4096); !strings.Contains(said.String(), last); {
			n, err := master.Read(b)
			if err != nil {
				return
			}
			_, _ = said.Write(b[:n])
		}
	}()
	env := w.env(io.Discard, tty)
	if logged {
		env.Stdin, env.Stderr = tty, said
	}
	go func() { code <- Run(context.Background(), []string{"ssh", "--listen", "127.0.0.1:0"}, env) }()
	eventually(t, "the server", func() bool { return listening.MatchString(said.String()) })
	w.signals <- syscall.SIGHUP // as kill sends it: the terminal is still there
	eventually(t, "the configuration",
		func() bool { return strings.Contains(said.String(), "Read the configuration again") })
	if _, err := io.WriteString(tty, last); err != nil {
		t.Fatal(err)
	}
	<-closed
	w.signals <- syscall.SIGHUP
	select {
	case got := <-code:
		if got != console.ExitDone {
			t.Errorf("it ended with %d: %s", got, said)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the server goes on without its terminal")
	}
}

func TestASecondServerOfTheSameFolderIsRefused(t *testing.T) {
	w := newWorld(t)
	s := w.serve([]string{"anna"})
	if r := w.must(console.ExitUsage, "ssh", "--listen", "127.0.0.1:0"); !strings.Contains(r.err, "another confab ssh "+
		"serves the data folder "+
		filepath.Join(w.home, ".local", "share", "confab")+" already; stop it, or choose another folder with "+
		"--data-dir") {
		t.Errorf("%s", r.err)
	}
	key := filepath.Join(w.home, ".local", "state", "confab", "ssh_host_key")
	r := w.must(console.ExitUsage, "ssh", "--listen", "127.0.0.1:0", "--data-dir", filepath.Join(w.home, "other"),
		"--host-key", key)
	if !strings.Contains(r.err, "another confab ssh uses the host key "+key+" already") {
		t.Errorf("%s", r.err)
	}
	s.stop()
	s.start() // which the lock of the dead does not hinder
}
