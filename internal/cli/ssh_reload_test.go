package cli_test

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

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

func TestSIGHUPReadsKeysAndConfigurationAgain(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Configure("[ssh]\nanswers_a_day = 100\n")
	s := serve(w, []string{"anna", "bob"})
	hangup := func(content, want string) {
		t.Helper()
		w.Configure(content)
		before := strings.Count(s.said.String(), want)
		s.Signals <- syscall.SIGHUP
		clitest.Eventually(t, want, func() bool { return strings.Count(s.said.String(), want) > before })
	}
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code != 2 ||
		!strings.Contains(r.Err, "no commands are run here") {
		t.Errorf("%+v", r)
	}
	hangup("[ssh]\nanswers_a_day = 100\ncommands = [\"ask\"]\n", `changed=ssh.commands`)
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code != 0 {
		t.Errorf("%+v", r)
	}
	hangup("[ssh]\nanswers_a_day = 1\ncommands = [\"ask\"]\nlisten = \"0.0.0.0:1\"\n[ui]\nfps = "+
		"7\n", "changed=ssh.answers_a_day")
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code != 1 || !strings.Contains(r.Err, "for today is used up") {
		t.Errorf("%+v", r)
	}
	// --listen wins over the file
	if said := s.said.String(); !strings.Contains(said, `need a restart" settings=ui.fps`) {
		t.Errorf("the log says %s", said)
	}
	must(t, os.Remove(filepath.Join(w.Home, "keys", "bob")))
	hangup("[ssh]\nno_such_setting = 1\n", "The configuration cannot be read again; it stays as it was")
	clitest.Eventually(t, "the keys",
		func() bool { return strings.Contains(s.said.String(), "Read the authorised keys again") })
	if r := s.ask("anna", "", "ask -m phi-2 hello"); r.Code != 1 {
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
	w := clitest.NewWorld(t)
	serve(w, []string{"anna"}).stop()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	defer tty.Close()
	said, code, closed := &clitest.Transcript{}, make(chan int, 1), make(chan struct{})
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
	env := w.Env(io.Discard, tty)
	if logged {
		env.Stdin, env.Stderr = tty, said
	}
	go func() { code <- cli.Run(context.Background(), []string{"ssh", "--listen", "127.0.0.1:0"}, env) }()
	clitest.Eventually(t, "the server", func() bool { return listening.MatchString(said.String()) })
	w.Signals <- syscall.SIGHUP // as kill sends it: the terminal is still there
	clitest.Eventually(t, "the configuration",
		func() bool { return strings.Contains(said.String(), "Read the configuration again") })
	if _, err := io.WriteString(tty, last); err != nil {
		t.Fatal(err)
	}
	<-closed
	w.Signals <- syscall.SIGHUP
	select {
	case got := <-code:
		if got != cli.ExitDone {
			t.Errorf("it ended with %d: %s", got, said)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the server goes on without its terminal")
	}
}

func TestASecondServerOfTheSameFolderIsRefused(t *testing.T) {
	w := clitest.NewWorld(t)
	s := serve(w, []string{"anna"})
	if r := w.Must(cli.ExitUsage, "ssh", "--listen", "127.0.0.1:0"); !strings.Contains(r.Err, "another confab ssh "+
		"serves the data folder "+
		filepath.Join(w.Home, ".local", "share", "confab")+" already; stop it, or choose another folder with "+
		"--data-dir") {
		t.Errorf("%s", r.Err)
	}
	key := filepath.Join(w.Home, ".local", "state", "confab", "ssh_host_key")
	r := w.Must(cli.ExitUsage, "ssh", "--listen", "127.0.0.1:0", "--data-dir", filepath.Join(w.Home, "other"),
		"--host-key", key)
	if !strings.Contains(r.Err, "another confab ssh uses the host key "+key+" already") {
		t.Errorf("%s", r.Err)
	}
	s.stop()
	s.start() // which the lock of the dead does not hinder
}
