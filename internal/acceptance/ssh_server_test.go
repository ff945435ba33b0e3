//go:build !windows

package acceptance

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// sshServer is a confab ssh with users, who log in
// with OpenSSH's client or with x/crypto's. Its home is the operator's.
type sshServer struct {
	*home
	cmd  *exec.Cmd
	addr string
	log  *outputBuffer
}

// startSSH starts a server that accepts users with these names.
func (h *home) startSSH(users ...string) *sshServer {
	h.t.Helper()
	g := &sshServer{home: h, addr: "127.0.0.1:0"}
	h.environ = append(h.environ, "CONFAB_SSH_COMMANDS=ask", "CONFAB_SSH_AUTHORIZED_KEYS="+filepath.Join(h.dir, "keys"))
	for _, dir := range []string{"keys", "clients"} {
		must(h.t, os.MkdirAll(filepath.Join(h.dir, dir), 0o700))
	}
	for _, u := range users {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		must(h.t, err)
		block, err := ssh.MarshalPrivateKey(private, "")
		must(h.t, err)
		key, err := ssh.NewPublicKey(public)
		must(h.t, err)
		writeFile(h, filepath.Join("clients", u), string(pem.EncodeToMemory(block)), 0o600)
		writeFile(h, filepath.Join("keys", u), string(ssh.MarshalAuthorizedKey(key)), 0o600)
	}
	g.start()
	h.t.Cleanup(func() { g.stop() })
	return g
}

// start starts the server, at the address that it had before.
func (g *sshServer) start() {
	g.t.Helper()
	g.log = newOutputBuffer()
	g.cmd = g.command("ssh", "--listen", g.addr)
	g.cmd.Stderr = g.log
	must(g.t, g.cmd.Start())
	g.log.waitFor(g.t, "The host key is")
	g.addr = listens.FindStringSubmatch(g.log.String())[1]
}

// stop ends the server as systemd does and returns how long that took.
func (g *sshServer) stop() time.Duration {
	g.t.Helper()
	if g.cmd == nil {
		return 0
	}
	began := time.Now()
	_ = g.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	if err := g.cmd.Wait(); err != nil {
		g.t.Errorf("the server ended with %v: %s", err, g.log)
	}
	g.cmd = nil
	return time.Since(began)
}

// ssh is OpenSSH's client as a user runs it; program is ssh, scp or sftp.
func (g *sshServer) ssh(program, user string, args ...string) *exec.Cmd {
	g.t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		g.t.Skipf("OpenSSH's %s is not installed here", program)
	}
	_, port, err := net.SplitHostPort(g.addr)
	must(g.t, err)
	all := []string{"-F", "none", "-i", filepath.Join(g.dir, "clients", user)}
	for _, o := range []string{"Port=" + port, "IdentitiesOnly=yes", "BatchMode=yes", "LogLevel=INFO",
		"StrictHostKeyChecking=accept-new",
		"UserKnownHostsFile=" + filepath.Join(g.dir, "clients", "known_hosts")} {
		all = append(all, "-o", o)
	}
	cmd := exec.Command(path, append(all, args...)...)
	cmd.Dir = g.t.TempDir()
	cmd.Env = []string{"HOME=" + cmd.Dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8",
		"LC_ALL=C.UTF-8"}
	return cmd
}

// run runs OpenSSH's client to its end.
func (g *sshServer) run(cmd *exec.Cmd) (said string, code int) {
	g.t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second // whatever it started
	stop := time.AfterFunc(waitLimit, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	_ = cmd.Run() // its exit code says it
	return out.String(), cmd.ProcessState.ExitCode()
}

// openScreen opens a user's screen with OpenSSH's client, in a terminal.
func (g *sshServer) openScreen(user string, w, rows int) *terminal {
	g.t.Helper()
	return g.startOnTerminal(w, rows, g.ssh("ssh", user, "-t", "127.0.0.1"))
}

// config is how x/crypto's client logs in.
func (g *sshServer) config(login, user string) *ssh.ClientConfig {
	g.t.Helper()
	b, err := os.ReadFile(filepath.Join(g.dir, "clients", user))
	must(g.t, err)
	key, err := ssh.ParsePrivateKey(b)
	must(g.t, err)
	return &ssh.ClientConfig{User: login, Auth: []ssh.AuthMethod{ssh.PublicKeys(key)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey()}
}

// dialFrom logs in from an address of this machine.
func (g *sshServer) dialFrom(address, user string) (*ssh.Client, string, error) {
	g.t.Helper()
	raw, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}).Dial("tcp", g.addr)
	if err != nil {
		g.t.Skipf("this machine has no address %s: %v", address, err)
	}
	heard := &recordingConn{Conn: raw}
	c, chans, reqs, err := ssh.NewClientConn(heard, g.addr, g.config("x", user))
	if err != nil {
		_ = raw.Close()
		return nil, heard.String(), err
	}
	client := ssh.NewClient(c, chans, reqs)
	g.t.Cleanup(func() { _ = client.Close() })
	return client, "", nil
}

// recordingConn records the first bytes of a connection.
type recordingConn struct {
	net.Conn
	heard strings.Builder
}

func (e *recordingConn) Read(p []byte) (int, error) {
	n, err := e.Conn.Read(p)
	if e.heard.Len() < 4096 {
		e.heard.Write(p[:n])
	}
	return n, err
}

func (e *recordingConn) String() string { return e.heard.String() }

// userFolder returns where the things of a user are.
func (g *sshServer) userFolder(name string) string {
	return filepath.Join(g.dir, ".local", "share", "confab", "users", name)
}

// newKey returns a key that no server knows yet.
func newKey(t testing.TB) ssh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	key, err := ssh.NewSignerFromKey(private)
	must(t, err)
	return key
}
