//go:build !windows

package acceptance

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"confab/internal/testserver"
)

// TestARestartedServerGivesBackWhereOneWas is a restart as a user sees it.
func TestARestartedServerGivesBackWhereOneWas(t *testing.T) {
	service := testserver.New(t)
	h := newRemoteHome(t, service.URL, []string{"hang"}, nil)
	h.environ = append(h.environ, "CONFAB_MODEL=hang")
	g := h.startSSH("anna")
	s := g.openScreen("anna", 100, 30)
	s.leavePending(service)
	if took := g.stop(); took > 5*time.Second {
		t.Errorf("the server took %v to end", took)
	}
	s.endsWell()
	if s.stty() != s.before {
		t.Error("the terminal is not as it was")
	}
	for _, want := range []string{"The server is being stopped. Your draft is kept; log in again in a moment",
		"can be run again", "Log in again to continue session the question."} {
		if !strings.Contains(s.output(), want) {
			t.Errorf("%q was not said", want)
		}
	}
	g.start()
	s = g.openScreen("anna", 100, 30)
	s.waitFor("the question", "┃ the next thought", "interrupted", "Draft back; 1 answer was interrupted last time")
	if n := len(service.Seen()); n != 1 {
		t.Errorf("the service was asked %d times: the restart asked again by itself", n)
	}
	service.SetBehaviour("ok")
	s.sendKeys("\x1b2") // the conversation
	s.waitFor("┏━ Conversation")
	s.sendKeys("r")
	s.waitFor("● hang #2", "An answer.", "2 of 2")
	if n := len(service.Seen()); n != 2 {
		t.Errorf("the service was asked %d times", n)
	}
	s.waitFor("│ the next thought")
	s.quit()
}

func TestTheOperatorsKeyIsNowhereForUsers(t *testing.T) {
	service := testserver.New(t)
	h := newRemoteHome(t, service.URL, echoModels, nil)
	h.environ = append(h.environ, "CONFAB_MODEL="+strings.Join(echoModels, ","), "CONFAB_LOG_LEVEL=debug")
	g := h.startSSH("anna")
	s := g.openScreen("anna", 160, 200)
	s.waitFor("Write a prompt")
	s.sendKeys("what is my key?\r")
	s.waitFor(fmt.Sprintf("%d answers", len(echoModels)))
	s.waitUntilGone(fmt.Sprintf("of %d answered", len(echoModels)))
	awaitKeySent(t, service, len(echoModels))
	visitEveryView(s)
	s.sendKeys("\x1b2") // the conversation
	s.waitFor("┏━ Conversation")
	s.sendKeys("i")
	s.waitFor("copy as curl")
	s.sendKeys("c") // which goes to the terminal's clipboard
	s.await("the copy", func() bool { return strings.Contains(s.output(), "\x1b]52;c;") })
	s.sendKeys("q")
	s.waitUntilGone("copy as curl")
	s.sendKeys("w")
	s.waitFor("Export to a file")
	s.sendKeys("\x1b[C\x1b[C\r") // the session
	files := filepath.Join(g.userFolder("anna"), "files", "exports")
	g.await("the export", func() bool { found, _ := os.ReadDir(files); return len(found) > 0 })
	s.quit()
	said := s.output()
	curl := strings.Join(clipboardTexts(t, said), "\n")
	if !strings.Contains(curl, "$CONFAB_API_KEY") {
		t.Errorf("what was copied is %q", curl)
	}
	said += curl
	for _, model := range echoModels {
		out, _ := g.run(g.ssh("ssh", "anna", "-n", "127.0.0.1", "ask", "--json", "-m", model, "what is my key?"))
		more, _ := g.run(g.ssh("ssh", "anna", "-n", "127.0.0.1", "ask", "--no-save", "-m", model, "what is my key?"))
		said += out + more
	}
	for _, command := range []string{"doctor", "config show", "config show --json", "history show t1 --json",
		"history export s1 -o - --as jsonl", "env", "ask --base-url http://127.0.0.1:1 -m echo-key x",
		"ask --config /dev/null x"} {
		out, code := g.run(g.ssh("ssh", "anna", append([]string{"-n", "127.0.0.1"}, strings.Fields(command)...)...))
		if code == 0 {
			t.Errorf("%s was run: %s", command, out)
		}
		said += out
	}
	g.stop()
	said += g.log.String()
	for _, form := range keyEncodings() {
		if strings.Contains(said, form) {
			t.Errorf("the user or the log got %q", form)
		}
	}
	for _, found := range g.filesContaining(keyEncodings()) {
		t.Error(found)
	}
}

// TestOpenSSHGetsOnlyWhatIsServed tries what the option letters of OpenSSH give.
func TestOpenSSHGetsOnlyWhatIsServed(t *testing.T) {
	h := newHome(t)
	g := h.startSSH("anna")
	secret := filepath.Join(h.dir, "secret")
	writeFile(h, "secret", "not yours", 0o600)
	for name, c := range map[string]struct {
		program string
		args    []string
		says    string // "" where the client has words of its own
	}{
		"a shell command": {"ssh", []string{"-n", "127.0.0.1", "cat", secret}, "only these commands are run here: ask"},
		"two commands": {"ssh", []string{"-n", "127.0.0.1", "cat " + secret + "; ask hello"},
			"only these commands are run here: ask"},
		"a command in a pty": {"ssh", []string{"-tt", "127.0.0.1", "/bin/sh"},
			"only these commands are run here: ask"},
		"a screen without one": {"ssh", []string{"-T", "127.0.0.1"},
			"the screen needs a terminal; ssh -t asks for one"},
		"sftp":        {"sftp", []string{"127.0.0.1:" + secret, "got"}, "there is neither sftp nor scp"},
		"scp by sftp": {"scp", []string{"-s", "127.0.0.1:" + secret, "got"}, "there is neither sftp nor scp"},
		"scp as it was": {"scp", []string{"-O", "127.0.0.1:" + secret, "got"},
			"only these commands are run here: ask"},
		"scp to here": {"scp", []string{"-O", "/etc/hostname", "127.0.0.1:" + filepath.Join(h.dir, "put")},
			"only these commands are run here: ask"},
		"-W": {"ssh", []string{"-W", g.addr, "127.0.0.1"}, "confab forwards nothing"},
		"-R": {"ssh",
			[]string{"-n", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1", "127.0.0.1", "ask", "hello"}, ""},
		"a tunnel": {"ssh", []string{"-n", "-w", "any", "127.0.0.1", "true"}, ""},
		"a password": {"ssh",
			[]string{"-n", "-o", "PreferredAuthentications=password,keyboard-interactive", "127.0.0.1", "ask",
				"hello"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := g.ssh(c.program, "anna", c.args...)
			out, code := g.run(cmd)
			if code == 0 || !strings.Contains(out, c.says) || strings.Contains(out, "not yours") ||
				strings.Contains(out, "SSH-2.0") {
				t.Errorf("status %d, said %q", code, out)
			}
			for _, path := range []string{filepath.Join(cmd.Dir, "got"), filepath.Join(h.dir, "put")} {
				if _, err := os.Stat(path); err == nil {
					t.Errorf("%s was made", path)
				}
			}
		})
	}
	t.Run("-L reaches nothing", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		free := l.Addr().String()
		_ = l.Close()
		cmd := g.ssh("ssh", "anna", "-tt", "-o", "ExitOnForwardFailure=yes", "-L", free+":"+g.addr, "127.0.0.1")
		s := g.startOnTerminal(80, 24, cmd)
		s.waitFor("Write a prompt")
		c, err := net.Dial("tcp", free)
		must(t, err)
		defer c.Close()
		_ = c.SetReadDeadline(time.Now().Add(waitLimit))
		if line, err := bufio.NewReader(c).ReadString('\n'); err == nil {
			t.Errorf("the forwarded port says %q", line)
		}
		s.sendKeys("\x11")
		_ = s.waitForExit()
	})
	t.Run("-A, -X and SendEnv change nothing", func(t *testing.T) {
		cmd := g.ssh("ssh", "anna", "-n", "-A", "-X", "-o",
			"SetEnv=CONFAB_BASE_URL=http://127.0.0.1:1 LD_PRELOAD=/x.so PATH=/tmp HOME=/", "127.0.0.1", "ask", "-m",
			"phi-2", "hello")
		if out, code := g.run(cmd); code != 0 || !strings.Contains(out, "imulated") {
			t.Errorf("status %d, said %q", code, out)
		}
	})
	t.Run("a second session by a master connection", func(t *testing.T) {
		socket := filepath.Join(t.TempDir(), "s")
		s := g.startOnTerminal(80, 24, g.ssh("ssh", "anna", "-tt", "-M", "-S", socket, "127.0.0.1"))
		s.waitFor("Write a prompt")
		out, code := g.run(g.ssh("ssh", "anna", "-n", "-S", socket, "-o", "ControlMaster=no", "127.0.0.1", "ask", "-m",
			"phi-2", "hello"))
		if !strings.Contains(out, "Session open refused by peer") { // it goes on with a connection of its own
			t.Errorf("status %d, said %q", code, out)
		}
		s.waitFor("Continue  hello") // the client writes its complaint over the prompt
		s.sendKeys("\x11")
		_ = s.waitForExit()
	})
}

// TestLimitsOfAServerNobodyConfigured is about the numbers of docs/ssh.md.
func TestLimitsOfAServerNobodyConfigured(t *testing.T) {
	users := []string{"anna", "bob", "carl", "dora", "emil", "fred", "gina", "hugo"}
	g := newHome(t).startSSH(users...)
	var open []*ssh.Client
	for i := range 32 {
		c, said, err := g.dialFrom(fmt.Sprintf("127.0.0.%d", 1+i/4), users[i%8])
		if err != nil {
			t.Fatalf("connection %d: %v, %q", i+1, err, said)
		}
		open = append(open, c)
	}
	const full = "as many visitors as it can take"
	if _, said, err := g.dialFrom("127.0.0.99", "anna"); err == nil || !strings.Contains(said, full) {
		t.Errorf("one more connection: %v, said %q, want %q", err, said, full)
	}
	_ = open[31].Close() // so that there is a place, but none of anna's
	var fifth *ssh.Client
	g.await("a place", func() (ok bool) {
		var err error
		fifth, _, err = g.dialFrom("127.0.0.98", "anna")
		return err == nil
	})
	for i, c := range []*ssh.Client{open[0], open[8], open[16], open[24], fifth} {
		_, in, out, err := openShell(c, 80, 24)
		must(t, err)
		if i < 4 {
			out.waitFor(t, "Write a prompt")
			continue
		}
		out.waitFor(t, "logged in as often as you may be")
		_ = in.Close()
	}
	for _, c := range open {
		_ = c.Close()
	}
	ended := regexp.MustCompile(`Left a screen`)
	g.await("the end of the screens", func() bool { return len(ended.FindAllString(g.log.String(), -1)) == 4 })
}
